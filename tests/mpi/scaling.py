"""Times psflip with 1, 2, ... ranks, strong and weak, and prints JSON: seconds, ps/flip and efficiencies.

Strong: the same job on more ranks. Weak: a job that grows with the ranks, ea3d and ising2d by a larger lattice,
exchange Monte Carlo by more temperature slots. Samples: as many times the samples at the same size, which the same
kernels simulate. Shards: as many jobs of other samples at the same time, processes that know nothing of each other,
which tells what the machine loses without any message. The efficiency of N ranks is ps/flip of one rank over N times
ps/flip of N ranks, of the simulation alone; what starting and files take in addition is in the JSON too. Medians of
several runs in alternation, so that a slow minute hits all alike. The file is written after each round of runs.

tests/mpi/scaling --ranks 1,2,4 --output scaling.json
tests/mpi/scaling --ranks 1,2 --models ea3d --set ea3d.L=64 --set ea3d.sweeps=500
tests/mpi/scaling --preset gpus --ranks 1,2 --output gpus.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, NoReturn

import h5py
from scaling_presets import DIMENSIONS, LARGEST, PRESETS, RANGE_OF_T, SETS, Job, Options

ROOT = Path(__file__).resolve().parents[2]

SCALINGS = ("strong", "weak", "samples", "shards")


class Failure(RuntimeError):
    """A run that gave no time."""


@dataclass(frozen=True)
class Case:
    """A job on a number of ranks."""

    job: str  # its name in the preset
    model: str
    method: str
    scaling: str
    ranks: int
    options: tuple[tuple[str, Any], ...]
    flips: int

    @property
    def processes(self) -> int:
        """That know nothing of each other: one with ranks, or as many as there are shards."""
        return self.ranks if self.scaling == "shards" else 1

    def has_data_of(self, other: Case) -> bool:
        return (self.job, self.options, self.processes) == (other.job, other.options, other.processes)


def refuse(sentence: str) -> NoReturn:
    print(f"tests/mpi/scaling: {sentence}", file=sys.stderr)
    sys.exit(2)


def temperatures(model: str, slots: int) -> str:
    low, high = RANGE_OF_T[model]
    return ",".join(f"{low + (high - low) * k / (slots - 1):.5f}" for k in range(slots))


def grown(job: Job, ranks: int) -> Options:
    """The job with about `ranks` times the flips: L an even number, of ising2d one that 64 divides, so that sites stay
    packed. Where L is large, GPU kernels are slower unless 8192 (ising2d) or 16 (ea3d) divides it. L may be above the
    largest that psflip takes."""
    options = job.options
    if job.method == "tempering":
        return options | {"slots": options["slots"] * ranks}
    steps = {"ising2d": {16384: 8192, 64: 64}, "ea3d": {128: 16}}.get(job.model, {})
    step = next((step for size, step in steps.items() if options["L"] >= size and options["L"] % step == 0), 2)
    return options | {"L": step * round(options["L"] * ranks ** (1 / DIMENSIONS[job.model]) / step)}


def flips(job: Job, options: Options) -> int:
    """Attempted flips of a job with these options: sites, samples, replicas or slots of all sets, sweeps."""
    copies = SETS[job.model] * options["slots"] if job.method == "tempering" else options.get("replicas", 1)
    return options["L"] ** DIMENSIONS[job.model] * options["samples"] * copies * options["sweeps"]


def words(case: Case, part: int = 0) -> list[str]:
    """The job as options of psflip; `part` counts jobs of the same kind with samples of their own."""
    options = dict(case.options)
    named = {key: value for key, value in options.items() if key not in ("samples", "slots")}
    if "slots" in options:
        named["T"] = temperatures(case.model, options["slots"])
    named |= {"samples": f"{part * options['samples']}:{options['samples']}", "seed": 1}
    return [word for key, value in named.items() for word in (f"--{key}", str(value))]


def cases(jobs: dict[str, Job], ranks: list[int], scalings: list[str]) -> list[Case]:
    """Every job on every number of ranks, by those of the scalings that it has; one rank once, whatever the scaling."""
    found = []
    for name, job in jobs.items():
        ways = [scaling for scaling in job.scalings or scalings if scaling in scalings]
        for scaling in ways:
            for count in ranks:
                mine = grown(job, count) if scaling == "weak" else job.options
                if scaling == "samples":
                    mine = job.options | {"samples": job.options["samples"] * count}
                work = flips(job, mine) * (count if scaling == "shards" else 1)
                if count > 1 or scaling == ways[0]:
                    found.append(Case(name, job.model, job.method, scaling, count, tuple(mine.items()), work))
    return found


def is_too_large(case: Case) -> bool:
    return dict(case.options)["L"] > LARGEST.get(case.model, sys.maxsize)


def possible(todo: list[Case], preset: str) -> list[Case]:
    """The cases with sizes that psflip takes; jobs that somebody chose are refused instead of left out."""
    for case in filter(is_too_large, todo):
        growth = (
            f"weak scaling to {case.ranks} ranks makes {case.job} L = {dict(case.options)['L']}, above its largest, "
            f"{LARGEST[case.model]}"
        )
        if preset == "default":
            refuse(f"{growth}; begin with a smaller --set {case.job}.L")
        print(f"tests/mpi/scaling: {growth}: left out", file=sys.stderr)
    return [case for case in todo if not is_too_large(case)]


def commands(case: Case, arguments: argparse.Namespace, folder: Path) -> list[list[str]]:
    """One command with ranks, or as many without as there are shards; each has an output of its own."""
    machine = ["--threads", str(arguments.threads), "--backend", arguments.backend, "--output"]
    engine = [str(arguments.psflip), case.model, case.method]
    if case.processes > 1:
        return [[*engine, *words(case, part), *machine, f"{folder}/{part}.h5"] for part in range(case.processes)]
    launcher = [*shlex.split(arguments.mpirun), "-n", str(case.ranks)]
    return [[*launcher, *engine, *words(case), *machine, f"{folder}/0.h5"]]


def environment(case: Case, backend: str, part: int) -> dict[str, str]:
    """Each shard on a GPU of its own; ranks choose theirs."""
    if backend != "cuda" or case.processes == 1:
        return dict(os.environ)
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    gpus = visible.split(",") if visible else [str(gpu) for gpu in range(case.ranks)]
    return os.environ | {"CUDA_VISIBLE_DEVICES": gpus[part % len(gpus)]}


def finish(process: subprocess.Popen[str], command: list[str], seconds: float) -> None:
    """Waits for a command and requires its output."""
    try:
        said = process.communicate(timeout=seconds)[1].strip()
    except subprocess.TimeoutExpired:
        raise Failure(f"{shlex.join(command)} took more than {seconds:.0f} s") from None
    if process.returncode != 0 or not Path(command[-1]).exists():
        last = said.splitlines()[-1] if said else ""
        raise Failure(f"{shlex.join(command)} ended with {process.returncode} and no output: {last}")


def run(case: Case, arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One run: seconds of the simulation, of the full command, and the provenance in the file."""
    todo = commands(case, arguments, folder)
    before = time.monotonic()
    processes = [
        subprocess.Popen(
            one,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(case, arguments.backend, part),
        )
        for part, one in enumerate(todo)
    ]
    try:
        for process, command in zip(processes, todo):
            finish(process, command, arguments.timeout)
    finally:
        for process in processes:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
    wall = time.monotonic() - before
    files = [Path(command[-1]) for command in todo]
    origins = [origin(path) for path in files]
    data = data_of(files)
    for path in files:
        path.unlink()
    ranks = sum(one["ranks"] for one in origins)
    if ranks != case.ranks:
        raise Failure(f"{case.ranks} ranks were started and {ranks} took part; build psflip with MPI")
    return {"seconds": max(one["seconds"] for one in origins), "wall": wall, "origin": origins[0], "data": data}


