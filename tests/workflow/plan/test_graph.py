"""The graph of rules itself: it is clean, every study of config/ can be planned, and every rule says what it needs."""

from __future__ import annotations

import re

import pytest
import yaml

from conftest import ROOT, Workspace
from preloaded import run_snakemake
from workflows.study.study import Study

STUDIES = sorted(path.stem for path in (ROOT / "config").glob("*.yaml"))
BENCHMARKS = [
    name for name in STUDIES if "benchmarks" in yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text())
]
LABORATORY = ["seeds"]
SIMULATIONS = [name for name in STUDIES if name not in BENCHMARKS + LABORATORY]


@pytest.mark.parametrize("name", ["smoke", "benchmark", "seeds"])
def test_the_workflow_passes_the_linter_of_snakemake(name: str) -> None:
    code, output = run_snakemake(ROOT, "--lint", "--configfile", f"config/{name}.yaml")
    assert code == 0, output


@pytest.mark.parametrize("name", SIMULATIONS)
def test_every_study_can_be_planned(name: str, workspace: Workspace) -> None:
    study = Study.read(ROOT / "config" / f"{name}.yaml")
    output = workspace.run(name, "--dry-run", "--quiet", "rules")
    counts = dict(re.findall(r"^(\w+) +(\d+)$", output, re.M))
    shards = {
        study.shard(run, *s)
        for part in study.parts.values()
        for (L, _), run in part.runs.items()
        for s in part.shards(L)
    }
    assert int(counts.get("simulate", 0)) + int(counts.get("temper", 0)) == len(shards)
    assert int(counts.get("adapt", 0)) == len(study.grids)
    # Snakemake plans about 2,000 jobs a second; beyond this a study would take longer to plan than to look at.
    assert int(counts["total"]) < 20_000


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_study_can_be_planned(name: str, workspace: Workspace) -> None:
    output = workspace.run(name, "--dry-run", "--quiet", "rules")
    counts = dict(re.findall(r"^(\w+) +(\d+)$", output, re.M))
    assert counts == {"benchmark_tables": "1", "plot_benchmark": "1", "benchmark_report": "1", "all": "1", "total": "4"}


@pytest.mark.parametrize("name", STUDIES)
def test_every_key_of_every_study_has_a_comment(name: str) -> None:
    lines = (ROOT / "config" / f"{name}.yaml").read_text().splitlines()
    explained = {line.split("#")[0].strip(" -").split(":")[0] for line in lines if re.search(r"\w: .*#|\w:  *#", line)}
    # A line that is too long for a comment of its own has it on the line above.
    pairs = zip(lines, lines[1:])
    explained |= {line.strip(" -").split(":")[0] for above, line in pairs if above.strip().startswith("#")}
    used = {line.strip(" -").split(":")[0] for line in lines if re.match(r"^[ -]*\w+:", line)}
    assert used <= explained, f"no comment on {sorted(used - explained)}"


def test_every_rule_has_log_benchmark_threads_and_resources() -> None:
    for path in sorted((ROOT / "workflows" / "rules").glob("*.smk")):
        for rule in re.split(r"^rule ", path.read_text(), flags=re.M)[1:]:
            for directive in ("output:", "log:", "benchmark:", "threads:", "resources:", "conda:"):
                assert directive in rule, f"{path.name}, rule {rule.split(':')[0]} lacks {directive}"


def test_the_conda_file_has_the_packages_and_versions_of_the_lock_file() -> None:
    folder = ROOT / "workflows" / "environment"
    locked = re.findall(r"^([a-z0-9-]+)==([0-9.]+)", (folder / "requirements.lock").read_text(), re.M)
    named = {name.lower() for name in re.findall(r"^[A-Za-z0-9-]+", (folder / "requirements.in").read_text(), re.M)}
    pinned = dict(re.findall(r"^  - ([a-z0-9-]+)=([0-9.]+)", (folder / "conda.yaml").read_text(), re.M))
    pinned["matplotlib"] = pinned.pop("matplotlib-base")
    assert pinned.pop("python") == "3.12"
    assert named == set(pinned)
    assert not set(pinned.items()) - set(locked)


def test_the_conda_file_has_the_libraries_of_the_debian_packages() -> None:
    """Of names that differ, what they share."""
    conda = (ROOT / "workflows" / "environment" / "conda.yaml").read_text()
    debian = (ROOT / "workflows" / "environment" / "packages.txt").read_text()
    names = "boost cli11 cmake eigen fmt git gtest hdf5 ninja nlohmann openmpi zlib".split()
    assert not [name for name in names if name not in debian or name not in conda]
    others = [line for line in debian.splitlines() if not any(name in line for name in ("#", *names))]
    assert others == ["build-essential", "python3", "python3-venv"]
    assert "cxx-compiler" in conda


def test_the_snakefile_is_a_table_of_contents() -> None:
    assert len((ROOT / "Snakefile").read_text().splitlines()) <= 40
