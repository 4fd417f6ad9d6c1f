"""What a second run executes after each kind of change, from the list of its jobs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import ROOT, Job, Workspace

ANALYSIS = {
    "reduce",
    "combine",
    "crossing",
    "dynamics",
    "critical",
    "provenance",
    "tabulate",
    "summarize",
    "plot_ising2d",
    "plot_ea3d",
    "plot_rfim3d",
    "specific_heat",
    "log_bins",
    "sample_times",
    "plot_specific_heat",
    "plot_equilibration",
    "plot_sample_times",
    "report",
}


def outputs(jobs: list[Job], rule: str) -> list[str]:
    """Outputs of one rule: the last two folders of a path for shards, the file otherwise."""
    return sorted(re.sub(r"^.*/(?=[^/]+/[^/]+$)", "", job.output) for job in jobs if job.rule == rule)


def test_a_second_run_has_nothing_to_do(finished: Workspace) -> None:
    start = time.monotonic()
    output = finished.run()
    assert "Nothing to be done" in output
    assert time.monotonic() - start < 10


def test_more_samples_run_only_new_shards(finished: Workspace) -> None:
    before = finished.tables()
    study = finished.study()
    study["parts"][1]["samples"] = 192
    finished.write_study(study)
    jobs = finished.jobs()
    new = sorted(["ea3d_L4_T1.1_22aa572c6b/128_64.h5", "ea3d_L6_T1.1_744f15ab8c/128_64.h5"])
    assert [re.sub(r"_[0-9a-f]{10}/", "_*/", name) for name in outputs(jobs, "simulate")] == [
        re.sub(r"_[0-9a-f]{10}/", "_*/", name) for name in new
    ]
    assert [name.split("/")[-1] for name in outputs(jobs, "reduce")] == ["0_3x64.h5", "0_3x64.h5"]
    assert outputs(jobs, "combine") == ["relaxation/L4.csv", "relaxation/L6.csv"]
    assert "crossing" not in {job.rule for job in jobs}
    after = finished.tables()
    assert after["ising/L8.csv"] == before["ising/L8.csv"]
    assert after["relaxation/L4.csv"] != before["relaxation/L4.csv"]


@pytest.mark.slow
def test_more_samples_of_rfim3d_run_only_new_shards_on_the_old_grids(finished: Workspace) -> None:
    grids = {path: path.read_text() for path in (finished.results() / "grids").rglob("*.json")}
    study = finished.study()
    study["parts"][2]["samples"] = 384
    finished.write_study(study)
    jobs = finished.jobs()
    simulated = outputs(jobs, "temper")
    assert len(simulated) == 2 and all(name.endswith("/256_128.h5") for name in simulated)
    assert [name.split("/")[-1] for name in outputs(jobs, "reduce")] == ["0_3x128.h5", "0_3x128.h5"]
    assert not {"adapt", "simulate", "dynamics"} & {job.rule for job in jobs}
    assert outputs(jobs, "crossing") == ["field/crossing_U4.csv", "field/crossing_xi_over_L.csv"]
    assert grids == {path: path.read_text() for path in (finished.results() / "grids").rglob("*.json")}


@pytest.mark.slow
def test_another_size_of_rfim3d_adapts_and_runs_only_that_size(finished: Workspace) -> None:
    study = finished.study()
    study["parts"][2]["L"].append(8)
    finished.write_study(study)
    jobs = finished.jobs()
    assert len(outputs(jobs, "adapt")) == 2 and all("rfim3d_L8_" in name for name in outputs(jobs, "adapt"))
    assert len(outputs(jobs, "temper")) == 2 and all("rfim3d_L8_" in name for name in outputs(jobs, "temper"))
    assert outputs(jobs, "combine") == ["field/L8.csv"]


def test_another_ratio_of_the_sizes_that_cross_reruns_the_crossings_only(finished: Workspace) -> None:
    study = finished.study()
    study["parts"][2]["crossing"]["ratio"] = 1.5
    finished.write_study(study)
    output = finished.run("smoke", "--dry-run", "--printshellcmds")
    assert set(re.findall(r"^(?:local)?rule (\w+):", output, re.M)) <= ANALYSIS - {"reduce", "combine"} | {
        "record_study",
        "all",
    }
    assert len(re.findall(r"psflip-analysis crossing .* --ratio 1.5 ", output)) == 2


def test_other_trials_of_rfim3d_adapt_and_simulate_again(finished: Workspace) -> None:
    study = finished.study()
    study["parts"][2]["adapt"]["sweeps"] = 600
    finished.write_study(study)
    jobs = finished.jobs("smoke", "--dry-run")
    assert len(outputs(jobs, "adapt")) == 4 and len(outputs(jobs, "temper")) == 4
    assert not outputs(jobs, "simulate")


@pytest.mark.slow
def test_a_grid_file_that_is_newer_than_its_shards_simulates_nothing(finished: Workspace) -> None:
    for path in (finished.results() / "grids").rglob("*.json"):
        path.write_text(path.read_text() + "\n")
    assert {"simulate", "temper", "reduce", "adapt"}.isdisjoint(finished.rules())


@pytest.mark.slow
def test_another_size_runs_only_its_shards(finished: Workspace) -> None:
    study = finished.study()
    study["parts"][1]["L"].append(8)
    finished.write_study(study)
    jobs = finished.jobs()
    simulated = outputs(jobs, "simulate")
    assert len(simulated) == 2 and all(name.startswith("ea3d_L8_T1.1_") for name in simulated)
    assert outputs(jobs, "combine") == ["relaxation/L8.csv"]


@pytest.mark.slow
def test_another_temperature_runs_only_its_shards(finished: Workspace) -> None:
    study = finished.study()
    study["parts"][0]["T"].append(2.3)
    finished.write_study(study)
    jobs = finished.jobs()
    simulated = outputs(jobs, "simulate")
    assert len(simulated) == 2 and all("_T2.3_" in name for name in simulated)
    assert outputs(jobs, "combine") == ["ising/L16.csv", "ising/L8.csv"]
    assert "dynamics" not in {job.rule for job in jobs}


def test_another_fit_range_fits_again_and_nothing_else(finished: Workspace) -> None:
    study = finished.study()
    study["parts"][1]["fit"] = {"from": 16, "to": 256}
    finished.write_study(study)
    rules = finished.rules()
    assert rules == {"record_study", "dynamics", "plot_ea3d", "provenance", "summarize", "report"}


def test_a_changed_plot_script_draws_and_reports_only(finished: Workspace) -> None:
    script = finished.folder / "workflows" / "models" / "ising2d" / "figures.py"
    script.write_text(script.read_text() + "\n# another look\n")
    assert finished.rules() == {"plot_ising2d", "report"}


@pytest.mark.slow
def test_changed_analysis_code_simulates_nothing(finished: Workspace) -> None:
    before = finished.tables()
    source = finished.folder / "analysis" / "ensemble" / "ensemble.cpp"
    source.write_text(source.read_text() + "\n// another thought\n")
    rules = finished.rules()
    assert rules <= ANALYSIS and {"reduce", "combine", "crossing", "dynamics"} <= rules
    assert finished.tables() == before


def test_a_rebuilt_binary_runs_nothing(finished: Workspace) -> None:
    for program in (finished.folder / "build" / "bin").iterdir():
        program.write_bytes(program.read_bytes() + b"\0")
        os.utime(program)
    assert "Nothing to be done" in finished.run()


def test_a_touched_source_runs_nothing(finished: Workspace) -> None:
    for room in ("workflows", "analysis", "engine", "config"):
        for path in (finished.folder / room).rglob("*"):
            os.utime(path)
    assert "Nothing to be done" in finished.run()


def test_another_stream_version_simulates_everything(finished: Workspace) -> None:
    header = finished.folder / "engine" / "core" / "version.hpp"
    header.write_text(re.sub(r"(stream_version = )\d+", r"\g<1>999", header.read_text()))
    jobs = finished.jobs("smoke", "--dry-run")
    assert len(outputs(jobs, "simulate")) == 10
    assert len(outputs(jobs, "adapt")) == 4 and len(outputs(jobs, "temper")) == 4


def test_another_title_writes_another_report_and_no_simulation(finished: Workspace) -> None:
    study = finished.study()
    study["title"] = "Another title"
    finished.write_study(study)
    assert finished.rules() <= {"record_study", "provenance", "summarize", "report"}
    assert "Another title" in (finished.results() / "report.html").read_text()


REMOVED: list[tuple[str, set[str]]] = [
    ("study.json", {"record_study", "plot_critical", "provenance", "summarize", "report"}),
    ("summary.json", {"summarize", "report"}),
    ("tables/observables.csv", {"tabulate", "plot_ising2d", "plot_ea3d", "plot_rfim3d", "summarize", "report"}),
    ("tables/ising/crossing_U4.csv", {"crossing", "plot_ising2d", "summarize", "report"}),
    ("tables/relaxation/dynamics_L4_T1.1.csv", {"dynamics", "plot_ea3d", "summarize", "report"}),
    ("tables/provenance.csv", {"provenance", "report"}),
    ("reduced/*/0_2x64.h5", ANALYSIS),
    ("plots/ea3d_binder.svg", {"plot_ea3d", "report"}),
]


@pytest.mark.parametrize(("pattern", "rules"), REMOVED, ids=[pattern for pattern, _ in REMOVED])
def test_a_file_that_was_removed_is_made_again_and_simulates_nothing(
    pattern: str, rules: set[str], finished: Workspace
) -> None:
    found = sorted(finished.results().glob(pattern))
    assert found
    for path in found:
        path.unlink()
    jobs = finished.jobs("smoke", "--dry-run")
    assert jobs and {job.rule for job in jobs} <= rules
    assert {str(path.relative_to(finished.folder)) for path in found} <= {job.output for job in jobs} | {
        f"results/smoke/{pattern}"
    }


@pytest.mark.parametrize("garbage", [b"\xff\xfe", b"{", b"[" * 100_000, b"[]", b'{"name": "x"}'])
def test_a_record_that_someone_has_overwritten_is_told_in_a_sentence(garbage: bytes, tmp_path: Path) -> None:
    record, text = tmp_path / "study.json", str(tmp_path / "none")
    record.write_bytes(garbage)
    for module, names in [
        ("workflows.tables.provenance", ["output"]),
        ("workflows.statistics.summarize", ["observables", "output"]),
        ("workflows.report.report", ["observables", "summary", "provenance", "command", "output"]),
        ("workflows.critical.figures", ["observables", "fits", "readings", "output"]),
    ]:
        options = [word for name in names for word in (f"--{name}", text)]
        positional = [str(record)] if module.endswith("provenance") else ["--study", str(record)]
        command = [sys.executable, "-m", module, *positional, *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.startswith(f"{record}: ") and "; remove it and run the study again" in done.stderr


def test_other_resources_and_threads_run_nothing(finished: Workspace) -> None:
    options = ["--set-threads", "simulate=2", "temper=2", "--set-resources", "simulate:backend=cpu", "temper:runtime=5"]
    assert "Nothing to be done" in finished.run("smoke", *options)
