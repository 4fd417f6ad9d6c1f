"""What a user waits for around the updates: times a job of ea3d from prompt to prompt and prints JSON.

`wall` is the whole process, `updates` the time of its simulation without measurements, `measuring` that of measurements
while no update runs, and `start_and_end` the wall time of the same job with a single sweep, all in seconds, medians of
runs. What is left, `files`, is the rest of the wall time. `bare_context` is the wall time of a program that makes a CUDA
context with the usual number of connections and ends; psflip makes fewer (engine/cuda/cuda.hpp).

python3 tests/gpu/user_run.py --psflip build/bin/psflip --replicas 4,8 --T 1.1 1.02,1.06,1.1,1.15,1.2
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import h5py


def wall_time(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - start


def timed(command: list[str], output: Path) -> dict[str, float]:
    """Wall time of one run and what its file says of it."""
    wall = wall_time([*command, "--output", str(output)])
    with h5py.File(output) as file:
        measuring = float(file.attrs["seconds_measuring"])
        return {"wall": wall, "updates": float(file.attrs["seconds"]) - measuring, "measuring": measuring}


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {key: round(median(run[key] for run in runs), 4) for key in runs[0]}


def measure(options: argparse.Namespace, T: str, replicas: int, folder: Path) -> dict[str, object]:
    command = [
        str(options.psflip),
        "ea3d",
        "relaxation",
        "--L",
        str(options.L),
        "--T",
        T,
        "--samples",
        f"0:{options.samples}",
    ]
    command += ["--replicas", str(replicas), "--seed", "1", "--backend", options.backend]
    runs = range(options.runs)
    short = medians([timed([*command, "--sweeps", "1"], folder / "short.h5") for _ in runs])["wall"]
    full = medians([timed([*command, "--sweeps", str(options.sweeps)], folder / "full.h5") for _ in runs])
    rest = full["wall"] - short
    return {
        "command": " ".join(["psflip", *command[1:], "--sweeps", str(options.sweeps)]),
        **full,
        "start_and_end": short,
        "files": round(rest - full["updates"] - full["measuring"], 4),
        "updates_of_wall": round(full["updates"] / full["wall"], 4),
        "updates_of_wall_without_start_and_end": round(full["updates"] / rest, 4) if rest > 0 else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psflip", type=Path, default=Path("build/bin/psflip"), help="default build/bin/psflip")
    parser.add_argument("--backend", default="cuda", help="as psflip takes it (default cuda)")
    parser.add_argument("--L", type=int, default=32, help="linear size (default 32)")
    parser.add_argument(
        "--T", nargs="+", default=["1.1"], help="temperatures, comma separated, of each of the jobs (default 1.1)"
    )
    parser.add_argument("--samples", type=int, default=4096, help="realizations (default 4096)")
    parser.add_argument("--sweeps", type=int, default=100_000, help="of the full job (default 100000)")
    parser.add_argument("--replicas", default="4", help="numbers of replicas, comma separated (default 4)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each job (default 3)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            cases = [
                measure(options, T, int(replicas), Path(folder))
                for T in options.T
                for replicas in options.replicas.split(",")
            ]
        except OSError as error:
            sys.exit(f"user_run.py: --psflip {options.psflip}: {error.strerror}, build it or give its path.")
        except subprocess.CalledProcessError as error:
            sys.exit(error.stderr.strip().splitlines()[-1])
    bare = options.psflip.parents[1] / "tests" / "bare_context"
    floor = [wall_time([str(bare)]) for _ in range(options.runs)] if options.backend == "cuda" and bare.exists() else []
    version = subprocess.run([options.psflip, "--version"], check=True, capture_output=True, text=True).stdout
    context = round(median(floor), 4) if floor else None
    print(json.dumps({"version": version.splitlines(), "bare_context": context, "cases": cases}, indent=1))


if __name__ == "__main__":
    main()
