"""Delete-one-block jackknife of any function of means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from psflip.error import PsflipError

Result = float | xr.DataArray


@dataclass(frozen=True)
class Estimate:
    """A number with its error; `value, error = estimate` takes it apart. With axes T, t, L, ... these are DataArrays.

    deviations: over `block`; the covariance of two estimates from the same blocks is the sum over blocks of the product
    of their deviations (docs/analysis/errors.md)."""

    value: Result
    error: Result
    blocks: Result
    deviations: xr.DataArray

    def __iter__(self) -> Iterator[Result]:
        return iter((self.value, self.error))


def jackknife(f: Callable[[xr.Dataset], Any], blocks: xr.Dataset, *, loop: bool = False) -> Estimate:
    """Value and error of a function of means over samples, from the sums of psflip.block_sums.

    f: takes a Dataset of means, such as `lambda mean: mean.q4 / mean.q2**2`, with the coordinates of the sums (T, L,
    sites) and gives a number or DataArray. It is called once with all deletions along the axis `block`, so it must act
    on each element alone, as numpy does; loop=True calls it for each deletion (for a fit, say).
    Bias-corrected, for blocks of unequal size: Busing, Meijer and van der Leeden, Stat. Comput. 9 (1999) 3, as in
    psflip-analysis. NaN where f is not finite for all blocks or for a deletion; one block gives no error.
    Raises PsflipError if f gives no number for each deletion."""
    samples = blocks["samples"].astype(float)
    sums = blocks.drop_vars("samples")
    total, count = sums.sum("block", skipna=False), samples.sum("block")
    if (samples == 0).any():  # systems with other numbers of blocks stand side by side
        sums = sums.where(samples > 0, 0.0)
        total = sums.sum("block", skipna=False)
    with np.errstate(all="ignore"):
        remaining = (total - sums) / (count - samples)
        theta = as_array(f(total / count))
        replicates = each(f, remaining) if loop else all_at_once(f, remaining)
        return estimate(theta, replicates, samples / count)


def all_at_once(f: Callable[[xr.Dataset], Any], means: xr.Dataset) -> xr.DataArray:
    result = f(means)
    if not isinstance(result, xr.DataArray) or result.sizes.get("block") != means.sizes["block"]:
        raise PsflipError(
            "The function gave no number for each block, so it does not act on each element alone; give loop=True."
        )
    return result


def each(f: Callable[[xr.Dataset], Any], means: xr.Dataset) -> xr.DataArray:
    results = [as_array(f(means.isel(block=j))) for j in range(means.sizes["block"])]
    whole = xr.concat(
        [one.drop_vars("block", errors="ignore") for one in results], "block", coords="minimal", compat="override"
    )
    return whole.assign_coords(block=means["block"])


def as_array(value: Any) -> xr.DataArray:
    return value if isinstance(value, xr.DataArray) else xr.DataArray(np.asarray(value, float))


def estimate(theta: xr.DataArray, replicates: xr.DataArray, part: xr.DataArray) -> Estimate:
    """From f of all blocks, f of each deletion, and the part of the samples in each block."""
    there = part > 0
    g = there.sum("block")
    left_out = ((1 - part) * replicates).where(there, 0.0).sum("block", skipna=False)
    value = (g * theta - left_out).where(g > 1, theta)
    pseudo = (theta - replicates) / part + replicates
    deviations = ((pseudo - value) / np.sqrt(g * (1 / part - 1))).where(there, 0.0)
    error = ((deviations**2).sum("block", skipna=False) ** 0.5).where(g > 1)
    return Estimate(plain(value), plain(error.where(np.isfinite(value))), plain(g), deviations)


def plain(array: xr.DataArray) -> Result:
    """A float for a single number."""
    return array if array.dims else array.item()
