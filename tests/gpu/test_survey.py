"""survey.py on small jobs of the CPU: a row for each size and field, and failures in one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("survey.py")
PSFLIP = Path(os.environ.get("PSFLIP_BUILD", SCRIPT.parents[2] / "build")) / "bin" / "psflip"


def run(*arguments: str, psflip: Path = PSFLIP) -> subprocess.CompletedProcess[str]:
    small = ("--psflip", str(psflip), "--backend", "cpu", "--samples", "32", "--seconds", "0.02")
    return subprocess.run(
        [sys.executable, str(SCRIPT), *small, *arguments], capture_output=True, text=True, check=False
    )


def test_each_size_and_field_has_a_row() -> None:
    done = run("--model", "rfim3d", "--method", "tempering", "--L", "4,6", "--h", "0,0.5")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["version"][0].startswith("psflip")
    assert [(row["L"], row["h"]) for row in result["jobs"]] == [(4, 0), (4, 0.5), (6, 0), (6, 0.5)]
    assert done.stderr.count("ps/flip") == 4
    for row in result["jobs"]:
        flips = row["sweeps"] * row["L"] ** 3 * 32 * 2 * 24
        assert row["sweeps"] % 10 == 0 and 1e12 * row["seconds"] / flips == pytest.approx(row["ps_per_flip"], rel=0.01)


def test_a_model_without_field_takes_none() -> None:
    done = run("--model", "ising2d", "--method", "equilibrium", "--L", "8")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["jobs"]
    assert row["h"] is None and row["sweeps"] % 500 == 0


def test_failures_are_one_sentence() -> None:
    refused = run("--model", "rfim3d", "--method", "tempering", "--L", "5", "--h", "1")
    assert refused.returncode != 0 and refused.stderr.startswith("psflip: ") and refused.stderr.count("\n") == 1
    missing = run("--model", "rfim3d", "--method", "tempering", "--L", "4", "--h", "1", psflip=Path("no/such"))
    assert missing.returncode != 0 and "--psflip no/such" in missing.stderr and missing.stderr.count("\n") == 1
