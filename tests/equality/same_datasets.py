#!/usr/bin/env python3
"""Runs small jobs of every model with two programs and compares all axes and datasets of their files.

    python tests/equality/same_datasets.py OLD_PSFLIP NEW_PSFLIP

For changes that move code: the same job must give the same bytes. Prints one line a job; exit code 1 and the names of the
datasets that differ otherwise. Attributes are compared too, except those that tell when, where and by which program, and
the text of the job, whose form is that of the command line.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

PROVENANCE = {
    "code_version", "git_commit", "backend", "device", "instruction_set", "threads", "turns", "ranks", "created",
    "job", "method", "seconds", "seconds_measuring", "seconds_exchanging", "seconds_checkpointing", "ps_per_flip", "halo",
}  # fmt: skip
COMMON = "--samples 29:70 --seed 5 --save-spins --backend cpu"
JOBS = [
    f"ea3d relaxation --L 6 --T 1.1,2.5 --replicas 3 --sweeps 100 --save-disorder {COMMON}",
    f"ea3d relaxation --L 8 --beta 0.9 --replicas 8 --sweeps 64 --random independent {COMMON}",
    f"ea3d relaxation --L 4 --T 2 --replicas 2 --sweeps 64 --couplings ferromagnet --start ordered {COMMON}",
    f"ea3d relaxation --L 16 --T 0.9 --replicas 1 --sweeps 20 --word-bits 64 {COMMON}",
    f"ising2d equilibrium --L 6 --T 2.2,2.3 --sweeps 240 --measure-interval 3 --bins 4 {COMMON}",
    f"ising2d equilibrium --L 64 --T 2.269 --sweeps 64 --measure-interval 2 --bins 8 --packing sites --start ordered {COMMON}",
    f"rfim3d tempering --L 4 --h 1 --T 3.4,3.8,4.3,5 --sweeps 64 --exchange-interval 2 --bins 3 --save-disorder {COMMON}",
    f"rfim3d tempering --L 6 --h 0.5 --J 0.7 --T 2,2.5,3 --sweeps 80 --exchange-interval 5 --measure-interval 10 {COMMON}",
    f"rfim3d tempering --L 4 --h 3 --T 3.4,3.8,4.3 --sweeps 40 --threads 2 {COMMON}",
    "rfim3d tempering --L 4 --h 1 --T 3.4,3.8,4.3,5 --samples 32:160 --sweeps 32 --exchange-interval 2 --bins 3 --longer 2:4 --seed 5"
    " --backend cpu",
    # Every number of replicas, source of random numbers and word width: each has machine code of its own.
    *(
        f"{model} relaxation --L 6 --T 1.1 --replicas {replicas} --random {numbers} --sweeps 64 --word-bits {bits} {COMMON}"
        for model in ("ea2d", "ea3d")
        for replicas in range(1, 9)
        for numbers in ("shared", "independent")
        for bits in (64, 256, 512)
    ),
    *(
        f"{job} --sweeps 64 --measure-interval 4 --bins 4 --word-bits {bits} {COMMON}"
        for job in (
            "ising2d equilibrium --L 8 --T 2.3",
            "ising3d equilibrium --L 6 --T 4.5 --h 0.2",
            "rfim2d equilibrium --L 6 --T 2 --h 0.5",
            "rfim3d equilibrium --L 6 --T 3.5 --h 1",
            "rfim3d equilibrium --L 6 --T 3.5 --h 3",
        )
        for bits in (64, 256, 512)
    ),
]


def line_of(program: str, job: str) -> list[str]:
    """The command line of the job. Version 0.1 has one method for each model and no word for it."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    words = job.split()
    return [program, *(words[:1] + words[2:] if version.startswith("0.1.") else words)]


def content(program: str, job: str, file: Path) -> dict[str, tuple]:
    """Every dataset and attribute of the file that the job writes, as type, shape and bytes."""
    done = subprocess.run([*line_of(program, job), "--output", str(file)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program} {job}: {done.stderr.strip()}")
    with h5py.File(file) as h5:
        found = {name: (str(d.dtype), d.shape, np.asarray(d[()]).tobytes()) for name, d in h5.items()}
        found |= {f"attribute {key}": (str(value),) for key, value in h5.attrs.items() if key not in PROVENANCE}
    return found


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    different = 0
    for job in JOBS:
        with tempfile.TemporaryDirectory() as folder:
            old, new = (content(program, job, Path(folder) / f"{i}.h5") for i, program in enumerate(sys.argv[1:]))
        names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
        different += bool(names)
        print(f"{'differ: ' + ', '.join(names) if names else f'{len(old)} equal'}: psflip {job}")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
