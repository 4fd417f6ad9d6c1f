"""Sums over jackknife blocks, from the reduced files of a study."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr

from psflip.combining import combined, joined
from psflip.error import PsflipError
from psflip.selection import Source, read_chosen

PREFIX = "block_"
FEWEST_SAMPLE_BLOCKS = 16


def block_sums(
    source: Source, names: Iterable[str] | None = None, *, half: bool = True, verify: bool = True, **where: Any
) -> xr.Dataset:
    """Sums of sample quantities over jackknife blocks: variables such as `e`, `q2`, `q4` with the axes `T`, `t` or
    `bin`, and `block`; the coordinate `samples` [block] is the number of samples in each.

    half: relaxation: no effect. Equilibrium and tempering: sums over the second half of the run alone, without the axis
    `bin`, as the tables use them (docs/analysis.md); False: all bins.
    names: quantities to read; None: all.  verify, where: as in psflip.open.
    Raises PsflipError for unusable files, and where the files are not of one model and method."""
    chosen = None if names is None else {*names}
    there: set[str] = set()

    def taken(name: str) -> bool:
        there.add(name)
        is_wanted = chosen is None or name.removeprefix(PREFIX) in chosen
        return name.startswith(PREFIX) and (is_wanted or name == PREFIX + "samples")

    parts = []
    for data in read_chosen(source, "reduced", "reduced", taken, verify, where):
        data = data.drop_vars([name for name in ("pack", "product", "range") if name in data.coords])
        data = data.rename({name: str(name).removeprefix(PREFIX) for name in data.data_vars})
        # The last bin of exchange Monte Carlo is the second half of the run.
        is_last = half and data.attrs["method"] == "tempering"
        parts.append((data.isel(bin=-1, drop=True) if is_last else data).set_coords("samples"))
    result = combined(parts, lambda files: kept(add_blocks(files), half))
    for name in (chosen or set()) - set(result.data_vars):
        sums = sorted(one.removeprefix(PREFIX) for one in there if one.startswith(PREFIX))
        raise PsflipError(f"{source} has no sums of {name}; it has {', '.join(sums)}.")
    return result.assign_coords(samples=result["samples"].fillna(0.0))


def add_blocks(parts: list[xr.Dataset]) -> xr.Dataset:
    """Files of one job as one; sums of a block that lies in several files are added."""
    shared = set.intersection(*(set(part.data_vars) for part in parts))
    whole = joined([part[sorted(map(str, shared))] for part in parts], "block").sortby("block")
    ids, inverse = np.unique(whole["block"].values, return_inverse=True)
    if len(ids) == whole.sizes["block"]:
        return whole
    first = np.searchsorted(whole["block"].values, ids)
    added = whole.isel(block=first)
    for name in [*whole.data_vars, "samples"]:
        variable = whole[name]
        axis = variable.get_axis_num("block")
        sums = np.add.reduceat(variable.values, first, axis=axis)
        added[name] = (variable.dims, sums, variable.attrs)
    return added.set_coords("samples")


def kept(data: xr.Dataset, half: bool) -> xr.Dataset:
    """The second half of equal bins. Without disorder and with few blocks of samples, each bin of a block is a block."""
    if not half or "bin" not in data.dims:
        return data
    bins = data.sizes["bin"]
    data = data.isel(bin=slice(bins // 2, None))
    count = data.sizes["bin"]
    # Only independent lattices without disorder store the scatter of bins.
    if "bin_e_2" in data and data.sizes["block"] < FEWEST_SAMPLE_BLOCKS:
        samples = np.repeat(data["samples"].values, count)
        stacked = data.drop_vars("samples").stack({"one": ("block", "bin")}, create_index=False)
        stacked = stacked.drop_vars(["block", "bin"]).rename(one="block")
        return stacked.assign_coords(block=np.arange(stacked.sizes["block"]), samples=("block", samples))
    sums = data.sum("bin", skipna=False, keep_attrs=True)
    return sums.assign_coords(samples=data["samples"] * count)
