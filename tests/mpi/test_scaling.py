"""The script that times scaling: its jobs, its arithmetic, and a run of a second."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import scaling
from scaling_presets import PRESETS

BUILD = Path(os.environ.get("PSFLIP_BUILD", scaling.ROOT / "build"))
SCRIPT = scaling.ROOT / "tests" / "mpi" / "scaling"
SHORT = ["ea3d.L=8", "ea3d.sweeps=8", "rfim3d.L=4", "rfim3d.sweeps=20", "rfim3d.slots=4", "rfim3d.samples=64"]


DEFAULT, GPUS = (PRESETS[name].jobs for name in ("default", "gpus"))


def test_jobs_grow_with_the_ranks_by_flips() -> None:
    for job in [*DEFAULT.values(), *(job for job in GPUS.values() if "weak" in job.scalings)]:
        for ranks in (2, 3, 4, 8):
            growth = scaling.flips(job, scaling.grown(job, ranks)) / scaling.flips(job, job.options)
            assert growth == pytest.approx(ranks, rel=0.13), (job, ranks)


def test_grown_lattices_have_the_same_packing() -> None:
    for ranks in range(1, 17):
        assert scaling.grown(DEFAULT["ising2d"], ranks)["L"] % 64 == 0
        assert scaling.grown(DEFAULT["ea3d"], ranks)["L"] % 2 == 0
    of_160 = DEFAULT["ea3d"].changed(L=160)
    assert [scaling.grown(of_160, ranks)["L"] for ranks in (1, 2, 3, 4)] == [160, 208, 224, 256]
    square = DEFAULT["ising2d"].changed(L=32768)
    assert [scaling.grown(square, ranks)["L"] for ranks in (1, 2, 4)] == [32768, 49152, 65536]


def test_samples_grow_with_the_ranks_and_nothing_else_does() -> None:
    one, two, four = scaling.cases({"ea3d": DEFAULT["ea3d"]}, [1, 2, 4], ["samples"])
    assert [case.flips for case in (two, four)] == [2 * one.flips, 4 * one.flips]
    assert dict(four.options) == dict(one.options) | {"samples": 4 * DEFAULT["ea3d"].options["samples"]}


def test_the_efficiency_is_that_of_the_flips_of_one_rank() -> None:
    rows = [
        {"job": "ea3d-64", "ranks": 1, "ps_per_flip": 12.0},
        {"job": "ea3d-64", "ranks": 4, "ps_per_flip": 4.0},
        {"job": "ea3d-128", "ranks": 2, "ps_per_flip": 30.0},
    ]
    assert [row.get("efficiency") for row in scaling.with_efficiencies(rows)] == [1.0, 0.75, None]


def test_the_jobs_for_gpus_are_those_of_the_papers() -> None:
    todo = scaling.cases(GPUS, [1, 2], list(scaling.SCALINGS))
    assert {case.method for case in todo if case.model == "ea3d"} == {"relaxation", "tempering"}
    sizes = {model: {dict(case.options)["L"] for case in todo if case.model == model} for model in ("ea3d", "rfim3d")}
    assert {64, 128, 256} <= sizes["ea3d"] and sizes["rfim3d"] == {8, 16, 32, 64}
    exchanges = {dict(case.options)["exchange-interval"] for case in todo if case.method == "tempering"}
    assert exchanges == {10}
    assert {case.scaling for case in todo if case.job == "ising2d-32768"} == {"strong", "weak", "shards"}


def test_exchange_monte_carlo_of_a_glass_counts_four_sets() -> None:
    job = GPUS["ea3d-tempering-16"]
    options = job.options
    assert scaling.flips(job, options) == 16**3 * 24 * 4 * options["samples"] * options["sweeps"]
    (case,) = scaling.cases({"job": job}, [1], ["strong"])
    words = scaling.words(case)
    assert words[words.index("--T") + 1].split(",")[::23] == ["1.00000", "2.15000"]


def test_lattices_above_the_largest_are_left_out_for_gpus(capsys: pytest.CaptureFixture[str]) -> None:
    todo = scaling.cases(GPUS, [1, 8], list(scaling.SCALINGS))
    left = scaling.possible(todo, "gpus")
    assert [case.job for case in todo if case not in left] == ["ising2d-32768"]
    assert "L = 90112, above its largest, 65536: left out" in capsys.readouterr().err


def test_scalings_are_those_of_the_job_that_were_asked_for() -> None:
    todo = scaling.cases({name: GPUS[name] for name in ("ea3d-256", "ea3d-64")}, [1, 2], ["samples", "weak"])
    assert [(case.job, case.scaling, case.ranks) for case in todo] == [("ea3d-256", "samples", n) for n in (1, 2)]


def test_jobs_are_chosen_by_name_or_model() -> None:
    assert list(scaling.jobs_of("gpus", ["ea3d-64", "ising2d"], [])) == ["ising2d-32768", "ising2d-65536", "ea3d-64"]
    (job,) = scaling.jobs_of("gpus", ["rfim3d-64"], ["rfim3d-64.exchange-interval=4"]).values()
    assert job.options["exchange-interval"] == 4 and GPUS["rfim3d-64"].options["exchange-interval"] == 10


def test_shards_have_a_gpu_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    strong, shards = scaling.cases({"job": DEFAULT["ea3d"]}, [2], ["strong", "shards"])
    assert [scaling.environment(shards, "cuda", part)["CUDA_VISIBLE_DEVICES"] for part in (0, 1)] == ["3", "5"]
    assert scaling.environment(strong, "cuda", 0)["CUDA_VISIBLE_DEVICES"] == "3,5"
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    assert scaling.environment(shards, "cuda", 1)["CUDA_VISIBLE_DEVICES"] == "1"
    assert "CUDA_VISIBLE_DEVICES" not in scaling.environment(shards, "cpu", 1)


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """A launcher that writes the file of a job: half a second on one rank, less on more. On two rfim3d fails, and ising2d
    has other data."""
    path = tmp_path / "launcher"
    path.write_text(f"#!{sys.executable}\n" + LAUNCHER, encoding="utf-8")
    path.chmod(0o755)
    return path


LAUNCHER = """
import sys, h5py
ranks, output = int(sys.argv[2]), sys.argv[sys.argv.index("--output") + 1]
if ranks == 2 and "rfim3d" in sys.argv:
    print("starting", file=sys.stderr)
    sys.exit("no second GPU")
