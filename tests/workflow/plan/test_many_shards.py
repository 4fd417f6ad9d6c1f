"""Studies of very many shards: the jobs that they are planned into, the files that they leave, the profile of a cluster."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import yaml

from conftest import ROOT, Workspace
from workflows.study.study import SHARDS_PER_REDUCTION, Study


def many(name: str, shards: int) -> dict[str, Any]:
    part = {"name": "relaxation", "model": "ea3d", "L": [4], "T": [1.1], "sweeps": 64, "fit": {"from": 8, "to": 64}}
    part |= {"samples": 32 * shards, "shard_samples": 32}
    return {"name": name, "title": "Many shards", "seed": 5, "parts": [part]}


def test_a_study_of_20000_shards_has_few_jobs_besides_them() -> None:
    study = Study(many("many", 20_000))
    part = study.parts["relaxation"]
    reduced = study.reduced(part, 4, 1.1)
    assert len(part.shards(4)) == 20_000 and len(reduced) == 20_000 / SHARDS_PER_REDUCTION
    # The command line of `combine` lists them all; Linux allows an argument 128 KiB.
    assert len(" ".join(reduced)) < 100_000


def test_a_study_that_has_grown_keeps_the_sums_that_it_had() -> None:
    young, grown = many("many", 40), many("many", 120)
    grown["parts"][0]["grown_from"] = 40 * 32
    before, after = (Study(content) for content in (young, grown))
    sums = [study.reduced(study.parts["relaxation"], 4, 1.1) for study in (before, after)]
    assert set(sums[0]) < set(sums[1])
    groups = after.parts["relaxation"].reductions(4)
    assert [shards for _, shards, _ in groups] == [32, 8, 32, 32, 16]
    assert [first for first, _, _ in groups] == [32 * shard for shard in (0, 32, 40, 72, 104)]
    grown["parts"][0].pop("grown_from")
    unaware = Study(grown)
    assert not set(sums[0]) <= set(unaware.reduced(unaware.parts["relaxation"], 4, 1.1)), "the sum of 8 shards would go"


@pytest.mark.slow
def test_a_finished_study_has_less_than_three_files_for_each_of_its_shards(workspace: Workspace) -> None:
    shards = 160
    workspace.write_study(many("many", shards))
    workspace.run("many")
    kept = [workspace.results("many"), workspace.folder / ".snakemake" / "metadata"]
    files = [path for folder in kept for path in folder.rglob("*") if path.is_file()]
    assert len(files) < 3 * shards
    logs = workspace.results("many") / "logs" / "simulate"
    gathered = "".join(path.read_text() for path in logs.rglob("*.log"))
    assert len(list(logs.rglob("*.log"))) == shards / SHARDS_PER_REDUCTION
    assert gathered.count("==> ") == shards and gathered.count("done: ") == shards
    tables = (workspace.results("many") / "benchmarks" / "simulate").rglob("*.tsv")
    assert sum(len(path.read_text().splitlines()) - 1 for path in tables) == shards
    assert "Nothing to be done" in workspace.run("many")


def test_every_rule_of_a_study_has_its_place_in_the_profile_of_a_cluster() -> None:
    profile = yaml.safe_load((ROOT / "workflows" / "profiles" / "slurm" / "config.yaml").read_text())
    text = "".join(
        path.read_text() for path in (ROOT / "workflows" / "rules").glob("*.smk") if path.stem != "benchmark"
    )
    rules = set(re.findall(r"^rule (\w+):", text, re.M))
    grouped = {entry.split("=")[0] for entry in profile["groups"]}
    alone = {"simulate", "temper", "adapt", "measure"}
    assert grouped | alone == rules and not grouped & alone
    assert {name for name, resources in profile["set-resources"].items() if resources.get("in_turn")} == grouped


def test_a_study_can_be_planned_on_a_cluster(workspace: Workspace) -> None:
    command = [sys.executable, "-m", "snakemake", "--configfile", "config/smoke.yaml", "--dry-run", "--nolock"]
    command += ["--profile", "workflows/profiles/slurm"]
    result = subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"^simulate +10$", result.stdout, re.M)
