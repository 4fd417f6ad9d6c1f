"""Studies that cannot run are refused before anything runs: too many jobs, limits of the engine, too little memory.

The engine states its own limits: each kind of job is given to it with --print-memory, which checks the job and runs nothing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workflows.study.error import StudyError

if TYPE_CHECKING:
    from workflows.forecast.engine_jobs import EngineJob
    from workflows.study.study import Part

# Planning takes 1.2 ms and 25 kB a job (docs/workflow.md), so for so many jobs about four minutes and 5 GB.
MOST_JOBS = 200_000
GIB = 1 << 30


@dataclass(frozen=True)
class Memory:
    bytes: int  # of one job
    available: float  # to all jobs of this machine


def require_few_jobs(parts: Iterable[Part]) -> None:
    """StudyError if the parts have more shards than can be planned. Counts them without making lists."""
    for part in parts:
        for size in part.sizes:
            shards = -(-part.samples[size] // part.shard_samples[size])
            runs = sum(at == size for at, _ in part.runs)
            if shards * runs > MOST_JOBS:
                enough = -(-part.samples[size] * runs // MOST_JOBS // 32) * 32
                raise StudyError(
                    f"the part '{part.name}' has {shards * runs} shards at L = {size}, more than the {MOST_JOBS} jobs that can be"
                    f" planned; use shard_samples of {enough} or more, or fewer samples"
                )
    total = sum(-(-part.samples[at] // part.shard_samples[at]) for part in parts for at, _ in part.runs)
    if total > MOST_JOBS:
        raise StudyError(
            f"the study has {total} shards, more than the {MOST_JOBS} jobs that can be planned; use larger shard_samples,"
            " or several studies"
        )


def memory_of(place: str, job: EngineJob, engine: Path) -> Memory:
    """The memory of a job. StudyError with the sentence of the engine if it refuses the job; `place` says whose it is."""
    files = ["--output", "forecast.h5", *([] if job.method == "adapt" else ["--checkpoint", "forecast.checkpoint"])]
    command = [str(engine), *job.words, *files, "--print-memory"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"{engine} ended with exit code {done.returncode}"]
        raise StudyError(f"{place}: {said[-1]}")
    found = json.loads(done.stdout)
    return Memory(int(found["bytes"]), float(found["available_bytes"] or "inf"))


def memories(jobs: dict[str, tuple[str, EngineJob, int]], at_once: int, here: bool, engine: Path) -> dict[str, Memory]:
    """Memory by name, of jobs with their places and numbers. StudyError with a line for each kind of job that cannot run:
    refused by the engine, or `here`, where `at_once` of them run on this machine, too large for its memory."""

    def ask(entry: tuple[str, EngineJob, int]) -> Memory | str:
        place, job, count = entry
        try:
            memory = memory_of(place, job, engine)
        except StudyError as error:
            return str(error)
        together = min(at_once, count)
        if here and together * memory.bytes > memory.available:
            most = int(memory.available // memory.bytes)
            jobs = f"{together} jobs at the same time need" if together > 1 else "a job needs"
            fewer = f"--cores {most} or " if most else ""
            return (
                f"{place}: {jobs} {together * memory.bytes / GIB:.3g} GiB of memory, and {memory.available / GIB:.3g} GiB are"
                f" available; use {fewer}smaller shard_samples"
            )
        return memory

    with ThreadPoolExecutor(at_once) as pool:
        answers = dict(zip(jobs, pool.map(ask, jobs.values())))
    refused = [answer for answer in answers.values() if isinstance(answer, str)]
    if refused:
        raise StudyError("\n".join(dict.fromkeys(refused)))
    return {name: answer for name, answer in answers.items() if isinstance(answer, Memory)}
