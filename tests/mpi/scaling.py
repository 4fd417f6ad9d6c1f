"""Times psflip with 1, 2, ... ranks, strong and weak, and prints JSON: seconds, ps/flip and efficiencies.

Strong: the same job on more ranks. Weak: a job that grows with the ranks, ea3d and ising2d by a larger lattice, rfim3d by more
temperature slots. Samples: as many times the samples at the same size, which the same kernels simulate. Shards: as many jobs of other
samples at the same time, processes that know nothing of each other, which tells what the machine loses without any message. The efficiency of N ranks is ps/flip of one rank over N times ps/flip of N ranks, of the simulation alone; what starting
and files take in addition is in the JSON too. Medians of several runs in alternation, so that a slow minute hits all alike.

tests/mpi/scaling --ranks 1,2,4 --output scaling.json
tests/mpi/scaling --ranks 1,2 --models ea3d --set ea3d.L=64 --set ea3d.sweeps=500
"""

from __future__ import annotations

import argparse
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

ROOT = Path(__file__).resolve().parents[2]
Options = dict[str, Any]

SCALINGS = ("strong", "weak", "samples", "shards")
DEFAULT_SCALINGS = "strong,weak,shards"

# Seven seconds each on one core at the speeds of docs/performance.md. `samples` are the ids 0 to samples - 1, `slots` equally spaced temperatures.
JOBS: dict[str, Options] = {
    "ea3d": {"L": 32, "T": 1.1, "samples": 512, "replicas": 4, "sweeps": 4000},
    "ising2d": {"L": 4096, "T": 2.269, "samples": 1, "sweeps": 7680, "measure-interval": 60, "bins": 16},
    "rfim3d": {"L": 16, "h": 1, "slots": 24, "samples": 512, "sweeps": 1200, "exchange-interval": 10},
}
METHODS = {"ea3d": "relaxation", "ising2d": "equilibrium", "rfim3d": "tempering"}
DIMENSIONS = {"ea3d": 3, "ising2d": 2}
LARGEST = {"ea3d": 256, "ising2d": 65536}  # sizes that psflip takes
RANGE_OF_T = (3.6, 4.6)  # of the slots of rfim3d


@dataclass(frozen=True)
class Case:
    """A job on a number of ranks."""

    model: str
    scaling: str
    ranks: int
    options: tuple[tuple[str, Any], ...]
    flips: int


def refuse(sentence: str) -> NoReturn:
    print(f"tests/mpi/scaling: {sentence}", file=sys.stderr)
    sys.exit(2)


def temperatures(slots: int) -> str:
    low, high = RANGE_OF_T
    return ",".join(f"{low + (high - low) * k / (slots - 1):.5f}" for k in range(slots))


def grown(model: str, options: Options, ranks: int) -> Options:
    """The job with about `ranks` times the flips: L an even number, of ising2d one that 64 divides, so that sites stay packed, and of ea3d
    one that 16 divides where L is large, since GPU kernels are slower at others."""
    if model == "rfim3d":
        return options | {"slots": options["slots"] * ranks}
    wide, from_size = (64, 64) if model == "ising2d" else (16, 128)
    step = wide if options["L"] % wide == 0 and options["L"] >= from_size else 2
    L = step * round(options["L"] * ranks ** (1 / DIMENSIONS[model]) / step)
    if L > LARGEST[model]:
        refuse(
            f"weak scaling to {ranks} ranks makes {model} L = {L}, above its largest, {LARGEST[model]}; begin with a smaller --set {model}.L"
        )
    return options | {"L": L}


def flips(model: str, options: Options) -> int:
    """Attempted flips of a job: sites, samples, replicas or slots of both sets, sweeps."""
    copies = 2 * options["slots"] if model == "rfim3d" else options.get("replicas", 1)
    return options["L"] ** DIMENSIONS.get(model, 3) * options["samples"] * copies * options["sweeps"]


def words(options: Options, part: int = 0) -> list[str]:
    """The job as options of psflip; `part` counts jobs of the same kind with samples of their own."""
    named = {key: value for key, value in options.items() if key not in ("samples", "slots")}
    if "slots" in options:
        named["T"] = temperatures(options["slots"])
    named |= {"samples": f"{part * options['samples']}:{options['samples']}", "seed": 1}
    return [word for key, value in named.items() for word in (f"--{key}", str(value))]


def cases(jobs: dict[str, Options], ranks: list[int], scalings: list[str]) -> list[Case]:
    """Every job on every number of ranks; one rank only once, whatever the scaling."""
    found = []
    for model, options in jobs.items():
        for scaling in scalings:
            for count in ranks:
                mine = grown(model, options, count) if scaling == "weak" else options
                if scaling == "samples":
                    mine = options | {"samples": options["samples"] * count}
                work = flips(model, mine) * (count if scaling == "shards" else 1)
                if count > 1 or scaling == scalings[0]:
                    found.append(Case(model, scaling, count, tuple(mine.items()), work))
    return found


def commands(case: Case, arguments: argparse.Namespace, folder: Path) -> list[list[str]]:
    """One command with ranks, or as many without as there are shards; each has an output of its own."""
    machine = ["--threads", str(arguments.threads), "--backend", arguments.backend, "--output"]
    engine, options = [str(arguments.psflip), case.model, METHODS[case.model]], dict(case.options)
    if case.scaling == "shards" and case.ranks > 1:
        return [[*engine, *words(options, part), *machine, f"{folder}/{part}.h5"] for part in range(case.ranks)]
    launcher = [*shlex.split(arguments.mpirun), "-n", str(case.ranks)]
    return [[*launcher, *engine, *words(options), *machine, f"{folder}/0.h5"]]


