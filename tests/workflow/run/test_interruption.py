"""A run that is stopped or killed in the middle, and run again, ends with the same tables as one that is left alone."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import h5py
import pytest

from conftest import Workspace, make_workspace

LONG = {
    "name": "long",
    "title": "A study with a shard of several seconds",
    "seed": 3,
    "parts": [
        {
            "name": "relaxation",
            "model": "ea3d",
            "L": [10],
            "T": [1.1],
            "samples": 64,
            "shard_samples": 32,
            "sweeps": 65536,
            "fit": {"from": 16, "to": 4096},
        }
    ],
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The tables of the study when nothing happens to it."""
    workspace = make_workspace(tmp_path_factory.mktemp("undisturbed") / "psflip")
    workspace.write_study(LONG)
    workspace.run("long")
    return workspace.tables("long")


TEMPERED = {
    "name": "long",
    "title": "A study by exchange Monte Carlo with a shard of several seconds",
    "seed": 3,
    "parts": [
        {
            "name": "field",
            "model": "rfim3d",
            "L": [8],
            "h": 1,
            "T": {"from": 3.6, "to": 4.6},
            "adapt": {"method": "equal-rates", "slots": 4, "trials": 1, "insertions": 1, "samples": 8, "sweeps": 40},
            "samples": 64,
            "shard_samples": 32,
            "sweeps": 20000,
        }
    ],
}


def start_and_wait(workspace: Workspace, rule: str = "simulate") -> subprocess.Popen[str]:
    """Starts the study and returns when simulations are under way."""
    process = workspace.start("long")
    deadline = time.monotonic() + 60
    while not list((workspace.results("long") / "logs" / rule).rglob("*.log")):
        assert time.monotonic() < deadline and process.poll() is None, "no simulation was started"
        time.sleep(0.05)
    time.sleep(0.7)
    return process


def measurements(path: Path) -> dict[str, bytes]:
    """All numbers in a measurement file."""
    with h5py.File(path) as file:
        return {name: file[name][...].tobytes() for name in file}


def running_engines(folder: Path) -> list[int]:
    """Processes of this workspace's engine."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(folder) in os.readlink(entry / "exe"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def wait_for_end(folder: Path) -> None:
    deadline = time.monotonic() + 120
    while running_engines(folder) and time.monotonic() < deadline:
        time.sleep(0.1)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda s: s.name)
@pytest.mark.slow
def test_an_interrupted_study_ends_with_the_same_tables(
    stop: signal.Signals, tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    workspace = make_workspace(tmp_path / "psflip")
    workspace.write_study(LONG)
    process = start_and_wait(workspace)
    os.killpg(process.pid, stop)
    process.communicate()
    assert process.returncode != 0
    assert not list((workspace.results("long") / "shards").rglob("*.h5")), (
        "the test came too late to interrupt anything"
    )
    if stop != signal.SIGKILL:
        wait_for_end(workspace.folder)
        checkpoints = list((workspace.results("long") / "shards").rglob("*.checkpoint"))
        assert checkpoints, "a stopped job leaves a checkpoint"
    for job in running_engines(workspace.folder):
        os.kill(job, signal.SIGKILL)
    workspace.run("long")
    assert workspace.tables("long") == undisturbed
    assert not list((workspace.results("long") / "shards").rglob("*.checkpoint*"))


@pytest.mark.slow
def test_exchange_monte_carlo_that_was_killed_in_the_middle_ends_with_the_same_files(tmp_path: Path) -> None:
    files = []
    for killed in (False, True):
        workspace = make_workspace(tmp_path / f"killed_{killed}" / "psflip")
        workspace.write_study(TEMPERED)
        shards = workspace.results("long") / "shards"
        if killed:
            process = start_and_wait(workspace, "temper")
            os.killpg(process.pid, signal.SIGTERM)  # the jobs leave checkpoints
            process.communicate()
            wait_for_end(workspace.folder)
            assert list(shards.rglob("*.checkpoint")) and not list(shards.rglob("*.h5"))
            process = start_and_wait(workspace, "temper")
            os.killpg(process.pid, signal.SIGKILL)  # and leave nothing more
            process.communicate()
            for job in running_engines(workspace.folder):
                os.kill(job, signal.SIGKILL)
            assert not list(shards.rglob("*.h5")), "the test came too late to interrupt anything"
        workspace.run("long")
        assert not list(shards.rglob("*.checkpoint"))
        files.append({str(path.relative_to(shards)): measurements(path) for path in sorted(shards.rglob("*.h5"))})
    assert len(files[0]) == 2 and files[0] == files[1]


@pytest.mark.slow
def test_a_study_goes_on_after_snakemake_alone_was_killed(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    workspace = make_workspace(tmp_path / "psflip")
    workspace.write_study(LONG)
    process = start_and_wait(workspace)
    process.kill()
    process.communicate()
    wait_for_end(workspace.folder)
    workspace.run("long")
    assert workspace.tables("long") == undisturbed


@pytest.mark.slow
def test_a_job_whose_time_is_up_goes_on_when_it_is_run_again(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    workspace = make_workspace(tmp_path / "psflip")
    workspace.write_study(LONG)
    limited = ["--set-resources", "simulate:runtime=0"]
    first = workspace.start("long", *limited)
    output, _ = first.communicate()
    assert first.returncode != 0 and "75" in output
    assert list((workspace.results("long") / "shards").rglob("*.checkpoint"))
    workspace.run("long")
    assert workspace.tables("long") == undisturbed


@pytest.mark.slow
def test_a_job_whose_time_is_up_is_submitted_again_by_snakemake_and_finishes(
    tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    workspace = make_workspace(tmp_path / "psflip")
    workspace.write_study(LONG)
    # No time at all in the first two attempts of each shard, ten minutes in the third.
    output = workspace.run("long", "--retries", "2", "--set-resources", "simulate:runtime=10*(attempt>2)")
    assert len(re.findall("Trying to restart job", output)) == 4, "two shards, two restarts each"
    assert workspace.tables("long") == undisturbed


def outputs(workspace: Workspace) -> int:
    return sum(1 for path in workspace.results().rglob("*") if path.suffix in {".h5", ".csv", ".svg"})


@pytest.mark.slow
def test_a_study_killed_again_and_again_ends_with_the_same_tables(finished: Workspace, tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path / "again" / "psflip")
    moments = random.Random(20240701)
    kills = 0
    while True:
        process = workspace.start()
        # Each run makes a few files more, however fast the machine is, and is killed at any moment after that.
        wanted = outputs(workspace) + moments.randint(1, 8)
        while process.poll() is None and outputs(workspace) < wanted:
            time.sleep(0.02)
        time.sleep(moments.uniform(0, 0.5))
        if process.poll() is not None:
            break
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        kills += 1
    output, _ = process.communicate()
    assert process.returncode == 0, output
    assert kills >= 3, "the study was too fast to be killed"
    assert workspace.tables() == finished.tables()
    assert not list(workspace.results().rglob("*.checkpoint*"))
