"""The forecast: what is counted is what the engine does; what cannot run is refused before anything runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import h5py
import pytest

from conftest import ROOT, Workspace
from drawn_study import drawn_study
from workflows.forecast.benchmark import short
from workflows.forecast.cost import planned_of
from workflows.forecast.engine_jobs import job_of_run
from workflows.forecast.work import flips_of_run, slots_of_trials
from workflows.status.job_log import cost_of
from workflows.study.study import Study, open_file


def module(workspace: Workspace, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"workflows.{name}", *arguments]
    return subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=False)


def test_flips_are_counted_as_the_engine_counts_them(finished: Workspace) -> None:
    study = Study(finished.study())
    for part in study.parts.values():
        for (size, _), run in part.runs.items():
            logs = [finished.results() / "logs" / rule / run.name for rule in ("simulate", "temper")]
            flips = sum(cost_of(path.read_text()).flips for folder in logs for path in folder.glob("*.log"))
            expected = flips_of_run(run.options, part.shard_samples[size]) * len(part.shards(size))
            assert flips == pytest.approx(expected, rel=0.005), run.name  # the log has three digits
    for grid in study.grids.values():
        log = next((finished.results() / "logs" / "adapt").glob(f"*_{grid.name}.log")).read_text()
        assert [int(slots) for slots in re.findall(r"^(\d+) slots:", log, re.M)] == slots_of_trials(grid.options)


def test_times_of_a_relaxation_are_counted_as_the_engine_makes_them(finished: Workspace) -> None:
    part = Study(finished.study()).parts["relaxation"]
    for (_, _), run in part.runs.items():
        job = job_of_run(part, run, 0, 64)
        with h5py.File(next((finished.results() / "shards" / run.name).glob("*.h5"))) as file:
            assert job.measurements == len(file["time"])
    assert [job.of_length(sweeps).measurements for sweeps in (1, 2, 3, 8, 100)] == [1, 2, 3, 7, 22]


def test_a_plan_has_a_numbered_line_for_each_system_and_totals(workspace: Workspace) -> None:
    done = module(workspace, "forecast", "config/smoke.yaml", "--cores", "2")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    numbered = [line for line in lines if re.match(r" +\d+ ", line)]
    assert [int(line.split()[0]) for line in numbered] == list(range(1, len(numbered) + 1))
    assert "L = 8, T = 2.27" in numbered[1] and "h =" not in done.stdout, "only the keys that vary"
    jobs = {
        line.split()[0]: int(re.search(r"\d+", line[28:])[0])
        for line in lines
        if re.match("ising|relax|field|total", line)
    }
    assert jobs == {"ising": 6, "relaxation": 4, "field": 8, "total": 18}
    kept = workspace.folder / "build" / "forecast.json"
    before = kept.stat().st_mtime_ns
    assert module(workspace, "forecast", "config/smoke.yaml", "--cores", "2").stdout == done.stdout
    assert kept.stat().st_mtime_ns == before, "nothing was measured again"
    assert not (workspace.folder / "results" / "smoke").exists()


def test_what_is_done_costs_nothing(finished: Workspace) -> None:
    done = module(finished, "forecast", "config/smoke.yaml", "--json")
    whole = json.loads(done.stdout)
    costs = [system["cost"] for part in whole["parts"] for system in part["systems"]]
    assert sum(cost["done"] for cost in costs) == 18
    assert not any(cost["jobs"] or cost["seconds"] or cost["bytes"] for cost in costs)
    assert whole["analysis_seconds"] == 0
    study = finished.study()
    study["parts"][1]["samples"] = 192  # one shard more for each of two sizes
    finished.write_study(study)
    whole = json.loads(module(finished, "forecast", "config/smoke.yaml", "--json").stdout)
    jobs = {part["name"]: sum(system["cost"]["jobs"] for system in part["systems"]) for part in whole["parts"]}
    assert jobs == {"ising": 0, "relaxation": 2, "field": 0}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_drawn_study_has_the_forecast_bytes(workspace: Workspace, seed: int) -> None:
    workspace.write_study(drawn_study(seed, flips=2e8))
    done = module(workspace, "forecast.compare", f"config/drawn{seed}.yaml", "--cores", "2")
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: [float(word) for word in line.split()[1:]] for line in done.stdout.splitlines()[1:]}
    assert set(rows) == {"part1", "part2", "total"}
    assert all(0.7 < row[5] < 1.3 for row in rows.values()), done.stdout
    assert all(row[0] > 0 and row[1] > 0 for row in rows.values()), "times depend on the machine"


def relaxation(**keys: Any) -> dict[str, Any]:
    part = {"name": "large", "model": "ea3d", "L": [8], "T": [1.1], "sweeps": 64, "samples": 64, "shard_samples": 64}
    return {"name": "large", "title": "Large", "seed": 1, "parts": [part | keys]}


TEMPERED = {"model": "rfim3d", "h": 1, "T": {"from": 3, "to": 4}, "exchange_interval": 10, "bins": 3, "sweeps": 80}
ADAPT = {"method": "insert", "slots": 4, "trials": 1, "insertions": 1, "samples": 64, "sweeps": 400}
IMPOSSIBLE = [
    (relaxation(L=[258]), "part 'large', L = 258: psflip: --L 258: sites of ea3d have addresses up to L = 256"),
    (relaxation(model="ising3d", method="relaxation", L=[2048]), "--L 2048: sites of ising3d have addresses"),
    (relaxation(sweeps=2**31), "--sweeps 2147483648: at most 2^31 - 1 sweeps have random numbers"),
    (relaxation(samples=2**46, shard_samples=2**45), "sample ids must stay below 2^45"),
    (relaxation(**TEMPERED, adapt=ADAPT, L=[2048]), "part 'large', L = 2048: psflip: --L 2048"),
    (relaxation(L=[256], samples=2**20, shard_samples=2**20), "GiB of memory, and"),
    (relaxation(samples=3_200_000_000, shard_samples=32), "has 100000000 shards at L = 8, more than the 200000 jobs"),
    (
        relaxation(T=[1 + i / 1000 for i in range(11)], samples=32 * 20_000, shard_samples=32),
        "has 220000 shards at L = 8",
    ),
    (relaxation(L=[4, 6], samples=32 * 110_000, shard_samples=32), "the study has 220000 shards"),
]


@pytest.mark.parametrize(("study", "words"), IMPOSSIBLE)
def test_a_study_that_cannot_run_is_refused_before_anything_runs(
    workspace: Workspace, study: dict[str, Any], words: str
) -> None:
    workspace.write_study(study)
    for option in ([], ["--check"]):
        done = module(workspace, "forecast", "config/large.yaml", *option)
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, done.stderr
        assert done.stdout == "" and len(done.stderr.splitlines()) == 1
    assert not (workspace.folder / "results" / "large").exists()
    assert not (workspace.folder / "build" / "forecast.json").exists()


def test_every_mistake_is_told_and_few_jobs_at_a_time_may_fit(workspace: Workspace) -> None:
    study = relaxation(L=[258, 260])
    study["parts"].append(study["parts"][0] | {"name": "long", "L": [8], "sweeps": 2**31})
    workspace.write_study(study)
    done = module(workspace, "forecast", "config/large.yaml", "--check")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 3
    workspace.write_study(relaxation(L=[64], samples=32 * 4000, shard_samples=32))
    assert module(workspace, "forecast", "config/large.yaml", "--check", "--cores", "2").returncode == 0
    done = module(workspace, "forecast", "config/large.yaml", "--check", "--cores", "4000")
    assert done.returncode == 2
    assert re.search(
        r"4000 jobs at the same time need \S+ GiB of memory, and \S+ GiB are available; use --cores \d+ or", done.stderr
    )
    cluster = ["--profile", str(ROOT / "workflows" / "profiles" / "slurm")]
    assert module(workspace, "forecast", "config/large.yaml", "--check", "--cores", "4000", *cluster).returncode == 0


def test_a_study_with_too_many_jobs_is_refused_by_its_check_and_by_the_workflow(workspace: Workspace) -> None:
    workspace.write_study(relaxation(samples=3_200_000_000, shard_samples=32))
    assert module(workspace, "study", "config/large.yaml").returncode == 2
    planned = subprocess.run(
        workspace.command("large", "-n"), cwd=workspace.folder, capture_output=True, text=True, check=False
    )
    assert planned.returncode != 0 and "more than the 200000 jobs" in planned.stdout + planned.stderr


def test_a_benchmark_has_fewer_samples_then_fewer_bins_where_a_job_would_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    studies = [open_file(ROOT / "config" / f"{name}.yaml") for name in ("rfim_phase", "ea3d_equilibrium")]
    for entry in [entry for study in studies if isinstance(study, Study) for entry in planned_of(study)]:
        found = short(entry.job)
        assert found.samples <= entry.job.samples and found.sweeps <= entry.job.sweeps and found.bins <= entry.job.bins
        if found.method == "tempering":
            assert found.samples >= min(512, entry.job.samples)  # fewer take as long as a full word
            assert found.sweeps == found.interval * 2 ** (found.bins - 1)
            assert found.flips * 100e-12 < 1 or found.bins == 2
            words = found.words
            assert words[words.index("--bins") + 1] == str(found.bins) and f"0:{found.samples}" in words
