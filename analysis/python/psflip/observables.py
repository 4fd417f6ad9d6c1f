"""Observables by name, and covariances between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray as xr

from psflip.error import PsflipError
from psflip.resampling import Estimate, jackknife
from psflip.selection import Source
from psflip.sums import block_sums

Formula = Callable[[xr.Dataset], Any]


def order_parameter(mean: xr.Dataset) -> str:
    """q with random bonds, otherwise m."""
    return "q" if mean.attrs["couplings"] == "bimodal" else "m"


def square(mean: xr.Dataset) -> xr.DataArray:
    return mean[order_parameter(mean) + "2"]


def U4(mean: xr.Dataset) -> xr.DataArray:
    return mean[order_parameter(mean) + "4"] / square(mean) ** 2


def xi(mean: xr.Dataset) -> xr.DataArray:
    ratio = mean["sites"] * square(mean) / mean["chi_k"]
    length: xr.DataArray = (ratio - 1) ** 0.5 / (2 * np.sin(np.pi / mean["L"]))
    return length


def specific_heat(mean: xr.Dataset) -> xr.DataArray:
    squared = mean["e_x_e"] if "e_x_e" in mean else mean["e"] ** 2
    return mean["sites"] * (mean["e_2"] - squared) / mean["T"] ** 2


# Definitions: docs/analysis/observables.md. Every mean of block sums, such as e or q2, is an observable too.
OBSERVABLES: dict[str, Formula] = {
    "C": specific_heat,
    "U4": U4,
    "g": lambda mean: (3 - U4(mean)) / 2,
    "binder_U": lambda mean: 1 - U4(mean) / 3,
    "U22": lambda mean: mean["q2_q2"] / mean["q2"] ** 2 - 1,
    "chi": lambda mean: mean["sites"] * square(mean),
    "xi": xi,
    "xi_over_L": lambda mean: xi(mean) / mean["L"],
    "chi_con": lambda mean: mean["sites"] * (mean["m2"] - mean["m_m"]),
    "chi_dis": lambda mean: mean["sites"] * mean["m_m"],
}


def formula_of(observable: str | Formula, sums: xr.Dataset) -> Formula:
    if callable(observable):
        return observable
    if observable in sums:
        return lambda mean: mean[observable]
    if observable not in OBSERVABLES:
        there = ", ".join([*OBSERVABLES, *sorted(map(str, sums.data_vars))])
        raise PsflipError(f"There is no observable {observable}; give one of {there}, or a function of the means.")
    return OBSERVABLES[observable]


def at_point(study: Source, point: Mapping[str, Any]) -> tuple[Estimate, xr.Dataset]:
    """The estimate at a point that names a single number, and the sums behind it."""
    if "observable" not in point:
        raise PsflipError("A point names no observable; give for example dict(observable='U4', L=8, T=1.1).")
    where = {name: value for name, value in point.items() if name not in ("observable", "t")}
    sums = block_sums(study, **where)
    if "t" in point and "t" in sums.dims:
        if point["t"] not in sums["t"]:
            raise PsflipError(f"There is no measurement at t = {point['t']}; give one of {sums['t'].values.tolist()}.")
        sums = sums.sel(t=point["t"])
    sums = sums.squeeze([name for name in ("T", "t") if sums.sizes.get(name) == 1])
    several = [str(name) for name in sums.dims if name != "block"]
    if several:
        raise PsflipError(f"The point {dict(point)} leaves several {several[0]}; give one value of {several[0]}.")
    try:
        return jackknife(formula_of(point["observable"], sums), sums), sums
    except KeyError as error:
        there = ", ".join(map(str, sums.data_vars))
        raise PsflipError(
            f"{point['observable']} needs sums that the files lack; they have {there}; choose another observable."
        ) from error


def covariance(study: Source, a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
    """Jackknife covariance of two numbers, each a point such as dict(observable="U4", L=8, T=4.0, h=0.5); `observable` is
    a name or a function of means, the rest are conditions as in psflip.open, and t the time of a relaxation.

    Points of one model, L and seed share their samples: fields are the same at all h and T, couplings at all T, and
    nested in p other than 1/2. Their blocks are joined by number. Points that share no samples have the covariance 0.
    An estimate from g blocks has an error of about sigma_a sigma_b / sqrt(g), also where the covariance vanishes.
    Raises PsflipError if a point is not a single number, or blocks have different lengths."""
    (one, left), (other, right) = (at_point(study, point) for point in (a, b))
    shared = ("model", "L", "seed", "disorder_hash")
    if any(left.attrs.get(name) != right.attrs.get(name) for name in shared):
        return 0.0
    sizes = [data.attrs["block_samples"] for data in (left, right)]
    if sizes[0] != sizes[1]:
        raise PsflipError(
            f"Blocks of {sizes[0]} and {sizes[1]} samples cannot be joined; give both parts of the study the same"
            " block_samples."
        )
    _, i, j = np.intersect1d(left["block"].values, right["block"].values, return_indices=True)
    return float(one.deviations.values[i] @ other.deviations.values[j])
