"""The jobs that tests/mpi/scaling times: `default` on the cores of any machine, `gpus` on the GPUs of one host.

`samples` are the ids 0 to samples - 1, `slots` equally spaced temperatures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

Options = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """One job on one rank. `scalings`: how it may grow with the ranks; empty: in each way."""

    model: str
    method: str
    options: Options
    scalings: tuple[str, ...] = ()

    def changed(self, **options: Any) -> Job:
        return replace(self, options=self.options | options)


@dataclass(frozen=True)
class Preset:
    """Jobs by name, and the options of the command that they need."""

    jobs: dict[str, Job]
    backend: str
    mpirun: str
    scalings: str
    limit: float  # seconds of all rounds of runs
    timeout: float  # seconds of a run


# Seven seconds each on one core at the speeds of docs/performance.md.
DEFAULT = {
    "ea3d": Job("ea3d", "relaxation", {"L": 32, "T": 1.1, "samples": 512, "replicas": 4, "sweeps": 4000}),
    "ising2d": Job(
        "ising2d",
        "equilibrium",
        {"L": 4096, "T": 2.269, "samples": 1, "sweeps": 7680, "measure-interval": 60, "bins": 16},
    ),
    "rfim3d": Job(
        "rfim3d",
        "tempering",
        {"L": 16, "h": 1, "slots": 24, "samples": 512, "sweeps": 1200, "exchange-interval": 10},
    ),
}


def glass(L: int, sweeps: int, *scalings: str) -> Job:
    """ea3d in slabs: figures 12 and 13 of Lulli, Bernaschi, Parisi, arXiv:1411.0127."""
    options = {"L": L, "T": 1.1, "samples": 128, "replicas": 4, "sweeps": sweeps}
    return Job("ea3d", "relaxation", options, scalings)


def square(L: int, sweeps: int, *scalings: str) -> Job:
    """ising2d as one lattice: tables 3 to 5 of Romero et al., Comput. Phys. Commun. 256, 107473 (2020)."""
    measured = {"measure-interval": sweeps // 2, "bins": 1}
    options = {"L": L, "T": 2.2691853, "samples": 1, "sweeps": sweeps} | measured
    return Job("ising2d", "equilibrium", options, scalings)


def slots(model: str, L: int, count: int, samples: int, sweeps: int, *scalings: str) -> Job:
    """Temperatures over GPUs, 10 sweeps between exchanges: figure 8 of Navarro, Huang, Deng, arXiv:1508.06268."""
    options = {"L": L, "slots": count, "samples": samples, "sweeps": sweeps, "exchange-interval": 10}
    return Job(model, "tempering", options | ({"h": 1} if model == "rfim3d" else {}), scalings)


# On one H100 twelve and seven seconds for the first two, seven for the next two. Several GPUs lose a fixed time at the
# start: 0.02 s of two, 0.04 s of four. The others take half a second to a second. In order of importance, since a limit
# of time may leave out the last runs.
GPUS = {
    "ising2d-32768": square(32768, 38400, "strong", "weak", "shards"),
    "ising2d-65536": square(65536, 5600, "strong"),
    "ea3d-256": glass(256, 4800, "strong", "samples", "shards"),
    "rfim3d-64": slots("rfim3d", 64, 32, 512, 3200, "strong", "weak", "shards"),
    "ea3d-192": glass(192, 1400, "strong"),
    "ea3d-128": glass(128, 6000, "strong"),
    "ea3d-96": glass(96, 12000, "strong"),
    "ea3d-64": glass(64, 30000, "strong"),
    "rfim3d-32": slots("rfim3d", 32, 32, 512, 2400, "strong"),
    "rfim3d-16": slots("rfim3d", 16, 32, 512, 12000, "strong"),
    "rfim3d-8": slots("rfim3d", 8, 32, 512, 30000, "strong"),
    "ea3d-tempering-32": slots("ea3d", 32, 24, 1024, 2000, "strong"),
    "ea3d-tempering-16": slots("ea3d", 16, 24, 1024, 12000, "strong", "weak"),
}

PRESETS = {
    "default": Preset(DEFAULT, "cpu", "mpirun --bind-to core", "strong,weak,shards", float("inf"), 600),
    "gpus": Preset(GPUS, "cuda", "mpirun --bind-to none", "strong,weak,samples,shards", 360, 60),
}

LARGEST = {"ea3d": 256, "ising2d": 65536}  # sizes that psflip takes
DIMENSIONS = {"ea3d": 3, "ising2d": 2, "rfim3d": 3}
RANGE_OF_T = {"rfim3d": (3.6, 4.6), "ea3d": (1.0, 2.15)}  # of temperature slots
SETS = {"rfim3d": 2, "ea3d": 4}  # replica sets of exchange Monte Carlo
