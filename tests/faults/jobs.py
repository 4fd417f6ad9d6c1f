"""Jobs of seconds for each engine, their processes, and what is left of them on disk."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

# A second or so on an idle core. Files of half a megabyte: writing one takes long enough to be interrupted.
JOBS = {
    "ea3d": "ea3d relaxation --L 8 --T 0.9,1.1 --samples 29:500 --sweeps 16000 --seed 7 --save-spins --save-disorder",
    "ising2d": "ising2d equilibrium --L 16 --T 2.2,2.3 --samples 29:500 --sweeps 32000 --seed 7 --measure-interval 20 --bins 32 --save-spins",
    "rfim3d": "rfim3d tempering --L 8 --h 1 --T 3.4,3.7,4.1,4.6 --samples 29:500 --sweeps 3200 --seed 7 --save-spins --save-disorder",
}
# How, when and where a file was made; everything else must be equal.
RUN_ATTRIBUTES = {
    "seconds",
    "seconds_measuring",
    "halo",
    "seconds_checkpointing",
    "ps_per_flip",
    "created",
    "git_commit",
    "threads",
}
DONE, REFUSED, AGAIN = 0, 2, 75


class Fault(Exception):
    """A result that is wrong or lost, or a job that did not end as it must."""


@dataclass
class Workshop:
    """The folder of one job of one engine: its output, its checkpoint, what it said last."""

    engine: str
    program: Path
    folder: Path
    backend: str = "cpu"
    said: str = field(default="", init=False)
    percent: float = field(default=0.0, init=False)  # where the job went on the last time

    @property
    def output(self) -> Path:
        return self.folder / f"{self.engine}.h5"

    @property
    def checkpoint(self) -> Path:
        return self.folder / f"{self.engine}.checkpoint"

    @property
    def previous(self) -> Path:
        return self.folder / f"{self.engine}.checkpoint.previous"

    def start(self, interval: float, *options: str, shell: str = "") -> subprocess.Popen[str]:
        """A process of the job; `shell` runs before it in the same process."""
        command = [str(self.program), *JOBS[self.engine].split(), "--backend", self.backend]
        command += ["--checkpoint", str(self.checkpoint), "--checkpoint-interval", str(interval)]
        command += ["--output", str(self.output), *options]
        if shell:
            command = ["bash", "-c", f'{shell}; exec "$@"', "bash", *command]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def end(self, process: subprocess.Popen[str]) -> int:
        """Waits for the process, checks what it said about continuing, and returns its exit code."""
        self.said = process.communicate()[1]
        continued = re.search(r"^continuing from .* at ([0-9.]+) %", self.said, re.M)
        if continued:
            if float(continued[1]) < self.percent - 0.1:
                raise Fault(f"{self.engine} went back from {self.percent} % to {continued[1]} %")
            self.percent = float(continued[1])
        return process.returncode

    def finish(self, *options: str) -> None:
        """Runs the job to its end, which must be a good one."""
        code = self.end(self.start(600, *options))
        if code != DONE:
            raise Fault(f"{self.engine} ended with exit code {code}: {self.said.strip()}")

    def being_written(self) -> str:
        """What a process that was killed had begun to write: checkpoint, output or nothing."""
        for path, name in ((self.checkpoint, "checkpoint"), (self.output, "output")):
            if any(path.parent.glob(f"{path.name}.tmp.*")):
                return name
        return "nothing"

    def clear(self) -> None:
        self.percent = 0.0
        for path in self.folder.iterdir():
            path.unlink()


def content(path: Path) -> dict[str, object]:
    """Every dataset and attribute of a measurement file, except those of its run."""
    with h5py.File(path, "r") as file:
        found: dict[str, object] = {f"attribute {k}": v for k, v in file.attrs.items() if k not in RUN_ATTRIBUTES}
        return found | {name: dataset[()] for name, dataset in file.items()}


def require_equal(found: Path, expected: Path) -> None:
    ours, theirs = content(found), content(expected)
    if ours.keys() != theirs.keys():
        raise Fault(f"{found.name} has other datasets: {sorted(ours.keys() ^ theirs.keys())}")
    different = [name for name in ours if not np.array_equal(ours[name], theirs[name])]
    if different:
        raise Fault(f"{found.name} differs in {different}")
