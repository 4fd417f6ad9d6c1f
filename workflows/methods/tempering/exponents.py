"""Effective exponents nu and eta from quotients of two sizes at the published critical temperature.

Finite-size scaling (M. N. Barber, in Phase Transitions and Critical Phenomena 8, 1983): at T_c the slope of U4 or xi/L in
temperature grows as L^(1/nu), and [q^2] falls as L^-(d - 2 + eta). Corrections to scaling make both depend on the sizes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.interpolate import BarycentricInterpolator

from workflows.methods.equilibrium.summary import SYMBOLS
from workflows.models.section import Section
from workflows.statistics.headline import LITERATURE, NOT_IN_EQUILIBRIUM, Headline
from workflows.statistics.literature import critical_temperature
from workflows.study.presets import presets
from workflows.tables.table import fewest_blocks, select, settled, sizes

SLOTS = 4  # around a temperature, through which the polynomial goes


class Near(NamedTuple):
    """An observable of one size at T_c."""

    value: float
    error: float  # the larger one of the two slots next to it
    slope: float  # d ln(value) / dT
    blocks: int | None
    equilibrated: bool  # all slots that enter passed


def near(table: pd.DataFrame, size: int, observable: str, t: float) -> Near | None:
    """From the polynomial through the four slots around `t`; None if there are fewer, or two of them on neither side."""
    rows = select(table, L=size, observable=observable).sort_values("T")
    below = int((rows["T"] <= t).sum())
    used = rows.iloc[max(0, below - SLOTS // 2) : below + SLOTS // 2]
    if len(used) < SLOTS or not np.isfinite(used["value"]).all():
        return None
    curve, step = BarycentricInterpolator(used["T"], used["value"]), 1e-4 * t
    value, rise = float(curve(t)), float(curve(t + step) - curve(t - step))
    inner = used.iloc[SLOTS // 2 - 1 : SLOTS // 2 + 1]
    slope = rise / (2 * step * value)
    return Near(value, float(inner["error"].max()), slope, fewest_blocks(used), bool(settled(used).all()))


def logarithm(one: Near, two: Near, ratio: float, t_error: float) -> tuple[float, float, float]:
    """ln(two / one) / ln(ratio), its statistical error (sizes are independent), and its error from that of T_c."""
    power = np.log(two.value / one.value) / np.log(ratio)
    error = np.hypot(one.error / one.value, two.error / two.value) / np.log(ratio)
    return float(power), float(error), float(abs(two.slope - one.slope) * t_error / np.log(ratio))


def exponent(table: pd.DataFrame, section: Section, pair: tuple[int, int], observable: str) -> Headline | None:
    """nu from U4_slope or xi_over_L_slope, eta from q2."""
    known = LITERATURE[critical_temperature(section.model)]
    one, two = (near(table, size, observable, known["value"]) for size in pair)
    if one is None or two is None or one.value * two.value <= 0:
        return None
    power, error, systematic = logarithm(one, two, pair[1] / pair[0], known["error"])
    ends = f"at T_c, L = {pair[0]}, {pair[1]}"
    if observable == "q2":
        key, name, value = "eta", f"η from [⟨q²⟩] {ends}", 2 - presets()[section.model].dimension - power
    else:
        key, name = "nu", f"ν from the slopes of {SYMBOLS[observable.removesuffix('_slope')]} {ends}"
        value, error, systematic = 1 / power, error / power**2, systematic / power**2
    reference = LITERATURE[f"{section.model}_{key}"]
    return Headline(
        f"{section.family}: {name}",
        value,
        error,
        reference["value"],
        reference["error"],
        reference["source"],
        verdict="effective" if one.equilibrated and two.equilibrated else NOT_IN_EQUILIBRIUM,
        note="first error statistical, second from the error of T_c; corrections to scaling are not removed",
        error_systematic=systematic,
        blocks=min((number.blocks for number in (one, two) if number.blocks is not None), default=None),
    ).judged()


def exponents(table: pd.DataFrame, section: Section) -> list[Headline]:
    """Of neighbouring sizes and of the smallest with the largest, where T_c, nu and eta of the model are published."""
    wanted = {f"{section.model}_{key}" for key in ("T_critical", "nu", "eta")}
    if not section.published or not wanted <= LITERATURE.keys():
        return []
    all_sizes = sizes(table)
    pairs = list(pairwise(all_sizes)) + ([(all_sizes[0], all_sizes[-1])] if len(all_sizes) > 2 else [])
    found = [exponent(table, section, pair, name) for name in ("xi_over_L_slope", "U4_slope", "q2") for pair in pairs]
    return [number for number in found if number is not None]
