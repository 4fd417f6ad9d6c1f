"""Several Datasets of one model and method as one. Systems stay apart along axes L, h, p and seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import xarray as xr

from psflip.error import PsflipError
from psflip.files import SYSTEM

# What all files must agree in, and what those of one L, h, p, seed and T must agree in as well.
OF_ALL = ("kind", "model", "method", "J", "start", "random", "packing", "couplings", "replicas", "disorder_hash")
OF_ONE_JOB = ("sweeps", "measure_interval", "exchange_interval", "longer_packs", "longer_times", "block_samples")

Key = tuple[Any, ...]
Join = Callable[[list[xr.Dataset]], xr.Dataset]


def require_same(datasets: Iterable[xr.Dataset], names: tuple[str, ...]) -> None:
    for name in names:
        values = sorted({data.attrs.get(name) for data in datasets}, key=str)
        if len(values) > 1:
            listed = ", ".join(map(str, values))
            raise PsflipError(f"The files differ in {name} ({listed}); choose one, for example {name}={values[-1]!r}.")


def grouped(datasets: Iterable[xr.Dataset], key: Callable[[xr.Dataset], Key]) -> dict[Key, list[xr.Dataset]]:
    groups: dict[Key, list[xr.Dataset]] = {}
    for data in datasets:
        groups.setdefault(key(data), []).append(data)
    return dict(sorted(groups.items()))


def joined(parts: list[xr.Dataset], axis: str) -> xr.Dataset:
    """Along an axis; what does not depend on it and is the same in all stays as it is. Missing values become NaN."""
    if len(parts) == 1:
        return parts[0]
    same = [
        name
        for name, first in parts[0].data_vars.items()
        if axis not in first.dims and all(name in p and first.identical(p[name]) for p in parts[1:])
    ]
    rest = [part.drop_vars(same) for part in parts]
    whole = xr.concat(
        rest, axis, data_vars="all", coords="different", compat="equals", join="outer", combine_attrs="drop_conflicts"
    )
    return whole.assign({name: parts[0][name] for name in same if set(parts[0][name].dims) <= set(whole.dims)})


def combined(datasets: list[xr.Dataset], join_samples: Join) -> xr.Dataset:
    """All files as one Dataset. `join_samples` joins those that differ in their samples only. An axis L, h, p or seed
    is there where the files differ in it. Raises PsflipError if jobs differ in what no axis tells."""
    require_same(datasets, OF_ALL)
    systems = {
        key: of_one_system(members, join_samples)
        for key, members in grouped(datasets, lambda data: tuple(data[name].item() for name in SYSTEM)).items()
    }
    if len(systems) == 1:
        return next(iter(systems.values()))
    parts = numbered(list(systems.values()), ("bin", "T"))
    axes = [name for i, name in enumerate(SYSTEM) if len({key[i] for key in systems}) > 1]
    return nested([part.expand_dims(axes) for part in parts], axes)


def of_one_system(members: list[xr.Dataset], join_samples: Join) -> xr.Dataset:
    by_temperatures = grouped(members, lambda data: tuple(data["T"].values.tolist()))
    for group in by_temperatures.values():
        require_same(group, OF_ONE_JOB)
    parts = [join_samples(group) for group in by_temperatures.values()]
    is_tempered = members[0].attrs["method"] == "tempering"
    if is_tempered and len({part["T"].values.tolist() != parts[0]["T"].values.tolist() for part in parts}) > 1:
        grids = " and ".join(f"{part['T'].values[0]} to {part['T'].values[-1]}" for part in parts)
        raise PsflipError(
            f"The files hold exchange Monte Carlo on the slots {grids}; give the files of one grid alone."
        )
    return joined(numbered(parts, ("bin",)), "T").sortby("T")


def numbered(parts: list[xr.Dataset], axes: tuple[str, ...]) -> list[xr.Dataset]:
    """Bins and temperature slots of systems that do not have the same ones are counted: their ends and temperatures
    become the coordinates `last_sweep` and `T` over the axes `bin` and `slot`."""
    for axis in axes:
        is_counted = axis in parts[0].dims and (axis == "bin" or parts[0].attrs["method"] == "tempering")
        if is_counted and any(not part.indexes[axis].equals(parts[0].indexes[axis]) for part in parts):
            parts = [counted(part, axis) for part in parts]
    return parts


def counted(part: xr.Dataset, axis: str) -> xr.Dataset:
    number, name = ("bin", "last_sweep") if axis == "bin" else ("slot", "T")
    if name in part.coords and axis == "bin":
        return part  # already, for several temperatures
    values = xr.Variable(number, part[axis].values, part[axis].attrs)
    unnamed = part.drop_vars(axis).rename_dims({axis: number} if axis != number else {})
    return unnamed.assign_coords({number: np.arange(part.sizes[axis]), name: values})


def nested(parts: list[xr.Dataset], axes: list[str]) -> xr.Dataset:
    if not axes:
        return parts[0]
    axis, *rest = axes
    groups = grouped(parts, lambda data: (data[axis].item(),))
    return joined([nested(group, rest) for group in groups.values()], axis)
