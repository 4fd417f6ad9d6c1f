"""user_run.py on a small job of the CPU: its parts add up to the wall time, and a failure is one sentence."""

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


def test_parts_add_up_to_the_wall_time() -> None:
    done = run("--psflip", str(PSFLIP), "--sweeps", "2000", "--replicas", "2,3")
    assert done.returncode == 0, done.stderr
    cases = json.loads(done.stdout)["cases"]
    assert ["--replicas 2" in cases[0]["command"], "--replicas 3" in cases[1]["command"]] == [True, True]
    for case in cases:
        parts = case["updates"] + case["measuring"] + case["start_and_end"] + case["files"]
        assert parts == pytest.approx(case["wall"], abs=1e-3)
        assert 0 < case["updates"] < case["wall"]
        assert case["updates_of_wall"] == pytest.approx(case["updates"] / case["wall"], abs=1e-3)


def test_a_program_that_fails_is_named_in_one_sentence() -> None:
    done = run("--psflip", str(PSFLIP), "--sweeps", "0")
    assert done.returncode == 2
    assert "psflip" in done.stderr and done.stderr.count("\n") == 1