def run(case: Case, arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One run: seconds of the simulation, of the full command, and the provenance in the file."""
    todo = commands(case, arguments, folder)
    before = time.monotonic()
    processes = [subprocess.Popen(one, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for one in todo]
    for process, command in zip(processes, todo):
        said = process.communicate()[1].strip()
        if process.returncode != 0 or not Path(command[-1]).exists():
            refuse(f"{shlex.join(command)} ended with {process.returncode} and no output: {said}")
    wall = time.monotonic() - before
    files = [Path(command[-1]) for command in todo]
    origins = [origin(path) for path in files]
    for path in files:
        path.unlink()
    ranks = sum(one["ranks"] for one in origins)
    if ranks != case.ranks:
        refuse(f"{case.ranks} ranks were started and {ranks} took part; build psflip with MPI")
    return {"seconds": max(one["seconds"] for one in origins), "wall": wall, "origin": origins[0]}


def origin(path: Path) -> dict[str, Any]:
    """What a measurement file says of its making."""
    with h5py.File(path) as file:
        texts = {key: str(file.attrs[key]) for key in ("git_commit", "device", "instruction_set", "backend")}
        return texts | {"seconds": float(file.attrs["seconds"]), "ranks": int(file.attrs["ranks"])}


def summary(case: Case, runs: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = median(one["seconds"] for one in runs)
    return asdict(case) | {
        "options": dict(case.options),
        "seconds": round(seconds, 4),
        "ps_per_flip": round(seconds / case.flips * 1e12, 4),
        "outside_seconds": round(median(one["wall"] - one["seconds"] for one in runs), 3),
        "runs": [round(one["seconds"], 4) for one in runs],
    }


def with_efficiencies(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each row with ps/flip of the model on one rank over ranks times its own; none where one rank was not timed."""
    single = {row["model"]: row["ps_per_flip"] for row in rows if row["ranks"] == 1}
    return [
        (
            row | {"efficiency": round(single[row["model"]] / (row["ranks"] * row["ps_per_flip"]), 4)}
            if row["model"] in single
            else row
        )
        for row in rows
    ]


def jobs_of(models: list[str], changes: list[str]) -> dict[str, Options]:
    """The jobs of JOBS with the changes MODEL.KEY=VALUE."""
    unknown = [model for model in models if model not in JOBS]
    if unknown:
        refuse(f"--models has no engine '{unknown[0]}'; there are {', '.join(JOBS)}")
    jobs = {model: dict(JOBS[model]) for model in models}
    for change in changes:
        found = re.fullmatch(r"(\w+)\.([\w-]+)=(\d+(?:\.\d+)?)", change)
        if not found or found[1] not in jobs:
            refuse(f"--set '{change}' is not MODEL.KEY=NUMBER with a model of --models; write for example ea3d.L=32")
        jobs[found[1]][found[2]] = float(found[3]) if "." in found[3] else int(found[3])
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
    if arguments.output and not arguments.output.absolute().parent.is_dir():
        refuse(f"--output {arguments.output} is in a folder that does not exist; make it first")
    return [int(count) for count in counts], scalings


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    ranks, scalings = checked(arguments)
    jobs = jobs_of(arguments.models.split(","), arguments.set)
    todo = cases(jobs, ranks, scalings)
    runs: dict[Case, list[dict[str, Any]]] = {case: [] for case in todo}
    load = [round(os.getloadavg()[0], 2)]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.runs):
            for case in todo:
                runs[case].append(run(case, arguments, Path(folder)))
    first = runs[todo[0]][0]["origin"]
    return {
        "command": shlex.join(["tests/mpi/scaling", *sys.argv[1:]]),
        "mpirun": arguments.mpirun,
        "threads": arguments.threads,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "load_before_and_after": [*load, round(os.getloadavg()[0], 2)],
        **{key: first[key] for key in ("git_commit", "device", "instruction_set", "backend")},
        "cases": with_efficiencies([summary(case, mine) for case, mine in runs.items()]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="1,2", help="numbers of ranks (default 1,2)")
    parser.add_argument("--models", default=",".join(JOBS), help="engines (default all)")
    parser.add_argument(
        "--scalings", default=DEFAULT_SCALINGS, help=f"of {', '.join(SCALINGS)} (default {DEFAULT_SCALINGS})"
    )
    parser.add_argument("--runs", type=int, default=3, help="runs of each case (default 3)")
    parser.add_argument("--set", action="append", default=[], metavar="MODEL.KEY=VALUE", help="another job, see JOBS")
    parser.add_argument("--backend", default="cpu", help="backend of psflip (default cpu)")
    parser.add_argument("--threads", type=int, default=1, help="of each rank (default 1)")
    parser.add_argument("--mpirun", default="mpirun --bind-to core", help="launcher and its options")
    parser.add_argument("--psflip", type=Path, default=ROOT / "build" / "bin" / "psflip", help="the engine")
    parser.add_argument("--output", type=Path, help="JSON file; without it the JSON is printed")
    arguments = parser.parse_args()
    text = json.dumps(measure(arguments), indent=1)
    if arguments.output:
        arguments.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
