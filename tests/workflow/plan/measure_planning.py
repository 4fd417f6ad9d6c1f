"""Seconds that planning a study of many shards takes, and running it again when nothing is left to do.

python tests/workflow/plan/measure_planning.py [--shards 20000] [--folder NEW_FOLDER]

No test: times are of one machine at one moment. The study is made up of empty files, which Snakemake records as finished;
neither planning nor a run without jobs reads them. CPU time is that of all processes."""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "workflow"))

from conftest import Workspace, copy_sources  # noqa: E402

STUDY = "config/many.yaml"
OPTIONS = ["--configfile", STUDY, "--profile", "workflows/profiles/local", "--cores", "all", "--nolock"]
SNAKEMAKE = [sys.executable, "-m", "snakemake", *OPTIONS]
# The executor that only records jobs as done sleeps 0.1 s in each.
RECORD = (
    "from snakemake.executors.touch import Executor; from snakemake.cli import main; Executor.SLEEPING_TIME = 0; main()"
)


def many(shards: int) -> dict[str, Any]:
    """Four sizes at five temperatures, with equal numbers of shards."""
    part = {"name": "relaxation", "model": "ea3d", "L": [4, 6, 8, 10], "T": [1.0, 1.1, 1.2, 1.3, 1.4], "sweeps": 64}
    part |= {"fit": {"from": 8, "to": 64}, "samples": 32 * shards // 20, "shard_samples": 32}
    return {"name": "many", "title": "Many shards", "seed": 5, "parts": [part]}


def timed(what: str, workspace: Workspace, command: list[str]) -> str:
    """Runs a command and prints its seconds; returns what it said."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {wall:.1f} s, CPU {cpu:.1f} s", flush=True)
    return done.stdout + done.stderr


def make_files(workspace: Workspace, plan: str) -> int:
    """The outputs that a plan names, empty."""
    found = [name for line in re.findall(r"^    output: (.+)$", plan, re.M) for name in line.split(", ")]
    for name in found:
        path = workspace.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, default=20_000)
    parser.add_argument("--folder", type=Path, help="keeps the study here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        workspace = Workspace((arguments.folder or Path(scratch)) / "psflip")
        copy_sources(workspace.folder)
        for program in ("psflip", "psflip-analysis"):
            path = workspace.folder / "build" / "bin" / program
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (workspace.folder / STUDY).write_text(yaml.safe_dump(many(arguments.shards)))
        timed("study file checked", workspace, [sys.executable, "-m", "workflows.study", STUDY])
        plan = timed("planned", workspace, [*SNAKEMAKE, "--quiet", "host", "--dry-run"])
        print(f"files: {make_files(workspace, plan)}", flush=True)
        timed(
            "recorded as done",
            workspace,
            [sys.executable, "-c", RECORD, *OPTIONS, "--quiet", "all", "--touch", "--forceall"],
        )
        run_again = [sys.executable, "-m", "workflows.status.run", STUDY, "--", *SNAKEMAKE, "--quiet", "host"]
        timed("run again", workspace, run_again)
        logs = sorted((workspace.folder / "results" / "many" / "logs" / "run").glob("*.log"))
        assert "Nothing to be done" in logs[-1].read_text(), "the second run had jobs"


if __name__ == "__main__":
    main()