def data_of(files: list[Path]) -> str:
    """First 16 hexadecimal digits of the SHA-256 of all datasets."""
    digest = hashlib.sha256()

    def add(name: str, item: h5py.Dataset | h5py.Group) -> None:
        if isinstance(item, h5py.Dataset):
            digest.update(name.encode() + item[()].tobytes())

    for path in files:
        with h5py.File(path) as file:
            file.visititems(add)
    return digest.hexdigest()[:16]


def origin(path: Path) -> dict[str, Any]:
    """What a measurement file says of its making."""
    with h5py.File(path) as file:
        texts = {key: str(file.attrs[key]) for key in ("git_commit", "device", "instruction_set", "backend")}
        texts["halo"] = str(file.attrs.get("halo", "none"))
        return texts | {"seconds": float(file.attrs["seconds"]), "ranks": int(file.attrs["ranks"])}


def summary(case: Case, runs: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = median(one["seconds"] for one in runs)
    return asdict(case) | {
        "options": dict(case.options),
        "seconds": round(seconds, 4),
        "ps_per_flip": round(seconds / case.flips * 1e12, 4),
        "halo": runs[0]["origin"]["halo"],
        "data": runs[0]["data"],
        "outside_seconds": round(median(one["wall"] - one["seconds"] for one in runs), 3),
        "runs": [round(one["seconds"], 4) for one in runs],
    }


def with_efficiencies(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each row with ps/flip of the job on one rank over ranks times its own; none where one rank was not timed."""
    single = {row["job"]: row["ps_per_flip"] for row in rows if row["ranks"] == 1}
    return [
        (
            row | {"efficiency": round(single[row["job"]] / (row["ranks"] * row["ps_per_flip"]), 4)}
            if row["job"] in single
            else row
        )
        for row in rows
    ]


def jobs_of(preset: str, names: list[str], changes: list[str]) -> dict[str, Job]:
    """The named jobs of a preset, or those of the named models, with the changes JOB.KEY=VALUE."""
    every = PRESETS[preset].jobs
    known = [*every, *dict.fromkeys(job.model for job in every.values())]
    unknown = [name for name in names if name not in known]
    if unknown:
        refuse(f"--models has no engine '{unknown[0]}'; there are {', '.join(dict.fromkeys(known))}")
    jobs = {name: job for name, job in every.items() if not names or name in names or job.model in names}
    for change in changes:
        found = re.fullmatch(r"([\w-]+)\.([\w-]+)=(\d+(?:\.\d+)?)", change)
        if not found or found[1] not in jobs:
            refuse(f"--set '{change}' is not MODEL.KEY=NUMBER with a model of --models; write for example ea3d.L=32")
        value = float(found[3]) if "." in found[3] else int(found[3])
        jobs[found[1]] = jobs[found[1]].changed(**{found[2]: value})
    return jobs


def checked(arguments: argparse.Namespace) -> tuple[list[int], list[str]]:
    """Numbers of ranks and scalings; refuses what would fail only when the times are there."""
    counts, scalings = arguments.ranks.split(","), arguments.scalings.split(",")
    if not all(re.fullmatch(r"[1-9]\d*", count) for count in counts):
        refuse(f"--ranks '{arguments.ranks}' is not a list of positive integers; write for example 1,2,4")
    if not set(scalings) <= set(SCALINGS):
        refuse(
            f"--scalings '{arguments.scalings}' has a word that is none of {', '.join(SCALINGS)}; name some of these"
        )
    if arguments.runs < 1:
        refuse(f"--runs {arguments.runs} times nothing; give 1 or more")
    if not arguments.limit > 0 or not arguments.timeout > 0:
        refuse(f"--limit {arguments.limit} and --timeout {arguments.timeout} are times; give seconds above 0")
    if arguments.output and not arguments.output.absolute().parent.is_dir():
        refuse(f"--output {arguments.output} is in a folder that does not exist; make it first")
    return [int(count) for count in counts], scalings


def gpu_driver() -> str | None:
    """Version of the NVIDIA driver; none without one."""
    file = Path("/proc/driver/nvidia/version")
    found = re.search(r"\b\d{3}\.\d+(?:\.\d+)?\b", file.read_text(encoding="utf-8")) if file.exists() else None
    return found[0] if found else None


@dataclass
class Measurement:
    """Runs of all cases in rounds."""

    arguments: argparse.Namespace
    runs: dict[Case, list[dict[str, Any]]]
    failures: dict[Case, str]
    load: list[float]

    def round(self, folder: Path) -> None:
        """One run of each case that has not failed. The first round writes the file after each run."""
        first = not any(self.runs.values())
        for case, mine in self.runs.items():
            if case in self.failures:
                continue
            try:
                found = run(case, self.arguments, folder)
                self.compare(case, found["data"])
                mine.append(found)
            except Failure as failure:
                self.failures[case] = str(failure)
                print(f"tests/mpi/scaling: {failure}", file=sys.stderr)
            if first and mine:
                self.write()

    def compare(self, case: Case, data: str) -> None:
        """Requires the data of earlier runs of the same job, on any number of ranks."""
        for other, runs in self.runs.items():
            if runs and other.has_data_of(case) and runs[0]["data"] != data:
                raise Failure(f"{case.job} on {case.ranks} ranks has other data than a run on {other.ranks} ranks")

    def report(self) -> dict[str, Any]:
        done = {case: mine for case, mine in self.runs.items() if mine}
        first = next(iter(done.values()))[0]["origin"]
        return {
            "command": shlex.join(["tests/mpi/scaling", *sys.argv[1:]]),
            "mpirun": self.arguments.mpirun,
            "threads": self.arguments.threads,
            "cores": os.cpu_count(),
            "system": platform.platform(),
            "driver": gpu_driver(),
            "load_before_and_after": [*self.load, round(os.getloadavg()[0], 2)],
            **{key: first[key] for key in ("git_commit", "device", "instruction_set", "backend")},
            "failures": [{"job": case.job, "ranks": case.ranks, "why": why} for case, why in self.failures.items()],
            "cases": with_efficiencies([summary(case, mine) for case, mine in done.items()]),
        }

    def write(self) -> None:
        """The file, under another name first. A command that is ended leaves the complete rounds, or in the first round
        the runs so far."""
        output = self.arguments.output
        text = json.dumps(self.report(), indent=1) + "\n"
        if output:
            temporary = output.with_name(output.name + ".part")
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(output)


def measure(arguments: argparse.Namespace) -> Measurement:
    """Rounds of runs, as many as --runs and --limit allow, at least one."""
    ranks, scalings = checked(arguments)
    jobs = jobs_of(arguments.preset, arguments.models.split(",") if arguments.models else [], arguments.set)
    todo = possible(cases(jobs, ranks, scalings), arguments.preset)
    measurement = Measurement(arguments, {case: [] for case in todo}, {}, [round(os.getloadavg()[0], 2)])
    before = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for done in range(arguments.runs):
            passed = time.monotonic() - before
            if done > 0 and passed + passed / done > arguments.limit:
                print(
                    f"tests/mpi/scaling: {done} runs of each case in {passed:.0f} s, no time for more", file=sys.stderr
                )
                break
            measurement.round(Path(folder))
            if len(measurement.failures) == len(todo):
                sys.exit(2)
            measurement.write()
    return measurement


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=PRESETS, default="default", help="jobs and defaults (scaling_presets.py)")
    parser.add_argument("--ranks", default="1,2", help="numbers of ranks (default 1,2)")
    parser.add_argument("--models", default="", help="models or jobs of the preset (default all)")
    parser.add_argument(
        "--scalings",
        help=f"of {', '.join(SCALINGS)} (default {PRESETS['default'].scalings}; gpus: those of each job)",
    )
    parser.add_argument("--runs", type=int, default=3, help="runs of each case (default 3)")
    parser.add_argument(
        "--limit", type=float, help="seconds in which another round of runs must end (default none; gpus: 360)"
    )
    parser.add_argument("--timeout", type=float, help="seconds after which a run has failed (default 600; gpus: 60)")
    parser.add_argument("--set", action="append", default=[], metavar="JOB.KEY=VALUE", help="another job")
    parser.add_argument("--backend", help="backend of psflip (default cpu; gpus: cuda)")
    parser.add_argument("--threads", type=int, default=1, help="of each rank (default 1)")
    parser.add_argument("--mpirun", help="launcher and its options")
    parser.add_argument("--psflip", type=Path, default=ROOT / "build" / "bin" / "psflip", help="the engine")
    parser.add_argument("--output", type=Path, help="JSON file; without it the JSON is printed")
    arguments = parser.parse_args()
    for name in ("backend", "mpirun", "limit", "timeout", "scalings"):
        if getattr(arguments, name) is None:
            setattr(arguments, name, getattr(PRESETS[arguments.preset], name))
    return arguments


def main() -> None:
    measurement = measure(parsed())
    if not measurement.arguments.output:
        print(json.dumps(measurement.report(), indent=1))
    if measurement.failures:
        sys.exit(2)


if __name__ == "__main__":
    main()
