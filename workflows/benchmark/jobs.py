"""Speeds measured by `psflip bench`: the files, the values compared with them, and the path of their report.

Needs neither pandas nor the programs, so that a machine which was only lent for a measurement can draw its figures.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml

from workflows.study.error import Mistake, StudyError, refusal
from workflows.study.plan import Plan
from workflows.study.presets import presets
from workflows.study.reading import read_json
from workflows.study.validation import check_schema, read_schema

Job = dict[str, Any]

# Of a file of psflip bench.
MOST_BYTES = 20_000_000

# How fast a model is said to be, and the key of it: of one large lattice in spin flips for each nanosecond.
UNITS = {
    name: ("flips/ns", "flips_per_ns") if preset.packs_sites else ("ps/flip", "ps_per_flip")
    for name, preset in presets().items()
}
TITLES = {name: preset.title for name, preset in presets().items()}
# Models that have a figure, and their method in it; files before 0.2.0 name no method.
USUAL_METHODS = {name: presets()[name].method for name in ("ea3d", "ising2d", "rfim3d")}


class Benchmark(Plan):
    """The content of a benchmark study, and the layout of results/<name>/."""

    def __init__(self, content: dict[str, Any], results: str = "results") -> None:
        super().__init__(content, results)
        self.files: list[str] = self.content["benchmarks"]
        self.jobs: list[Job] = []
        mistakes = []
        for index, file in enumerate(self.files):
            try:
                self.jobs += read_jobs([Path(file)])
            except StudyError as error:
                mistakes.append(f"benchmarks[{index}] is {error}")
        if mistakes:
            raise refusal(map(Mistake.of, mistakes))

    def figures(self) -> list[str]:
        """Names of the figures for which something was measured."""
        return figures_of(self.jobs)


def read_jobs(paths: Iterable[Path]) -> list[Job]:
    """The timed jobs of files of psflip bench, in order, with the derived keys; StudyError if a file is none."""
    jobs = []
    for path in paths:
        found = read_json(path, "write the file by ./study bench, or take it off the list 'benchmarks'", MOST_BYTES)
        try:
            check_schema(found, read_schema("bench"))
        except StudyError as error:
            first = str(error).splitlines()[0]  # one mistake is enough: a person writes no such file
            raise StudyError(f"{path}: {first.replace('the study', 'the file', 1)}") from error
        jobs += [_complete(job) for job in found]
    return jobs


def with_jobs(parser: ArgumentParser, output: str, work: Callable[[Namespace, list[Job]], None]) -> int:
    """Parses the command line, reads its files of `psflip bench` and does the work; `output` describes --output. The exit
    code: 2 if a file is refused."""
    parser.add_argument("benchmarks", nargs="+", type=Path)
    parser.add_argument("--output", required=True, type=Path, help=output)
    arguments = parser.parse_args()
    try:
        jobs = read_jobs(arguments.benchmarks)
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2
    work(arguments, jobs)
    return 0


def _complete(job: Job) -> Job:
    """Keys that older files lack, and names for tables and figures."""
    packing = job.get("packing", "samples")
    machine = job["device"]
    if job["backend"] == "cpu":
        machine += f", {job['threads']} thread{'s' if job['threads'] > 1 else ''}"
    variant = "-sites" if packing == "sites" else ""
    if not equal_field(job):
        variant = f"-h{job['h']:g}"
    label = f"{job['model']}-{job['mode']}{variant}-L{job['L']}"
    return {"name": label} | job | {"packing": packing, "machine": machine, "flips_per_ns": 1000 / job["ps_per_flip"]}


def equal_field(job: Job) -> bool:
    """Whether a job of rfim3d has h = J; true of other models."""
    return job.get("h", 1) == job.get("J", 1)


def has_usual_method(job: Job) -> bool:
    """Whether the method of a job is that of the figure of its model."""
    usual = USUAL_METHODS.get(job["model"])
    return usual is not None and job.get("method", usual) == usual


def is_usual(job: Job) -> bool:
    """Whether figures, other programs and targets without h are for this job: the method of its figure, h = J."""
    return has_usual_method(job) and equal_field(job)


def figures_of(jobs: list[Job]) -> list[str]:
    names = [
        f"speed_{model}" for model in USUAL_METHODS if any(job["model"] == model and is_usual(job) for job in jobs)
    ]
    return names + (["roofline"] if rooflines(jobs) else [])


def rooflines(jobs: list[Job]) -> list[Job]:
    """The jobs that were measured together with the peak rates of a GPU."""
    return [job for job in jobs if "share_of_logic_rate" in job]


def speed(job: Job) -> float:
    """In the unit of its model."""
    return job[UNITS[job["model"]][1]]


def groups(jobs: Iterable[Job], key: Callable[[Job], Any]) -> dict[Any, list[Job]]:
    """Jobs with the same key, in the order in which the keys came."""
    found: dict[Any, list[Job]] = {}
    for job in jobs:
        found.setdefault(key(job), []).append(job)
    return found


def references() -> dict[str, list[dict[str, Any]]]:
    """Other programs and psflip's own targets: workflows/references/speed.yaml."""
    path = Path(__file__).parents[1] / "references" / "speed.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def judged_ratios(jobs: list[Job]) -> list[dict[str, Any]]:
    """Times of one run of psflip bench over those of a neighbour in the same run: each machine and number of threads."""
    rows = []
    for machine, mine in groups(jobs, lambda job: job["machine"]).items():
        times = {job["name"]: job["ps_per_flip"] for job in mine}
        for rule in references()["ratios"]:
            row = rule | {"machine": machine, "value": None, "verdict": "not measured"}
            if rule["job"] in times and rule["neighbour"] in times:
                row["value"] = times[rule["job"]] / times[rule["neighbour"]]
                row["verdict"] = "reached" if row["value"] <= rule["must"] else "missed"
                if row["value"] <= rule.get("goal", 0):
                    row["verdict"] = "goal reached"
            rows.append(row)
    return rows


def judged(target: dict[str, Any], jobs: list[Job]) -> dict[str, Any]:
    """A target with the best measured speed, and whether it is reached."""
    wanted = {key: value for key, value in target.items() if key not in ("must", "goal")}
    is_meant = has_usual_method if "h" in target else is_usual
    fitting = [job for job in jobs if is_meant(job) and all(job.get(key) == value for key, value in wanted.items())]
    if not fitting:
        return target | {"value": None, "verdict": "not measured"}
    best = min(fitting, key=lambda job: job["ps_per_flip"])
    value = speed(best)
    sign = 1 if UNITS[target["model"]][0] == "ps/flip" else -1
    verdict = "reached" if sign * value <= sign * target["must"] else "missed"
    if "goal" in target and sign * value <= sign * target["goal"]:
        verdict = "goal reached"
    return target | {"value": value, "verdict": verdict, "machine": best["machine"]}
