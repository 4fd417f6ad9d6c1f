"""By hand: which part r of the variance of m the means over a bin keep, slot by slot and bin by bin, and which samples make it.

remaining.py results/STUDY/reduced/rfim3d_.../FIRST_SHARDSxSAMPLES.h5

r is the mean over samples of (m^0 - m^1)^2 / 2, m^0 and m^1 the means of the two sets over the bin, over the thermal variance of m
(docs/analysis.md, equilibration of rfim3d), with its jackknife error over blocks in its last digits. Under the line of a slot the blocks
that make most of r in the last bin, by their first sample, and their shares of r in all bins.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import h5py
import numpy as np


def ratio_with_error(top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ratio of the sums over the last axis, blocks, and its jackknife error."""
    tops, bottoms, blocks = top.sum(-1, keepdims=True), bottom.sum(-1, keepdims=True), top.shape[-1]
    without = (tops - top) / (bottoms - bottom)
    variance = (blocks - 1) * without.var(-1)
    return (tops / bottoms)[..., 0], np.sqrt(variance)


def remaining(path: Path, shown: int = 5) -> list[str]:
    """A line for each slot, with one for each of some blocks under it."""
    with h5py.File(path) as file:
        gap, variance = file["block_gap_m"][:], file["block_m2"][:] - file["block_m_m"][:]
        firsts = file["block"][:] * int(file.attrs["block_samples"])
        temperatures = file["temperature"][:]
    r, error = ratio_with_error(gap, variance)
    lines = []
    for slot, temperature in enumerate(temperatures):
        shares = gap[slot] / variance[slot].sum(-1, keepdims=True)
        bins = " ".join(f"{value:.3f}({1000 * sigma:.0f})" for value, sigma in zip(r[slot], error[slot]))
        lines.append(f"T = {temperature:.5f}: {bins}")
        for block in np.argsort(-shares[-1], kind="stable")[:shown]:
            lines.append(f"  {firsts[block]:6d}: " + " ".join(f"{share:.3f}" for share in shares[:, block]))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sums", type=Path)
    print("\n".join(remaining(parser.parse_args().sums)))


if __name__ == "__main__":
    main()
