"""Measurement files: integers, or sums of them over bins, of every sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr

from psflip.combining import combined, joined
from psflip.error import PsflipError
from psflip.selection import Source, read_chosen


def join_samples(parts: list[xr.Dataset]) -> xr.Dataset:
    """Shards of one job, in the order of their samples."""
    data = joined(parts, "sample").sortby("sample")
    ids, counts = np.unique(data["sample"].values, return_counts=True)
    if (counts > 1).any():
        raise PsflipError(
            f"Two files hold sample {ids[counts > 1][0]} of the same job; leave one out, or choose by one of the"
            " attributes in which they differ."
        )
    return data


def open(  # noqa: A001
    source: Source, variables: Iterable[str] | None = None, *, verify: bool = True, **where: Any
) -> xr.Dataset:
    """The measurements of a file, a study, a folder or a list of files, as integers that docs/file-format.md defines.

    Axes: `T` (temperature), `t` (relaxation: sweeps done) or `bin` (last sweep of it), `sample` (global id), and
    `replica`, `set` or `pair`; units of T are J / k_B. L, h, p, seed and sites (L^D) are coordinates. Where files
    differ in L, h, p or seed these are axes too, and NaN stands where a system lacks a sample, temperature or time;
    integers are then float64. Bins, and slots of exchange Monte Carlo, that differ between systems are counted, with
    `last_sweep` and `T` as coordinates. In bins a variable is the sum over `measurements`.

    variables: names to read; None: all.  verify: False reads files whose checksum footer is missing or wrong.
    where: conditions on T or on attributes of the files, a value or a list: model="ea3d", L=[8, 16], T=1.1.
    Raises PsflipError for unusable files, and where the files are not of one model and method."""
    names = None if variables is None else {*variables}
    there: set[str] = set()

    def taken(name: str) -> bool:
        there.add(name)
        return names is None or name in names or name in ("beta", "measurements")

    data = combined(list(read_chosen(source, "measurement", "shards", taken, verify, where)), join_samples)
    for name in (names or set()) - set(data.variables):
        raise PsflipError(f"{source} has no variable {name}; it has {', '.join(sorted(there))}.")
    return data
