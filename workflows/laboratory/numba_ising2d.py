"""Times the 2D Ising model in Python with Numba: the basic implementation of Romero et al. (2020), a byte a spin.

python -m workflows.laboratory.numba_ising2d --L 512,2048 --json FILE [--device cuda] [--reference FILE of psflip-lab]

A separate call fills an array with random numbers before each half sweep, as in the paper. FILE has the form of
psflip-lab ising2d; with --reference its rows have the speed-up over the scalar update there.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from workflows.laboratory.square_functions import loops
from workflows.study.error import StudyError, answered
from workflows.study.system_tags import System, system_tag

BYTES_PER_SPIN = 3  # a byte, and a number of four bytes for every second spin
THREADS_PER_BLOCK = 256
SEED = 1


class HostArrays:
    """Arrays and launches of a CPU; `jit` compiles, by default Numba."""

    def __init__(self, jit: Callable[[Any], Any]) -> None:
        self.call = loops(jit)

    def array(self, values: np.ndarray) -> Any:
        return values.copy()

    def run(self, name: str, _threads: int, *arguments: Any) -> None:
        getattr(self.call, name)(*arguments)

    def host(self, array: Any) -> np.ndarray:
        return array

    def wait(self) -> None:
        pass


class DeviceArrays:
    """The same of a GPU."""

    def __init__(self) -> None:
        from workflows.laboratory.square_kernels import cuda, kernels

        self.cuda, self.call = cuda, kernels()

    def array(self, values: np.ndarray) -> Any:
        return self.cuda.to_device(values)

    def run(self, name: str, threads: int, *arguments: Any) -> None:
        blocks = (threads + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK
        getattr(self.call, name)[blocks, THREADS_PER_BLOCK](*arguments)

    def host(self, array: Any) -> np.ndarray:
        return array.copy_to_host()

    def wait(self) -> None:
        self.cuda.synchronize()


class Lattice:
    """One square lattice of spins [y][x], +1 or -1, at a temperature in J / k_B. Half sweep h updates parity h mod 2.

    With `sample` the numbers are those of psflip for this sample and seed (integers); without, floats in [0, 1) of
    single precision by seed, sequence and offset.
    """

    def __init__(self, arrays: Any, spins: np.ndarray, T: float, seed: int, sample: int | None = None) -> None:
        self.arrays, self.size, self.sample, self.half_sweep = arrays, len(spins), sample, 0
        exponents = [min(0.0, -2 * (1 / T) * product) for product in (-4, -2, 0, 2, 4)]
        if sample is None:
            self.key = (seed & 0xFFFFFFFF, seed >> 32)
            ratio, random = np.array([math.exp(x) for x in exponents], np.float32), np.float32
        else:
            tag = system_tag(System("ising2d", self.size, (T,)))
            self.key = (seed, 4 | tag << 8)  # docs/randomness.md: 4 is Metropolis
            # Costs of 0 and below are accepted whatever the number: 2^32 is above all.
            ratio, random = np.array([int(2**32 * math.exp(x)) for x in exponents], np.int64), np.uint32
        self.ratio = arrays.array(ratio)
        self.random = arrays.array(np.zeros((self.size, self.size // 2), random))
        self.spins = [arrays.array(compacted(spins, parity)) for parity in (0, 1)]

    def advance(self, half_sweeps: int) -> None:
        sites = self.size**2 // 2
        for half_sweep in range(self.half_sweep, self.half_sweep + half_sweeps):
            parity = half_sweep % 2
            if self.sample is None:
                groups = self.size * ((self.size // 2 + 3) // 4)
                self.arrays.run("fill", groups, self.random, half_sweep, 8, np.float32(2**-24), *self.key)
            else:
                self.arrays.run("fill_addressed", sites, self.random, half_sweep, self.sample, *self.key)
            self.arrays.run(
                "update", sites, self.spins[parity], self.spins[1 - parity], self.random, self.ratio, parity
            )
        self.half_sweep += half_sweeps

    def all_spins(self) -> np.ndarray:
        """[y][x], +1 or -1."""
        spins = np.empty((self.size, self.size), np.int8)
        for parity in (0, 1):
            half = self.arrays.host(self.spins[parity])
            for y in range(self.size):
                spins[y, (y + parity) % 2 :: 2] = half[y]
        return spins


def compacted(spins: np.ndarray, parity: int) -> np.ndarray:
    """Spins [y][x] of one parity as [y][j]."""
    return np.array([row[(y + parity) % 2 :: 2] for y, row in enumerate(spins)], np.int8)


def random_spins(size: int) -> np.ndarray:
    return np.random.default_rng(SEED).choice(np.array([-1, 1], np.int8), (size, size))


def seconds_of(work: Callable[[], None], least: float) -> float:
    """Seconds of one call: the fastest of three series that take `least` seconds together; a first call, which compiles,
    does not count."""
    work()
    best = math.inf
    for _ in range(3):
        start, calls = time.perf_counter(), 0
        while calls == 0 or time.perf_counter() - start < least / 3:
            work()
            calls += 1
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def timed(arrays: Any, size: int, options: argparse.Namespace) -> dict[str, Any]:
    """A row of the table: ps/flip of one lattice."""
    lattice = Lattice(arrays, random_spins(size), 1 / options.beta, SEED)
    # Between two launches of a GPU the host does work that is no part of their time.
    sweeps = max(1, min(64, 2**28 // size**2)) if options.device == "cuda" else 1

    def work() -> None:
        lattice.advance(2 * sweeps)
        arrays.wait()

    seconds = seconds_of(work, options.seconds) / sweeps
    return {
        "system": "ising2d",
        "variant": "numba",
        "layout": "bytes",
        "generator": "philox_sequence",
        "L": size,
        "ps_per_flip": 1e12 * seconds / size**2,
        "flips_per_ns": 1e-9 * size**2 / seconds,
        "seconds": seconds,
        "flips": size**2,
        "lattices": 1,
        "bytes_per_spin": BYTES_PER_SPIN,
        "bytes": BYTES_PER_SPIN * size**2,
        "device": options.device,
    } | ({"threads": 1} if options.device == "cpu" else {})


def arrays_of(device: str) -> Any:
    """Raises StudyError without Numba, and without a GPU for cuda."""
    try:
        import numba
        from numba import cuda
    except ImportError:
        raise StudyError(
            "Numba is not installed: run pip install -r workflows/environment/laboratory.txt in the environment"
        ) from None
    if device == "cpu":
        return HostArrays(numba.njit)
    if not cuda.is_available():
        raise StudyError("--device cuda: Numba finds no GPU here, run it where there is one or give --device cpu")
    return DeviceArrays()


def available_bytes(device: str) -> int:
    if device == "cuda":
        from numba import cuda

        return cuda.current_context().get_memory_info().free
    meminfo = Path("/proc/meminfo").read_text()
    return 1024 * int(next(line.split()[1] for line in meminfo.splitlines() if line.startswith("MemAvailable")))


def check(options: argparse.Namespace, available: int) -> None:
    if not 0 < options.beta < 1e6:
        raise StudyError("--beta: give a positive inverse temperature")
    for size in options.L:
        if size < 4 or size % 2:
            raise StudyError(f"--L {size}: a lattice has even sides of at least 4 sites, give such an --L")
        needed = (BYTES_PER_SPIN + 2) * size**2  # and the start on the host
        if needed > available:
            gib = 2**30
            raise StudyError(
                f"--L {size}: needs {needed / gib:.1f} GiB and {available / gib:.1f} GiB are available, give a smaller --L"
            )


def add_speedups(rows: list[dict[str, Any]], reference: Path) -> None:
    """Over the scalar update of the nearest size in a file of psflip-lab ising2d."""
    try:
        table = json.loads(reference.read_text())["table"]
        scalar = {row["L"]: row["ps_per_flip"] for row in table if row["variant"] == "scalar"}
        if not scalar:
            raise KeyError("scalar")
    except (OSError, ValueError, KeyError, TypeError):
        raise StudyError(f"--reference {reference}: is no file of psflip-lab ising2d, make one with --output") from None
    for row in rows:
        row["speedup"] = scalar[min(scalar, key=lambda size: abs(size - row["L"]))] / row["ps_per_flip"]


def provenance(device: str) -> dict[str, Any]:
    import numba

    cpuinfo = Path("/proc/cpuinfo").read_text().splitlines()
    gpu = None
    if device == "cuda":
        name = numba.cuda.get_current_device().name
        gpu = name.decode() if isinstance(name, bytes) else str(name)
    return {
        "command": shlex.join(["python", "-m", "workflows.laboratory.numba_ising2d", *sys.argv[1:]]),
        "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": next((line.split(": ")[1] for line in cpuinfo if line.startswith("model name")), "unknown"),
        "cores": os.cpu_count(),
        "gpu": gpu,
        "python": sys.version.split()[0],
        "numba": numba.__version__,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--L", type=lambda text: [int(size) for size in text.split(",")], default=[512, 2048])
    parser.add_argument("--beta", type=float, default=math.log(1 + math.sqrt(2)) / 2)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--seconds", type=float, default=0.3, help="least time of each timing")
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args()
    if not options.json.parent.is_dir():
        raise StudyError(f"--json {options.json}: there is no such folder, make it first")
    arrays = arrays_of(options.device)
    check(options, available_bytes(options.device))
    if options.reference:
        add_speedups([], options.reference)  # refused before any timing
    rows = [timed(arrays, size, options) for size in options.L]
    if options.reference:
        add_speedups(rows, options.reference)
    temporary = options.json.with_name(options.json.name + ".part")
    temporary.write_text(json.dumps(provenance(options.device) | {"table": rows}, indent=1) + "\n")
    temporary.replace(options.json)
    for row in rows:
        print(f"ising2d numba on {options.device}, L {row['L']:5}: {row['ps_per_flip']:12.4f} ps/flip")


if __name__ == "__main__":
    sys.exit(answered(main))
