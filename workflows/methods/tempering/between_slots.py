"""A coupling at any temperature inside a grid of slots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.interpolate import CubicHermiteSpline

from workflows.tables.table import fewest_blocks, select, settled


class Interpolated(NamedTuple):
    value: float
    error: float  # the larger one of the slots next to it
    blocks: int | None
    equilibrated: bool  # the slots passed
    is_between: bool  # two slots


def at_temperature(table: pd.DataFrame, size: int, observable: str, t: float) -> Interpolated | None:
    """U4 or xi_over_L of one size in a slot or between two, from the cubic with the values and slopes at both; None outside of the
    slots and without slopes."""
    mine = select(table, L=size)
    values, slopes = (
        select(mine, observable=name).set_index("T").sort_index() for name in (observable, f"{observable}_slope")
    )
    slot = values.index[np.isclose(values.index, t, rtol=1e-9)]
    below, above = values.index[values.index < t], values.index[values.index > t]
    if len(slot):
        near, value = values.loc[slot[:1]], values["value"][slot[0]]
    elif len(below) and len(above) and {below[-1], above[0]} <= set(slopes.index):
        pair = [below[-1], above[0]]
        near = values.loc[pair]
        value = CubicHermiteSpline(pair, near["value"], slopes.loc[pair, "value"])(t)
    else:
        return None
    return Interpolated(
        float(value), float(near["error"].max()), fewest_blocks(near), bool(settled(near).all()), not len(slot)
    )
