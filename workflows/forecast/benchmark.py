"""Short runs of the jobs of a study: seconds and bytes for each sweep and measurement, kept for this machine and version."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import h5py

from workflows.forecast.engine_jobs import EngineJob
from workflows.study.error import StudyError

ENGINE, ANALYSIS, KEPT = Path("build/bin/psflip"), Path("build/bin/psflip-analysis"), Path("build/forecast.json")
ENOUGH = 0.3  # seconds of a benchmark that tell the time of a sweep
LONG = 1.0  # seconds that a benchmark may take; above it has fewer samples and bins
WORD = 512  # samples fill the widest machine word; fewer take as long
TOLD = 10.0  # seconds between two lines of progress
ASSUMED = 100e-12  # seconds of a flip before anything is measured: that of a slow job on one core
# Bins hold sums. Twice as many terms make a compressed file 5 % longer: 2 % to 6 % measured for equilibrium and tempering.
GROWTH = 0.05


@dataclass(frozen=True)
class Measured:
    """Of a short job. Seconds are those of one core, on a GPU those of the wall."""

    sweeps: int
    measurements: int
    flips: int
    bins: int
    share: float  # of the samples of the job that it stands for
    simulating: float
    measuring: float
    rest: float  # start and files
    reducing: float
    bytes: int
    reduced_bytes: int

    def _more(self, job: EngineJob) -> float:
        """How many times longer the files of a job are."""
        if job.method == "relaxation":
            return job.measurements / self.measurements
        if not job.bins:
            return 1
        doublings = max(0, (job.sweeps // self.sweeps).bit_length() - 1 - (job.bins - self.bins))
        return job.bins / self.bins * (1 + GROWTH * doublings)

    def seconds(self, job: EngineJob) -> float:
        """Of a job, without its reduction."""
        ratio = self.share * job.flips / self.flips
        measuring = self.measuring * job.measurements / self.measurements
        return (self.simulating * ratio + measuring + self.rest * self._more(job)) / self.share

    def reduction_seconds(self, job: EngineJob) -> float:
        return self.reducing / self.share * (self._more(job) if job.method == "relaxation" else 1)

    def file_bytes(self, job: EngineJob) -> float:
        """Of the measurement file and of the sums of its samples."""
        return (self.bytes * self._more(job) + self.reduced_bytes * self._more(job) ** 0.5) / self.share


def _unit(job: EngineJob) -> int:
    """The fewest sweeps with all bins; other numbers of sweeps are multiples of it."""
    if job.method == "equilibrium":
        return job.interval * job.bins
    if job.method == "tempering":
        return job.interval * 2 ** max(0, job.bins - 1)
    return min(job.sweeps, 4 * job.interval if job.method == "adapt" else 16)


def short(job: EngineJob) -> EngineJob:
    """The first benchmark of a job: few sweeps, and where these would take long fewer samples, then fewer bins. Extended runs
    have the same speed."""
    if "--longer" in job.words:
        at = job.words.index("--longer")
        job = replace(job, words=job.words[:at] + job.words[at + 2 :])
    job = job.of_length(min(job.sweeps, _unit(job)))
    while job.samples % 64 == 0 and job.samples > WORD and job.flips * ASSUMED > LONG:
        job = job.of_size(job.samples // 2)
    while job.method == "tempering" and job.bins > 2 and job.flips * max(1, WORD / job.samples) * ASSUMED > LONG:
        fewer = job.with_option("--bins", job.bins - 1).of_length(job.sweeps // 2)
        job = replace(fewer, bins=job.bins - 1)
    return job


def measure(job: EngineJob, blocks: str) -> Measured:
    """Benchmarks of a job of a study; the second one is longer if the first took too short. StudyError if the engine refuses."""
    first = short(job)
    found = _run(first, first.samples / job.samples, blocks)
    if found.simulating < ENOUGH and first.sweeps < job.sweeps:
        times = max(2, round(ENOUGH / max(found.simulating, 1e-3)))
        sweeps = min(job.sweeps, first.sweeps * times)
        found = _run(first.of_length(sweeps), first.samples / job.samples, blocks)
    return found


def _run(job: EngineJob, share: float, blocks: str) -> Measured:
    with tempfile.TemporaryDirectory(prefix="psflip-forecast-") as folder:
        output, reduced = f"{folder}/measurement.h5", f"{folder}/reduced.h5"
        cpu, wall = times([str(ENGINE), *job.words, "--output", output])
        size = os.path.getsize(output)
        if job.method == "adapt":
            share_of_start = min(cpu, 0.02)
            return Measured(job.sweeps, 1, job.flips, 0, share, cpu - share_of_start, 0, share_of_start, 0, size, 0)
        with h5py.File(output) as file:
            seconds, measuring = (float(file.attrs[name]) for name in ("seconds", "seconds_measuring"))
            on_gpu = file.attrs["backend"] == "cuda"
        total = wall if on_gpu else cpu
        inside = total * min(1.0, seconds / wall)
        measuring = inside * measuring / seconds
        reducing, _ = times([str(ANALYSIS), "reduce", output, *blocks.split(), "--output", reduced])
        return Measured(
            job.sweeps, job.measurements, job.flips, job.bins, share, inside - measuring, measuring, total - inside, reducing,
            size, os.path.getsize(reduced),
        )  # fmt: skip


def times(command: list[str]) -> tuple[float, float]:
    """Seconds of processor time and of the wall of a program. StudyError with what it said if it fails."""
    started = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            text = said.read().decode(errors="replace").strip()
            raise StudyError(f"{' '.join(command[:3])}: {text or f'exit code {process.returncode}'}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - started


def machine() -> str:
    """What measurements are kept under: processor, number of cores, version and build of the engine."""
    cpu = next((line for line in _read("/proc/cpuinfo").splitlines() if line.startswith("model name")), "")
    version = subprocess.run([str(ENGINE), "--version"], capture_output=True, text=True, check=True).stdout
    fields = " ".join(Measured.__dataclass_fields__)
    return hashlib.sha256(f"{cpu} {os.cpu_count()} {version} {fields}".encode()).hexdigest()[:16]


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def measured(jobs: dict[str, tuple[EngineJob, str]], at_once: int) -> dict[str, Measured]:
    """Measurements by name, of jobs with the options of their reduction. Missing ones are made, `at_once` at the same time as in a
    run of the study, so that they share caches and memory in the same way, and kept one by one."""
    try:
        kept = json.loads(_read(KEPT) or "{}")
    except ValueError:
        kept = {}
    mine = kept.setdefault(machine(), {})
    missing = {name: job for name, job in jobs.items() if name not in mine}
    told = time.monotonic()
    with ThreadPoolExecutor(at_once) as pool:
        for done, (name, found) in enumerate(zip(missing, pool.map(lambda job: measure(*job), missing.values()))):
            mine[name] = asdict(found)
            _keep(kept)
            if time.monotonic() - told > TOLD:
                print(f"Forecast: {done + 1} of {len(missing)} kinds of jobs timed", file=sys.stderr, flush=True)
                told = time.monotonic()
    return {name: Measured(**mine[name]) for name in jobs}


def _keep(kept: dict[str, dict[str, Any]]) -> None:
    temporary = KEPT.with_name(f"{KEPT.name}.tmp.{os.getpid()}")
    temporary.write_text(json.dumps(kept, indent=1))
    temporary.replace(KEPT)