with h5py.File(output, "w") as file:
    texts = {"git_commit": "abc", "device": "made up", "instruction_set": "none", "backend": "cuda", "halo": "device"}
    file.attrs.update(texts | {"seconds": 0.5 / ranks**0.5, "ranks": ranks})
    file["bond_sum"] = [7 if ranks == 2 and "ising2d" in sys.argv else 6]
"""


def run_stand_in(launcher: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [SCRIPT, "--preset", "gpus", "--scalings", "strong", "--mpirun", str(launcher), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_case_that_fails_leaves_the_others(stand_in: Path, tmp_path: Path) -> None:
    output = tmp_path / "gpus.json"
    result = run_stand_in(stand_in, "--models", "ea3d-64,rfim3d-8", "--runs", "2", "--output", str(output))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and "ended with 1 and no output: no second GPU" in result.stderr
    page = json.loads(output.read_text(encoding="utf-8"))
    assert [(row["job"], row["ranks"]) for row in page["cases"]] == [("ea3d-64", 1), ("ea3d-64", 2), ("rfim3d-8", 1)]
    assert [(one["job"], one["ranks"]) for one in page["failures"]] == [("rfim3d-8", 2)]
    assert page["cases"][1]["efficiency"] == pytest.approx(0.5**0.5, abs=1e-3)
    assert {row["halo"] for row in page["cases"]} == {"device"}
    assert page["git_commit"] == "abc" and page["device"] == "made up" and "driver" in page


def test_other_data_than_on_one_rank_is_a_failure(stand_in: Path, tmp_path: Path) -> None:
    output = tmp_path / "gpus.json"
    result = run_stand_in(stand_in, "--models", "ea3d-64,ising2d-65536", "--runs", "1", "--output", str(output))
    assert result.returncode == 2
    assert "ising2d-65536 on 2 ranks has other data than a run on 1 ranks" in result.stderr
    page = json.loads(output.read_text(encoding="utf-8"))
    found = [(row["job"], row["ranks"]) for row in page["cases"]]
    assert found == [("ising2d-65536", 1), ("ea3d-64", 1), ("ea3d-64", 2)]
    assert len({row["data"] for row in page["cases"]}) == 1


def test_a_command_that_is_ended_leaves_the_runs_so_far(stand_in: Path, tmp_path: Path) -> None:
    """The launcher ends the command when it has to start the third job."""
    stand_in.write_text(
        stand_in.read_text(encoding="utf-8").replace(
            "with h5py", "import os, signal\nif '96' in sys.argv: os.kill(os.getppid(), signal.SIGKILL)\nwith h5py"
        ),
        encoding="utf-8",
    )
    output = tmp_path / "gpus.json"
    result = run_stand_in(stand_in, "--models", "ea3d-128,ea3d-96", "--runs", "1", "--output", str(output))
    assert result.returncode != 0
    page = json.loads(output.read_text(encoding="utf-8"))
    assert [(row["job"], row["ranks"]) for row in page["cases"]] == [("ea3d-128", 1), ("ea3d-128", 2)]


def test_a_limit_of_time_ends_the_rounds(stand_in: Path) -> None:
    result = run_stand_in(stand_in, "--models", "ea3d-64", "--runs", "50", "--limit", "0.01")
    assert result.returncode == 0
    assert "1 runs of each case" in result.stderr
    assert [len(row["runs"]) for row in json.loads(result.stdout)["cases"]] == [1, 1]


@pytest.mark.parametrize(
    "arguments, named",
    [
        (["--models", "potts"], "'potts'"),
        (["--ranks", "2,x"], "'2,x'"),
        (["--ranks", "0"], "'0'"),
        (["--scalings", "strange"], "'strange'"),
        (["--runs", "0"], "--runs 0"),
        (["--limit", "0"], "--limit 0"),
        (["--preset", "gpus", "--models", "ea3d-65"], "'ea3d-65'"),
        (["--set", "ea3d.L"], "'ea3d.L'"),
        (["--models", "ea3d", "--set", "ea3d.L=256", "--scalings", "weak"], "L = 320, above its largest, 256"),
        (["--output", "nowhere/scaling.json"], "nowhere/scaling.json"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments: list[str], named: str) -> None:
    result = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and named in result.stderr


def test_ranks_and_shards_are_timed_under_mpirun() -> None:
    engine = BUILD / "bin" / "psflip"
    if not engine.exists() or shutil.which("mpirun") is None:
        pytest.skip("psflip or mpirun is not there")
    if "MPI: no" in subprocess.run([engine, "--version"], capture_output=True, text=True, check=True).stdout:
        pytest.skip("psflip is built without MPI")
    changes = [word for change in SHORT for word in ("--set", change)]
    command = [SCRIPT, "--runs", "1", "--models", "ea3d,rfim3d", "--psflip", engine, *changes]
    command += ["--mpirun", "mpirun --oversubscribe --bind-to none"]
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    # as in mpirun.hpp: a job of another test that ends would remove the usual folder
    with tempfile.TemporaryDirectory(prefix="mpi-") as sessions:
        environment["OMPI_MCA_orte_tmpdir_base"] = sessions
        result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    found = [(row["model"], row["scaling"], row["ranks"]) for row in json.loads(result.stdout)["cases"]]
    expected = [("strong", 1), ("strong", 2), ("weak", 2), ("shards", 2)]
    assert found == [(model, *case) for model in ("ea3d", "rfim3d") for case in expected]
