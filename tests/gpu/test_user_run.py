"""user_run.py on a small job of the CPU: what it reports of the program, and failures in one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("user_run.py")
PSFLIP = Path(os.environ.get("PSFLIP_BUILD", SCRIPT.parents[2] / "build")) / "bin" / "psflip"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    small = ("--backend", "cpu", "--L", "4", "--samples", "64", "--runs", "1")
    command = [sys.executable, str(SCRIPT), *small, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_times_of_the_whole_process_and_of_its_updates() -> None:
    done = run("--psflip", str(PSFLIP), "--sweeps", "2000", "--replicas", "2,3", "--T", "1.1", "0.9,1.2")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["version"][0].startswith("psflip")
    cases = result["cases"]
    jobs = [("1.1", 2), ("1.1", 3), ("0.9,1.2", 2), ("0.9,1.2", 3)]
    assert all(f"--T {T} " in c["command"] and f"--replicas {n} " in c["command"] for (T, n), c in zip(jobs, cases))
    assert len(cases) == len(jobs)
    for case in cases:
        assert 0 < case["updates"] < case["wall"] and 0 < case["start_and_end"] and 0 <= case["measuring"]
        assert case["updates_of_wall"] == pytest.approx(case["updates"] / case["wall"], abs=1e-3)


def test_what_the_program_refuses_it_says_itself() -> None:
    done = run("--psflip", str(PSFLIP), "--sweeps", "0")
    assert done.returncode != 0 and done.stderr.startswith("psflip: ") and done.stderr.count("\n") == 1


def test_a_program_that_is_not_there_is_named() -> None:
    done = run("--psflip", "no/such/psflip")
    assert done.returncode != 0 and "--psflip no/such/psflip" in done.stderr and done.stderr.count("\n") == 1
