"""Results of version 0.1 continue without a new simulation: Snakemake finds the jobs that it recorded then."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import Workspace, make_workspace
from workflows.study.identity import analysis_fingerprint

RECORDED = json.loads((Path(__file__).parent / "0.1.1" / "smoke_jobs.json").read_text())
ANALYSIS_OF_0_1_1 = "054512cb0ecc"
SIMULATIONS = {"simulate", "temper", "adapt"}


def record(job: dict[str, Any]) -> dict[str, Any]:
    """What Snakemake 9 keeps of a finished job, as far as it compares it."""
    same = {"log": [], "shellcmd": "", "conda_env": None, "container_img_url": None, "external_jobid": None}
    same |= {"record_format_version": 6, "starttime": 0.0, "endtime": 0.0, "incomplete": False, "input_checksums": {}}
    return same | {key: job[key] for key in ("rule", "input", "params")} | {"code": RECORDED["code"][job["rule"]]}


@pytest.fixture
def results_of_0_1(tmp_path: Path) -> Workspace:
    """A workspace with the simulations and sums of the smoke study of 0.1.1, all files empty."""
    workspace = make_workspace(tmp_path / "psflip")
    metadata = workspace.folder / ".snakemake" / "metadata"
    metadata.mkdir(parents=True)
    order = ["adapt", "simulate", "temper", "reduce"]
    for job in sorted(RECORDED["jobs"], key=lambda job: order.index(job["rule"])):
        output = workspace.folder / job["output"]
        output.parent.mkdir(parents=True, exist_ok=True)
        output.touch()
        time = 1.7e9 + order.index(job["rule"])
        os.utime(output, (time, time))
        (metadata / base64.b64encode(job["output"].encode()).decode()).write_text(json.dumps(record(job)))
    return workspace


def planned(workspace: Workspace) -> list[tuple[str, str]]:
    return [(job.rule, job.output) for job in workspace.jobs("smoke", "--dry-run")]


def test_results_of_0_1_are_planned_without_a_simulation(results_of_0_1: Workspace) -> None:
    rules = {rule for rule, _ in planned(results_of_0_1)}
    assert "report" in rules and not rules & SIMULATIONS


def test_more_samples_of_a_study_of_0_1_simulate_the_new_shards_alone(results_of_0_1: Workspace) -> None:
    study = results_of_0_1.study()
    study["parts"][1]["samples"] = 192
    study["parts"][2]["samples"] = 384
    results_of_0_1.write_study(study)
    new = [(rule, Path(output).name) for rule, output in planned(results_of_0_1) if rule in SIMULATIONS]
    assert sorted(new) == [("simulate", "128_64.h5")] * 2 + [("temper", "256_128.h5")] * 2


def test_sums_of_0_1_stay_while_the_sources_of_the_analysis_do(results_of_0_1: Workspace) -> None:
    """The recorded hash of these sources is set to the present one; all else is as 0.1.1 wrote it."""
    present = analysis_fingerprint("reduce", root=results_of_0_1.folder)
    for path in (results_of_0_1.folder / ".snakemake" / "metadata").iterdir():
        path.write_text(path.read_text().replace(ANALYSIS_OF_0_1_1, present))
    assert "reduce" not in {rule for rule, _ in planned(results_of_0_1)}


def test_the_recorded_jobs_are_those_of_the_present_rules_word_for_word(results_of_0_1: Workspace) -> None:
    rules = results_of_0_1.folder / "workflows" / "rules"
    text = "".join((rules / f"{name}.smk").read_text() for name in ("simulate", "temper", "reduce"))
    shells = {name: "".join(re.findall(r'^        "(.*)"$', block, re.M)) for name, block in blocks(text)}
    assert shells == {rule: code.replace("\n", "") for rule, code in RECORDED["code"].items()}


def blocks(text: str) -> list[tuple[str, str]]:
    """Each rule with the lines of its shell command."""
    return [(body.split(":")[0], body.split("    shell:\n")[1]) for body in re.split(r"^rule ", text, flags=re.M)[1:]]
