"""Compares the forecast of a study with the cost of its jobs, which are run without files of the study being touched:

python -m workflows.forecast.compare FILE [--shards N] [--cores N]

Runs N shards of each run (default 1) with their reductions, and every adaptation run, and prints for each part the seconds of
processor time and the bytes of all its jobs: forecast, measured (scaled to all shards) and their ratio. A shard on a grid that
the study would adapt has equally spaced slots. With other jobs on the machine processor time is longer, also in the forecast."""

from __future__ import annotations

import argparse
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from workflows.forecast.benchmark import ANALYSIS, ENGINE, measured, times
from workflows.forecast.cost import Planned, planned_of
from workflows.forecast.engine_jobs import EngineJob
from workflows.status.state import source_of
from workflows.study.study import Study


def actual(job: EngineJob, blocks: str) -> tuple[float, float]:
    """Seconds of processor time and bytes of a job with its reduction."""
    with tempfile.TemporaryDirectory(prefix="psflip-compare-") as folder:
        output, reduced = f"{folder}/measurement.h5", f"{folder}/reduced.h5"
        seconds, _ = times([str(ENGINE), *job.words, "--output", output])
        if job.method == "adapt":
            return seconds, os.path.getsize(output)
        reducing, _ = times([str(ANALYSIS), "reduce", output, *blocks.split(), "--output", reduced])
        return seconds + reducing, os.path.getsize(output) + os.path.getsize(reduced)


def of_entry(entry: Planned, shards: int) -> tuple[float, float]:
    """The same for all jobs of a run or grid, from its first shards."""
    count = min(shards, entry.jobs)
    jobs = [entry.job.with_option("--samples", f"{n * entry.job.samples}:{entry.job.samples}") for n in range(count)]
    found = [actual(job, entry.blocks) for job in jobs]
    return tuple(entry.jobs / count * sum(values) for values in zip(*found))


def compare(study: Study, shards: int, at_once: int) -> dict[str, list[float]]:
    """Of each part: seconds forecast and measured, bytes forecast and measured."""
    planned = planned_of(study)
    costs = measured({entry.name: (entry.job, entry.blocks) for entry in planned}, at_once)
    with ThreadPoolExecutor(at_once) as pool:
        found = list(pool.map(lambda entry: of_entry(entry, shards), planned))
    parts: dict[str, list[float]] = {}
    for entry, (seconds, size) in zip(planned, found):
        cost, job = costs[entry.name], entry.job
        forecast = entry.jobs * (cost.seconds(job) + cost.reduction_seconds(job)), entry.jobs * cost.file_bytes(job)
        row = parts.setdefault(source_of(entry.part), [0.0] * 4)
        parts[source_of(entry.part)] = [a + b for a, b in zip(row, (forecast[0], seconds, forecast[1], size))]
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a study file")
    parser.add_argument("--shards", type=int, default=1, help="shards of each run that are run")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)), help="jobs at the same time")
    arguments = parser.parse_args()
    parts = compare(Study.read(arguments.file), arguments.shards, arguments.cores)
    parts["total"] = [sum(values) for values in zip(*parts.values())]
    print(
        f"{'part':16} {'forecast s':>10} {'measured s':>10} {'ratio':>6} {'forecast MB':>12} {'measured MB':>12} {'ratio':>6}"
    )
    for name, (s, seconds, b, size) in parts.items():
        print(
            f"{name:16} {s:10.1f} {seconds:10.1f} {s / seconds:6.2f} {b / 1e6:12.2f} {size / 1e6:12.2f} {b / size:6.2f}"
        )


if __name__ == "__main__":
    main()
