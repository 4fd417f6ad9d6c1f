#!/usr/bin/env python3
"""Exchange Monte Carlo of given couplings by peapods: peapods_chains.py INPUT.npz OUTPUT.npz

Runs in an environment that has peapods and numpy and nothing of psflip; compare_peapods.py makes it and starts this file.

INPUT: `couplings` int8 [sample, z, y, x, axis], the bond from a site to its neighbour in the positive direction of an axis
of the array; `temperatures` float32, coldest first; `warmup`, `block`, `blocks`, `interval`: sweeps that are not measured,
sweeps of a block, number of blocks, sweeps between exchanges. OUTPUT: `energy` (sum of J s s over N: peapods has no minus
sign) and `overlap2` [sample, block, slot], `seconds` and `cpu_seconds` of all sweeps, `flips` attempted in them;
`one_spins` [replica, slot, z, y, x] and `one_energy` [slot] after a single sweep of the first sample.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from peapods import Ising

REPLICAS = 2


def model_of(couplings: np.ndarray, temperatures: np.ndarray) -> Ising:
    return Ising(
        couplings.shape[:-1], couplings=couplings.astype(np.float32), temperatures=temperatures, n_replicas=REPLICAS
    )


def one_measurement(couplings: np.ndarray, temperatures: np.ndarray) -> dict[str, np.ndarray]:
    """Spins and mean energy of the replicas of each slot, measured once after one sweep without exchange."""
    model = model_of(couplings, temperatures)
    with np.errstate(divide="ignore", invalid="ignore"):  # its Binder ratios of an overlap of 0
        result = model.sample(1, warmup_ratio=0.0)
    shape = (REPLICAS, len(temperatures), *couplings.shape[:-1])
    return {"one_spins": np.asarray(model._sim.get_spins()).reshape(shape), "one_energy": result["energies"]}


def main() -> int:
    given = dict(np.load(sys.argv[1]))
    warmup, block, blocks, interval = (int(given[key]) for key in ("warmup", "block", "blocks", "interval"))
    temperatures = given["temperatures"]
    energy, overlap2 = [], []
    seconds, cpu_seconds = 0.0, 0.0
    for couplings in given["couplings"]:
        model = model_of(couplings, temperatures)
        start, cpu_start = time.perf_counter(), time.process_time()
        model.sample(warmup, pt_interval=interval, warmup_ratio=0.0)
        of_blocks = [model.sample(block, pt_interval=interval, warmup_ratio=0.0) for _ in range(blocks)]
        seconds += time.perf_counter() - start
        cpu_seconds += time.process_time() - cpu_start
        energy.append([one["energies"] for one in of_blocks])
        overlap2.append([one["overlap2"] for one in of_blocks])
    flips = len(energy) * (warmup + block * blocks) * given["couplings"][0, ..., 0].size * REPLICAS * len(temperatures)
    np.savez(
        sys.argv[2], energy=energy, overlap2=overlap2, seconds=seconds, cpu_seconds=cpu_seconds, flips=flips,
        **one_measurement(given["couplings"][0], temperatures),
    )  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
