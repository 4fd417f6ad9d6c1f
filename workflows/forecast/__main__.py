"""The cost of studies before they run: python -m workflows.forecast FILE [--cores N] [--profile FOLDER] [--check | --json].

Speeds come from short runs of the jobs, kept in build/forecast.json. A study that cannot run is refused with exit code 2."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

import yaml

from workflows.forecast.benchmark import ENGINE
from workflows.forecast.cost import Cost, PartCost, check, forecast
from workflows.laboratory.entries import Entry
from workflows.laboratory.plan import Laboratory
from workflows.status.show import columns, duration
from workflows.study.error import StudyError
from workflows.study.study import Study, open_study
from workflows.study.validation import read_study

SHOWN_SYSTEMS = 100  # of a part
HEADINGS = ("part", "system", "jobs", "done", "flips", "time", "memory of a job", "disk")


def size(count: float) -> str:
    """Bytes in decimal units, as `ls -h --si`."""
    for unit, length in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= length:
            return f"{count / length:.3g} {unit}"
    return f"{count:.0f} B"


def cells(cost: Cost, at_once: int) -> tuple[str, ...]:
    time = duration(cost.seconds / at_once) if cost.jobs else "-"
    memory = size(cost.memory) if cost.jobs else "-"
    return str(cost.jobs), str(cost.done), f"{cost.flips:.3g}", time, memory, size(cost.bytes)


def words(keys: dict[str, object]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in keys.items())


def rows_of(part: PartCost, number: int, at_once: int) -> list[tuple[str, ...]]:
    """The part, and a numbered line for each of its systems."""
    rows = [(part.name, f"{part.model} {part.method}", *cells(part.cost, at_once))]
    for index, system in enumerate(part.systems[:SHOWN_SYSTEMS]):
        keys = {key: system.keys[key] for key in part.varying if key in system.keys}
        rows.append((f"{number + index:>5}", words(keys), *cells(system.cost, at_once)))
    if len(part.systems) > SHOWN_SYSTEMS:
        rows.append(("  ...", f"{len(part.systems) - SHOWN_SYSTEMS} more", *[""] * 6))
    return rows


def text(parts: list[PartCost], analysis: float, at_once: int) -> list[str]:
    rows, number = [HEADINGS], 1
    for part in parts:
        rows += rows_of(part, number, at_once)
        number += len(part.systems)
    total = sum((part.cost for part in parts), Cost())
    total.seconds += analysis
    rows.append(("total", "with analysis", *cells(total, at_once)))
    lines = columns(rows, left=2)
    cores = f"{at_once} job{'s' if at_once > 1 else ''} at the same time"
    return [
        *lines,
        f"Jobs that simulate (shards and adaptation runs) and are to be done. Time: forecast for this machine, {cores}.",
    ]


def runs_of(study: Laboratory) -> list[str]:
    """A line for each run of psflip-lab: whether it is done, is to do, or what this machine lacks."""

    def state(entry: Entry) -> str:
        return entry.missing or ("done" if Path(study.file(entry.stem)).exists() else "to do")

    rows = [("file", "state", "command"), *((entry.stem, state(entry), entry.line) for entry in study.entries.values())]
    return columns(rows, left=3)


def jobs_at_once(cores: str, profile: Path | None) -> tuple[int, bool]:
    """Jobs that simulate at the same time, and whether on this machine."""
    content = yaml.safe_load((profile / "config.yaml").read_text()) if profile else None
    content = content if isinstance(content, dict) else {}
    count = len(os.sched_getaffinity(0)) if cores == "all" else int(cores)
    resources = content.get("resources")
    if isinstance(resources, dict) and "gpu" in resources:
        count = min(count, int(resources["gpu"]))
    return count, "executor" not in content


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a study file")
    parser.add_argument("--cores", default="all", help="jobs at the same time")
    parser.add_argument("--profile", type=Path, help="folder of a Snakemake profile")
    parser.add_argument("--check", action="store_true", help="only refuse what cannot run")
    parser.add_argument("--json", action="store_true", help="for programs; seconds are those of one core")
    arguments = parser.parse_args()
    at_once, here = jobs_at_once(arguments.cores, arguments.profile)
    try:
        content = read_study(arguments.file)  # whose sentences name the file
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        study = open_study(content)
        if isinstance(study, Laboratory) and not arguments.check:
            print("\n".join(runs_of(study)))
        if not isinstance(study, Study):
            return 0  # a benchmark study simulates nothing, and timings of the laboratory have no forecast
        if not ENGINE.exists():
            raise StudyError(
                f"{ENGINE} is not built; type ./study exec psflip info, then this command in the same folder"
            )
        if arguments.check:
            check(study, at_once, here)
            return 0
        parts, analysis = forecast(study, at_once, here)
    except StudyError as error:
        print("\n".join(f"{arguments.file}: {line}" for line in str(error).splitlines()), file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps({"parts": [asdict(part) for part in parts], "analysis_seconds": analysis}, indent=1))
    else:
        print("\n".join(text(parts, analysis, at_once)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
