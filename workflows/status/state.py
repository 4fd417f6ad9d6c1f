"""The state of every part of a study, read from its results folder: files that are there, and the log of the last run."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from workflows.benchmark.jobs import Benchmark
from workflows.forecast.work import flips_of_grid, flips_of_run
from workflows.laboratory.plan import Laboratory
from workflows.status.job_log import Cost, cost_of, progress_of, read_text, why_failed
from workflows.status.run_log import ENGINE_RULES, RunLog, newest_log
from workflows.study.error import StudyError
from workflows.study.identity import stream_version
from workflows.study.reading import read_record
from workflows.study.study import Grid, Part, Run, Study

FIRST_SIGNAL = 128  # exit codes from here on: a signal ended the run


@dataclass
class PartState:
    """Jobs of a part of the study file; running, failed and waiting ones are shards and grids."""

    part: str
    model: str
    method: str
    shards: int = 0
    shards_done: int = 0
    grids: int = 0
    grids_done: int = 0
    running: list[str] = field(default_factory=list)  # what runs, for people
    failed: list[str] = field(default_factory=list)  # why, a sentence for each job
    stopped: int = 0  # of the waiting jobs, those that ended with a checkpoint in the last run
    cost: Cost = Cost()  # of what is done
    seconds_left: float | None = None  # of this machine or queue alone with this part

    @property
    def waiting(self) -> int:
        left = self.shards + self.grids - self.shards_done - self.grids_done
        return max(0, left - len(self.running) - len(self.failed))

    @property
    def complete(self) -> bool:
        return self.shards_done == self.shards


@dataclass
class StudyState:
    parts: list[PartState]
    is_running: bool
    log: Path | None  # of the last run
    steps: tuple[int, int] | None  # done and planned jobs of the last run, analysis included
    analysis: list[str]  # rules of analysis that run
    errors: list[str]  # of analysis
    failed_logs: list[str]  # of all failed jobs that said why
    complete: bool

    @property
    def seconds_left(self) -> float | None:
        """Of the simulations of all parts; None where a speed is not known yet."""
        left = [part.seconds_left for part in self.parts]
        return None if any(seconds is None for seconds in left) else sum(seconds or 0 for seconds in left)


class Reader:
    """Reads the state again and again; logs of finished jobs are read once."""

    def __init__(self, study: Study | Benchmark | Laboratory) -> None:
        self.study = study
        self.root = Path(study.root)
        self._log: RunLog | None = None
        self._costs: dict[str, tuple[int, Cost]] = {}

    def read(self, log: Path | None = None) -> StudyState:
        """The state now. `log` is that of the present run; by default that of the last one."""
        log = log or newest_log(self.root)
        if self._log is None or self._log.path != log:
            self._log = RunLog(log) if log else None
        if self._log:
            self._log.read()
        is_running = self._log is not None and is_alive(self._log)
        jobs = _Jobs(self._log, is_running)
        parts = self._parts(jobs) if isinstance(self.study, Study) else self._entries()
        return StudyState(
            parts=parts,
            is_running=is_running,
            log=log,
            steps=self._log.steps if self._log else None,
            analysis=jobs.analysis,
            errors=jobs.errors,
            failed_logs=jobs.failed_logs,
            complete=not is_running and all(part.complete for part in parts) and self._has_report(),
        )

    def _parts(self, jobs: _Jobs) -> list[PartState]:
        states: dict[str, PartState] = {}
        speeds = _Speeds()
        for part in self.study.parts.values():
            name = source_of(part)
            state = states.setdefault(name, PartState(name, part.model, part.method))
            for (size, _), run in part.runs.items():
                self._add_run(state, part, size, run, jobs, speeds)
            for grid in part.grids.values():
                self._add_grid(state, grid, jobs, speeds)
        for state in states.values():
            state.seconds_left = speeds.seconds_left(state, jobs.at_once)
        return list(states.values())

    def _entries(self) -> list[PartState]:
        """Of a study of the laboratory: a part for each run of psflip-lab that this machine can do."""
        if not isinstance(self.study, Laboratory):
            return []
        return [
            PartState(stem, entry.seed, entry.command, 1, int(Path(self.study.file(stem)).exists()))
            for stem, entry in self.study.planned.items()
        ]

    def _add_run(self, state: PartState, part: Part, size: int, run: Run, jobs: _Jobs, speeds: _Speeds) -> None:
        shards = part.shards(size)
        done = set(self.finished(run, part, size))
        state.shards += len(shards)
        state.shards_done += len(done)
        cost = self._cost(run)
        flips = flips_of_run(run.options, part.shard_samples[size])
        left = float(len(shards) - len(done))
        for first, count in shards if jobs.notable else ():
            shard = self.study.shard(run, first, count)
            if first in done or shard not in jobs.notable:
                continue
            if (log := jobs.running.get(shard)) is not None:
                share, speed = progress_of(read_text(Path(log)))
                left -= share
                cost += Cost(share * flips, share * flips * speed * 1e-12)
                state.running.append(f"{words_of(run)}: {share:.0%}")
            elif (why := jobs.failed.get(shard)) is not None:
                state.failed += [why] if why else []
                state.stopped += not why
        state.cost += cost
        speeds.add(state, cost, left * flips)

    def _add_grid(self, state: PartState, grid: Grid, jobs: _Jobs, speeds: _Speeds) -> None:
        file = self._grid_file(grid)
        state.grids += 1
        if self.has_grid(grid):
            state.grids_done += 1
            return
        speeds.add(state, Cost(), flips_of_grid(grid.model, grid.options))
        if file in jobs.running:
            state.running.append(f"grid L = {grid.options['L']}")
        elif why := jobs.failed.get(file):
            state.failed.append(why)

    def _grid_file(self, grid: Grid) -> str:
        return f"{self.root}/grids/stream{stream_version()}/{grid.name}.json"

    def has_grid(self, grid: Grid) -> bool:
        return Path(self._grid_file(grid)).exists()

    def finished(self, run: Run, part: Part, size: int) -> Iterator[int]:
        """First samples of the shards that are there, or whose sums are."""
        count = part.shard_samples[size]
        shards, sums = (names_in(self.root / kind / run.name) for kind in ("shards", "reduced"))
        for first, shards_of_sum, samples in part.reductions(size):
            firsts = range(first, first + shards_of_sum * samples, samples)
            if f"{first}_{shards_of_sum}x{samples}.h5" in sums:
                yield from firsts
            else:
                yield from (start for start in firsts if f"{start}_{count}.h5" in shards)

    def _cost(self, run: Run) -> Cost:
        """Of the finished jobs of a run, from their logs."""
        total = Cost()
        for rule in ("simulate", "temper"):
            for entry in entries_in(self.root / "logs" / rule / run.name):
                size = entry.stat().st_size
                if entry.path not in self._costs or self._costs[entry.path][0] != size:
                    self._costs[entry.path] = size, cost_of(read_text(Path(entry.path)))
                total += self._costs[entry.path][1]
        return total

    def _has_report(self) -> bool:
        """Whether the report is of the present study file and newer than all sums."""
        report, record = self.root / "report.html", self.root / "study.json"
        if not report.exists() or isinstance(self.study, (Benchmark, Laboratory)):
            return report.exists()
        try:
            recorded = read_record(record)
        except StudyError:
            return False
        if recorded != json.loads(json.dumps(self.study.content)):
            return False
        wanted = {
            path
            for part in self.study.parts.values()
            for point in part.runs
            for path in self.study.reduced(part, *point)
        }
        made = report.stat().st_mtime
        return all(Path(path).exists() and Path(path).stat().st_mtime <= made for path in wanted)


class _Jobs:
    """Jobs of the last run by their outputs."""

    def __init__(self, log: RunLog | None, is_running: bool) -> None:
        running = log.of(ENGINE_RULES, log.running) if log and is_running else []
        self.running = {job.output: job.log for job in running}
        failed = [log.jobs[number] for number in sorted(log.failed)] if log else []
        interrupted = bool(log and log.status is not None and log.status >= FIRST_SIGNAL)
        why = {job: why_failed(job.log, interrupted) for job in failed}
        self.failed = {job.output: why[job] for job in failed if job.rule in ENGINE_RULES}
        self.notable = self.running.keys() | self.failed.keys()
        self.failed_logs = [job.log for job in failed if why[job]]
        self.at_once = max(1, log.most_engines) if log else 1
        others = [log.jobs[number] for number in sorted(log.running)] if log and is_running else []
        self.analysis = sorted({job.rule for job in others if job.rule not in ENGINE_RULES})
        self.errors = [why[job] for job in failed if job.rule not in ENGINE_RULES and why[job]]


class _Speeds:
    """Speeds and flips left of the runs of each part. A run without a finished job has the speed of its part."""

    def __init__(self) -> None:
        self._left: dict[str, list[tuple[Cost, float]]] = {}

    def add(self, state: PartState, cost: Cost, flips: float) -> None:
        self._left.setdefault(state.part, []).append((cost, flips))

    def seconds_left(self, state: PartState, at_once: int) -> float | None:
        left = [(cost, flips) for cost, flips in self._left[state.part] if flips > 0]
        if left and state.cost.flips == 0:
            return None
        return (
            sum(flips * of.seconds / of.flips for cost, flips in left for of in [cost if cost.flips else state.cost])
            / at_once
        )


def source_of(part: Part) -> str:
    """The entry of the study file that a part comes from; a sweep over h, p or seed makes several parts of one entry."""
    return str(getattr(part, "source", part.name))


def words_of(run: Run) -> str:
    options = run.options
    return ", ".join(f"{key} = {options[key]}" for key in ("L", "h", "p", "T") if key in options)


def entries_in(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except OSError:
        return []


def names_in(folder: Path) -> set[str]:
    return {entry.name for entry in entries_in(folder)}


def is_alive(log: RunLog) -> bool:
    """Whether the run that writes a log continues. The process of a run on another machine cannot be looked at."""
    if log.process is None or log.status is not None:
        return False
    number, host = log.process
    if host != socket.gethostname():
        return True
    return "workflows.status.run" in read_text(Path(f"/proc/{number}/cmdline"))
