"""What a study costs: jobs, flips, hours, memory and bytes of each system, part and of the whole study."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workflows.forecast.benchmark import ENGINE, Measured, measured
from workflows.forecast.engine_jobs import EngineJob, job_of_grid, job_of_run
from workflows.forecast.limits import Memory, memories, require_few_jobs
from workflows.status.state import Reader, source_of
from workflows.study.study import Part, Run, Study

# Seconds of processor time of analysis on one core of an AMD EPYC, from the demo: Python for each reduction and each table of
# a size, and figures with the report. Snakemake takes STARTING for each job, from a study of 200 shards against one of 20.
REDUCTION, TABLE, REPORT, STARTING = 0.15, 0.1, 10.0, 0.02


@dataclass
class Cost:
    """Of the jobs that are to be done. Seconds are those of one core, memory is that of the largest job."""

    jobs: int = 0
    done: int = 0  # jobs that are there already
    flips: float = 0
    seconds: float = 0
    memory: int = 0
    bytes: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.jobs + other.jobs,
            self.done + other.done,
            self.flips + other.flips,
            self.seconds + other.seconds,
            max(self.memory, other.memory),
            self.bytes + other.bytes,
        )


@dataclass
class SystemCost:
    """A run of a part, or the search of a grid; `keys` are the values that can differ within the part."""

    keys: dict[str, Any]
    cost: Cost


@dataclass
class PartCost:
    name: str
    model: str
    method: str
    systems: list[SystemCost] = field(default_factory=list)

    @property
    def cost(self) -> Cost:
        return sum((system.cost for system in self.systems), Cost())

    @property
    def varying(self) -> list[str]:
        """The keys that differ between the systems."""
        keys = dict.fromkeys(key for system in self.systems for key in system.keys)
        return [key for key in keys if len({str(system.keys.get(key)) for system in self.systems}) > 1] or list(keys)[
            :1
        ]


@dataclass
class Planned:
    """A run or grid of a study with the job that stands for all its jobs."""

    part: Part
    keys: dict[str, Any]
    job: EngineJob
    last: EngineJob  # the one with the largest sample ids
    jobs: int
    done: int
    reductions: int
    blocks: str

    @property
    def name(self) -> str:
        return " ".join((*self.job.shape, self.blocks)).strip()

    @property
    def left(self) -> int:
        return self.jobs - self.done

    @property
    def place(self) -> str:
        size = self.keys["L"]
        return f"part '{source_of(self.part)}', L = {size}"


def planned_of(study: Study) -> list[Planned]:
    """All runs and grids of a study once; parts that share a run name it with the first of them."""
    reader, seen, found = Reader(study), set(), []
    for part in study.parts.values():
        for grid in part.grids.values():
            if grid.name in seen:
                continue
            seen.add(grid.name)
            job = job_of_grid(grid)
            keys = {key: grid.options[key] for key in ("L", "h", "p", "seed") if key in grid.options}
            keys["grid"] = grid.options["method"]
            found.append(Planned(part, keys, job, job, 1, int(reader.has_grid(grid)), 0, ""))
        for (size, _), run in part.runs.items():
            if (run.name, part.samples[size]) not in seen:
                seen.add((run.name, part.samples[size]))
                found.append(_planned_run(study, reader, part, size, run))
    return found


def _planned_run(study: Study, reader: Reader, part: Part, size: int, run: Run) -> Planned:
    count = part.shard_samples[size]
    shards = -(-part.samples[size] // count)
    keys = {key: run.options[key] for key in ("L", "T", "h", "p", "seed") if key in run.options}
    return Planned(
        part=part,
        keys=keys,
        job=job_of_run(part, run, 0, count),
        last=job_of_run(part, run, (shards - 1) * count, count),
        jobs=shards,
        done=len(set(reader.finished(run, part, size))),
        reductions=len(part.reductions(size)),
        blocks=" ".join(study.block_options(run.name)),
    )


def check(study: Study, at_once: int, here: bool) -> tuple[list[Planned], dict[str, Memory]]:
    """Jobs of a study, and the memory of each kind of those that are to be done; StudyError if these cannot run (limits.py)."""
    require_few_jobs(study.parts.values())
    planned = planned_of(study)
    kinds: dict[str, tuple[str, EngineJob, int]] = {}
    for entry in planned:
        if entry.left:
            place, last, jobs = kinds.get(entry.name, (entry.place, entry.last, 0))
            kinds[entry.name] = place, max(last, entry.last, key=lambda job: job.first), jobs + entry.left
    return planned, memories(kinds, at_once, here, ENGINE)


def cost_of(entry: Planned, found: Measured, memory: Memory) -> Cost:
    """The jobs of one run or grid that are to be done."""
    job, left = entry.job, entry.left
    share = left / entry.jobs
    seconds = (
        left * (STARTING + found.seconds(job) + found.reduction_seconds(job)) + share * entry.reductions * REDUCTION
    )
    return Cost(left, entry.done, left * job.flips, seconds, memory.bytes, left * found.file_bytes(job))


def forecast(study: Study, at_once: int, here: bool = True) -> tuple[list[PartCost], float]:
    """The cost of each part of the study file, and the seconds of the analysis after all sums."""
    planned, memory = check(study, at_once, here)
    parts: dict[str, PartCost] = {}
    for part in study.parts.values():
        parts.setdefault(source_of(part), PartCost(source_of(part), part.model, part.method))
    left = [entry for entry in planned if entry.left]
    costs = measured({entry.name: (entry.job, entry.blocks) for entry in left}, at_once)
    for entry in planned:
        cost = cost_of(entry, costs[entry.name], memory[entry.name]) if entry.left else Cost(done=entry.jobs)
        parts[source_of(entry.part)].systems.append(SystemCost(entry.keys, cost))
    has_report = not left and (Path(study.root) / "report.html").exists()
    tables = sum(len(part.sizes) for part in study.parts.values())
    return list(parts.values()), 0 if has_report else REPORT + TABLE * tables
