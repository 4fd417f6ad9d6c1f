"""By hand: which part r of the variance of m the means over a bin keep, how U4 and chi_k / m^2 still drift, and which samples make r.

python -m workflows.scripts.remaining results/STUDY/reduced/rfim3d_.../FIRST_SHARDSxSAMPLES.h5 [--packs 10] [--samples FIRST:COUNT]

r is the mean over samples of (m^0 - m^1)^2 / 2, m^0 and m^1 the means of the two sets over the bin, over the thermal variance of m
(docs/analysis/equilibration_rfim3d.md), with its jackknife error over blocks in its last digits. Under the line of a slot: the
differences of the bins before the last one to it, in units of the error quoted for the last one, with their paired jackknife errors; and
the blocks that make most of r in the last bin, by their first sample, with their shares of r in all bins. With --packs, the
remainder in extended runs of so many packs of 32 samples (docs/rfim3d.md): the packs with the largest shares in the third-last bin, which
would have been extended after the second-last bin, and the shares of all others in these two later bins.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np

from workflows.study.error import StudyError

Quantity = Callable[..., np.ndarray]  # of sums of primaries over blocks


def jackknife(quantity: Quantity, *sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The quantity of all blocks, which are the last axis of the sums, and those of all but one block each."""
    return quantity(*(x.sum(-1) for x in sums)), quantity(*(x.sum(-1, keepdims=True) - x for x in sums))


def error(without: np.ndarray) -> np.ndarray:
    """Jackknife error from the values without a block each, the last axis."""
    return np.sqrt((without.shape[-1] - 1) * without.var(-1))


def ratio_with_error(top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ratio of the sums over the last axis, blocks, and its jackknife error."""
    value, without = jackknife(np.divide, top, bottom)
    return value, error(without)


def drifts(quantity: Quantity, *sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each bin, the axis before the blocks, but the last: its difference to the last one and that difference's error, both in errors
    of the last one."""
    value, without = jackknife(quantity, *sums)
    unit = error(without[..., -1, :])[..., None]
    difference, each = value[..., :-1] - value[..., -1:], without[..., :-1, :] - without[..., -1:, :]
    return difference / unit, error(each) / unit


def written(values: np.ndarray, errors: np.ndarray, digits: int, sign: str = "") -> str:
    return " ".join(f"{value:{sign}.{digits}f}({10**digits * sigma:.0f})" for value, sigma in zip(values, errors))


def read_sums(path: Path, only: range | None) -> dict[str, np.ndarray]:
    """Sums of blocks [slot, bin, block] and what they are sums of, of all samples or of some. StudyError: not such sums, too few."""
    try:
        with h5py.File(path) as file:
            size = int(file.attrs["block_samples"])
            firsts = file["block"][:] * size
            taken = np.isin(firsts, only) if only is not None else np.full(len(firsts), True)
            names = ("gap_m", "m2", "m4", "m_m", "chi_k")
            sums = {name: file[f"block_{name}"][:][..., taken] for name in names}
            sums["n"] = np.broadcast_to(file["block_samples"][:][taken], sums["m2"].shape)
            temperatures = file["temperature"][:]
    except (OSError, KeyError) as error:
        raise StudyError(
            f"{path} has no sums of rfim3d; take a file of a folder results/STUDY/reduced/rfim3d_*"
        ) from error
    if taken.sum() < 2:
        raise StudyError(f"{path} has fewer than two blocks of these samples, which errors need; give more")
    return sums | {"temperatures": temperatures, "firsts": firsts[taken], "size": np.array(size)}


def stopping(shares: np.ndarray, firsts: np.ndarray, size: int, packs: int) -> np.ndarray:
    """Of shares [slot, bin, block], which blocks are not of the packs with the largest shares in the last bin but two, summed over slots."""
    pack, bins = firsts // 32, shares.shape[1]
    known = len(set(pack))
    if 32 % size or bins < 3 or not 0 < packs < known:
        raise StudyError(
            f"--packs {packs} of {known}: needs fewer than there are, three bins and blocks that divide 32 samples; "
            f"these sums have {bins} bins and blocks of {size}"
        )
    of_pack = np.bincount(pack, weights=shares[:, -3].sum(0))
    return ~np.isin(pack, np.argsort(-of_pack, kind="stable")[:packs])


def remaining(path: Path, shown: int = 5, drifting: int = 3, packs: int = 0, only: range | None = None) -> list[str]:
    """A line for each slot, under it one for each of two quantities with the last drifts and one for each of some blocks."""
    of = read_sums(path, only)
    gap, variance = of["gap_m"], of["m2"] - of["m_m"]
    r, errors = ratio_with_error(gap, variance)
    moving = {
        "U4": drifts(lambda m2, m4, n: m4 * n / m2**2, of["m2"], of["m4"], of["n"]),
        "chi_k/m2": drifts(np.divide, of["chi_k"], of["m2"]),
    }
    all_shares, lines = gap / variance.sum(-1, keepdims=True), []
    stop = stopping(all_shares, of["firsts"], int(of["size"]), packs) if packs else None
    for slot, (temperature, shares) in enumerate(zip(of["temperatures"], all_shares)):
        lines.append(f"T = {temperature:.5f}: " + written(r[slot], errors[slot], 3))
        for name, (difference, each) in moving.items():
            lines.append(f"  {name:>8}: " + written(difference[slot, -drifting:], each[slot, -drifting:], 2, "+"))
        if stop is not None:
            lines.append("    others: " + " ".join(f"{share:.3f}" for share in shares[-2:, stop].sum(-1)))
        for block in np.argsort(-shares[-1], kind="stable")[:shown]:
            lines.append(f"  {of['firsts'][block]:8d}: " + " ".join(f"{share:.3f}" for share in shares[:, block]))
    return lines


def samples(text: str) -> range:
    first, count = (int(part) for part in text.split(":"))
    return range(first, first + count)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sums", type=Path)
    parser.add_argument("--packs", type=int, default=0, help="show the remainder in extended runs of so many packs")
    parser.add_argument("--samples", type=samples, help="FIRST:COUNT, the blocks that begin there alone")
    arguments = parser.parse_args()
    try:
        print("\n".join(remaining(arguments.sums, packs=arguments.packs, only=arguments.samples)))
    except StudyError as error:
        print(f"remaining.py: {error}.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
