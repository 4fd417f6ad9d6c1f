"""Copies of the workflow in temporary folders, in which tests run studies without touching the user's results."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from in_browser import BrowserMissing, chromium
from preloaded import run_snakemake

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PSFLIP_BUILD", ROOT / "build"))
PROGRAMS = ("psflip", "psflip-analysis")

sys.path.insert(0, str(ROOT))
# The rules call `python`; it must be the one that runs the tests.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def study_of(title: str, *parts: dict[str, Any], seed: int = 1, **common: Any) -> dict[str, Any]:
    """A study of small parts; `common`: keys of all parts that do not have them."""
    common = {"shard_samples": 64} | common
    return {
        "name": title.lower().replace(" ", "_"),
        "title": title,
        "seed": seed,
        "parts": [common | part for part in parts],
    }


@dataclass(frozen=True)
class Job:
    """One job that Snakemake started."""

    rule: str
    output: str


@dataclass
class Workspace:
    """A folder that looks like the repository to the workflow."""

    folder: Path

    def study(self, name: str = "smoke") -> dict[str, Any]:
        return yaml.safe_load((self.folder / "config" / f"{name}.yaml").read_text())

    def write_study(self, content: dict[str, Any]) -> None:
        (self.folder / "config" / f"{content['name']}.yaml").write_text(yaml.safe_dump(content, sort_keys=False))

    def command(self, name: str = "smoke", *options: str) -> list[str]:
        study = ["--configfile", f"config/{name}.yaml", "--profile", "workflows/profiles/local", "--cores", "2"]
        return [sys.executable, "-m", "snakemake", *study, "--nolock", "--quiet", "host", *options]

    def start(self, name: str = "smoke", *options: str) -> subprocess.Popen[str]:
        """A run in a process group of its own."""
        return subprocess.Popen(
            self.command(name, *options),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, name: str = "smoke", *options: str) -> str:
        """Runs a study to its end and returns what Snakemake said."""
        _, _, _, *arguments = self.command(name, *options)
        code, output = run_snakemake(self.folder, *arguments)
        assert code == 0, output
        return output

    def jobs(self, name: str = "smoke", *options: str) -> list[Job]:
        """The jobs that a run of the study executes, without the collecting rule `all`."""
        found = re.findall(
            r"^(?:local)?rule (\w+):\n(?:    .*\n)*?    output: ([^,\n]+)", self.run(name, *options), re.M
        )
        return [Job(rule, output) for rule, output in found]

    def rules(self, name: str = "smoke", *options: str) -> set[str]:
        return {job.rule for job in self.jobs(name, *options)}

    def results(self, name: str = "smoke") -> Path:
        return self.folder / "results" / name

    def tables(self, name: str = "smoke") -> dict[str, str]:
        """The tables of a study except those that tell when and where it ran."""
        folder = self.results(name) / "tables"
        paths = [path for path in sorted(folder.rglob("*.csv")) if path.stem != "provenance"]
        return {str(path.relative_to(folder)): path.read_text() for path in paths}


def copy_folder(source: Path, target: Path) -> None:
    """With the times of its files. shutil.copytree takes five times the processor time."""
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", source, target], check=True)


def copy_sources(folder: Path) -> None:
    """What the workflow reads, without programs."""
    for room in ("workflows", "config", "analysis", *(f"results/published/{name}" for name in ("benchmark", "rfim3d"))):
        copy_folder(ROOT / room, folder / room)
    for file in ("Snakefile", "CITATION.cff", "engine/core/version.hpp", "engine/models/presets.def"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, folder / file)


def make_workspace(folder: Path) -> Workspace:
    """A workspace with the present sources and programs."""
    missing = [program for program in PROGRAMS if not (BUILD / "bin" / program).exists()]
    if missing:
        pytest.skip(f"{', '.join(missing)} not built in {BUILD.name}/bin")
    copy_sources(folder)
    (folder / "build" / "bin").mkdir(parents=True)
    for program in PROGRAMS:
        shutil.copy2(BUILD / "bin" / program, folder / "build" / "bin" / program)
    return Workspace(folder)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path / "psflip")


@pytest.fixture(scope="session")
def finished_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which the smoke study has run: the one that ctest prepared, or a fresh one under plain pytest."""
    prepared = BUILD / "tests" / "workflow" / "finished"
    if "PSFLIP_BUILD" in os.environ and prepared.exists():
        return prepared
    made = make_workspace(tmp_path_factory.mktemp("finished") / "psflip")
    made.run()
    return made.folder


@pytest.fixture
def finished(finished_folder: Path, tmp_path: Path) -> Workspace:
    """A private copy of the finished study, with its times, because the workflow looks at them."""
    copy_folder(finished_folder, tmp_path / "psflip")
    return Workspace(tmp_path / "psflip")


@pytest.fixture
def browser() -> Iterator[Any]:
    try:
        with chromium(BUILD) as opened:
            yield opened
    except BrowserMissing as reason:
        pytest.skip(str(reason))
