"""Small copies of the published studies in equilibrium: interrupted, continued and extended by samples, only what is new runs;
a run that is too short is shown as not in equilibrium and quoted nowhere."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from conftest import Workspace, study_of

SIMULATIONS = {"temper", "simulate", "adapt"}
SAMPLES, SHARD = 768, 256


def small_copy(study: dict[str, Any]) -> dict[str, Any]:
    """The study file with few sizes, short runs and few samples, in shards of 256."""

    (part,) = study["parts"]
    part["L"] = part["L"][: 3 if "p" in part else 2]
    short = {"samples": SAMPLES, "shard_samples": SHARD, "sweeps": 320, "measure_interval": 10, "block_samples": 32}
    part |= {key: value for key, value in short.items() if key in part}
    if "p" in part:
        part |= {"p": part["p"][:3], "T": part["T"][:3]}
    if "adapt" in part:
        part["adapt"] |= {"slots": 4, "trials": 1, "insertions": 1, "sweeps": 160}
    if "link_overlap_slots" in part:
        part["link_overlap_slots"] = [0, 2]
    return study


def shards(workspace: Workspace, name: str) -> dict[Path, int]:
    """The measurement files with the times at which they were written."""
    return {path: path.stat().st_mtime_ns for path in (workspace.results(name) / "shards").rglob("*.h5")}


def kill_after_the_first_shards(workspace: Workspace, name: str) -> dict[Path, int]:
    process = workspace.start(name, "--until", "tabulate")
    deadline = time.monotonic() + 120
    while not shards(workspace, name):
        assert time.monotonic() < deadline and process.poll() is None, process.communicate()[0]
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate()
    assert process.returncode != 0, "the study was too fast to be interrupted"
    return shards(workspace, name)


@pytest.mark.parametrize("name", ["ea3d_equilibrium", "nishimori", "ising3d", "ising2d_tempering"])
@pytest.mark.slow
def test_an_interrupted_study_goes_on_and_more_samples_add_their_shards_alone(name: str, workspace: Workspace) -> None:
    study = small_copy(workspace.study(name))
    workspace.write_study(study)
    before = kill_after_the_first_shards(workspace, name)
    workspace.run(name, "--until", "tabulate")
    after = shards(workspace, name)
    assert before.items() <= after.items(), "what was there was not written again"
    (part,) = study["parts"]
    assert len(after) == len(part["L"]) * len(part.get("p", [0])) * SAMPLES // SHARD > len(before)
    assert not workspace.rules(name, "--until", "tabulate", "--dry-run")

    part["samples"] = SAMPLES + SHARD
    workspace.write_study(study)
    planned = [job for job in workspace.jobs(name, "--dry-run") if job.rule in SIMULATIONS]
    assert {Path(job.output).name for job in planned} == {f"{SAMPLES}_{SHARD}.h5"}
    assert len(planned) == len(after) * SHARD // SAMPLES


# A tenth of the sweeps of config/ea3d_equilibrium_small.yaml, from a random start; the small size alone at full length.
TEMPERATURES = [0.9, 1.0, 1.1019, 1.2, 1.3, 1.45, 1.65]
CUT = study_of(
    "Cut",
    {"name": "full", "L": [4, 6], "samples": 1024, "shard_samples": 512, "sweeps": 6400, "measure_interval": 20},
    {"name": "cut", "L": [8, 10], "samples": 4096, "shard_samples": 2048, "sweeps": 2560, "measure_interval": 20},
    model="ea3d",
    method="tempering",
    T=TEMPERATURES,
)


@pytest.mark.slow
def test_a_run_cut_to_a_tenth_is_shown_as_not_in_equilibrium_and_quoted_nowhere(workspace: Workspace) -> None:
    workspace.write_study(CUT)
    workspace.run("cut")
    results = workspace.results("cut")
    verdicts = pd.read_csv(results / "tables" / "verdicts.csv").set_index(["part", "L"])["passed_even"]
    assert verdicts.to_dict() == {("full", 4): 7, ("full", 6): 7, ("cut", 8): 0, ("cut", 10): 0}
    numbers = {
        number["name"].split("tempering: ")[1]: number for number in json.loads((results / "summary.json").read_text())
    }
    for name, number in numbers.items():
        sizes = re.search(r"L = (\d+(?:, \d+)*)", name)
        short = sizes is not None and not {"8", "10"}.isdisjoint(sizes[1].split(", "))
        assert (number["verdict"] == "not in equilibrium") == short, name
        assert not short or number["p"] is None, "it is no comparison"
    assert "χ² probability of 4 known values" in numbers, "those of the full runs alone"
    report = (results / "report.html").read_text()
    assert "5 of 5 comparisons with exact or published values agree" in report
    for figure in ("specific_heat", "sample_times", "equilibration"):
        assert (results / "plots" / f"ea3d_tempering_{figure}.svg").exists(), "what is not in equilibrium is shown"
    overlaps = pd.read_csv(results / "tables" / "cut" / "overlaps_L8.csv")
    assert not overlaps["equilibrated"].any()
