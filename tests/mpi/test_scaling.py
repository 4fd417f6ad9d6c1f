"""The script that times scaling: its jobs, its arithmetic, and a run of a second."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import scaling

BUILD = Path(os.environ.get("PSFLIP_BUILD", scaling.ROOT / "build"))
SCRIPT = scaling.ROOT / "tests" / "mpi" / "scaling"
SHORT = ["ea3d.L=8", "ea3d.sweeps=8", "rfim3d.L=4", "rfim3d.sweeps=20", "rfim3d.slots=4", "rfim3d.samples=64"]


def test_jobs_grow_with_the_ranks_by_flips() -> None:
    for model, options in scaling.JOBS.items():
        for ranks in (2, 3, 4, 8):
            growth = scaling.flips(model, scaling.grown(model, options, ranks)) / scaling.flips(model, options)
            assert growth == pytest.approx(ranks, rel=0.05), (model, ranks)


def test_grown_lattices_have_the_same_packing() -> None:
    for ranks in range(1, 17):
        assert scaling.grown("ising2d", scaling.JOBS["ising2d"], ranks)["L"] % 64 == 0
        assert scaling.grown("ea3d", scaling.JOBS["ea3d"], ranks)["L"] % 2 == 0
    assert [scaling.grown("ea3d", {"L": 160}, ranks)["L"] for ranks in (1, 2, 3, 4)] == [160, 208, 224, 256]


def test_samples_grow_with_the_ranks_and_nothing_else_does() -> None:
    one, two, four = scaling.cases({"ea3d": scaling.JOBS["ea3d"]}, [1, 2, 4], ["samples"])
    assert [case.flips for case in (two, four)] == [2 * one.flips, 4 * one.flips]
    assert dict(four.options) == dict(one.options) | {"samples": 4 * scaling.JOBS["ea3d"]["samples"]}


def test_the_efficiency_is_that_of_the_flips_of_one_rank() -> None:
    rows = [
        {"model": "ea3d", "ranks": 1, "ps_per_flip": 12.0},
        {"model": "ea3d", "ranks": 4, "ps_per_flip": 4.0},
        {"model": "rfim3d", "ranks": 2, "ps_per_flip": 30.0},
    ]
    assert [row.get("efficiency") for row in scaling.with_efficiencies(rows)] == [1.0, 0.75, None]


@pytest.mark.parametrize(
    "arguments, named",
    [
        (["--models", "potts"], "'potts'"),
        (["--ranks", "2,x"], "'2,x'"),
        (["--ranks", "0"], "'0'"),
        (["--scalings", "strange"], "'strange'"),
        (["--runs", "0"], "--runs 0"),
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
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    found = [(row["model"], row["scaling"], row["ranks"]) for row in json.loads(result.stdout)["cases"]]
    expected = [("strong", 1), ("strong", 2), ("weak", 2), ("shards", 2)]
    assert found == [(model, *case) for model in ("ea3d", "rfim3d") for case in expected]
