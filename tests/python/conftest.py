"""A study in small, made by the programs themselves: shards, block sums and a table of every kind of job."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PSFLIP_BUILD", ROOT / "build"))
sys.path.insert(0, str(ROOT / "analysis" / "python"))

# Name of a run, model and method, options of its job, and its shards.
JOBS = [
    ("ea_L4", "ea3d relaxation", "--L 4 --T 1.1 --sweeps 64 --replicas 4 --random shared", ["0:64", "64:96"]),
    ("ea_L6", "ea3d relaxation", "--L 6 --T 1.1 --sweeps 128 --replicas 4 --random shared", ["0:128"]),
    ("ea_L4_p", "ea3d relaxation", "--L 4 --T 1.1 --p 0.3 --sweeps 64 --replicas 4 --random shared", ["0:160"]),
    ("ising_cold", "ising2d equilibrium", "--L 8 --T 2.1 --sweeps 512 --bins 16 --measure-interval 4", ["0:40"]),
    ("ising_hot", "ising2d equilibrium", "--L 8 --T 2.5 --sweeps 256 --bins 16 --measure-interval 4", ["0:40"]),
    ("ising_few", "ising2d equilibrium", "--L 12 --T 2.5 --sweeps 256 --bins 16 --measure-interval 4", ["0:6"]),
    ("rfim_L4", "rfim3d tempering", "--L 4 --h 1 --T 3.5,4,4.5 --sweeps 800", ["0:64", "64:64"]),
    ("rfim_L4_h", "rfim3d tempering", "--L 4 --h 0.9 --T 3.5,4,4.5 --sweeps 800", ["0:128"]),
    ("rfim_L6", "rfim3d tempering", "--L 6 --h 1 --T 3.5,3.7,4,4.5 --sweeps 1600", ["0:64"]),
    ("glass", "ea3d tempering", "--L 4 --T 0.9,1.1,1.4 --sweeps 800 --random independent", ["0:48"]),
    (
        "rfim_bins",
        "rfim3d equilibrium",
        "--L 4 --h 1 --T 4 --sweeps 256 --measure-interval 4 --bins 16 --replicas 2",
        ["0:48"],
    ),
]


def run(program: str, *arguments: str | Path) -> None:
    done = subprocess.run([BUILD / "bin" / program, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@dataclass(frozen=True)
class MadeStudy:
    """The folder of its results."""

    folder: Path

    def shards(self, name: str) -> list[Path]:
        return sorted((self.folder / "shards" / name).glob("*.h5"))

    def reduced(self, name: str) -> Path:
        return self.folder / "reduced" / name / "sums.h5"

    def combined(self, name: str) -> pd.DataFrame:
        """The table that psflip-analysis makes of a run."""
        return pd.read_csv(self.folder / "tables" / name / "table.csv")


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> MadeStudy:
    if not all((BUILD / "bin" / program).exists() for program in ("psflip", "psflip-analysis")):
        pytest.skip("psflip or psflip-analysis is not built")
    made = MadeStudy(tmp_path_factory.mktemp("results") / "small")
    for name, system, options, samples in JOBS:
        for kind in ("shards", "reduced", "tables"):
            (made.folder / kind / name).mkdir(parents=True)
        for ids in samples:
            output = made.folder / "shards" / name / f"{ids.replace(':', '_')}.h5"
            run("psflip", *system.split(), *options.split(), "--samples", ids, "--seed", "3", "--output", output)
        run("psflip-analysis", "reduce", *made.shards(name), "--output", made.reduced(name))
        table = made.folder / "tables" / name / "table.csv"
        run("psflip-analysis", "combine", made.reduced(name), "--output", table)
    return made
