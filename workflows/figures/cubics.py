"""Curves between the temperature slots of exchange Monte Carlo, from the measured values and slopes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.interpolate import CubicHermiteSpline

from workflows.tables.table import settled


def pieces(rows: pd.DataFrame, slopes: pd.DataFrame) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The cubics with the values and slopes of two neighbouring slots, where both passed the test and the errors of the
    slopes move its middle, by (T' - T) / 8 times their difference, no more than the values have errors."""
    known = rows.merge(slopes[["T", "value", "error"]], on="T", suffixes=("", "_slope"), how="left").sort_values("T")
    known["passed"] = settled(known) & known["value"].notna() & known["value_slope"].notna()
    for low, high in zip(known.iloc[:-1].itertuples(), known.iloc[1:].itertuples()):
        blur = (high.T - low.T) / 8 * np.hypot(low.error_slope, high.error_slope)
        if low.passed and high.passed and blur <= max(low.error, high.error):
            ends = [low.T, high.T], [low.value, high.value], [low.value_slope, high.value_slope]
            grid = np.linspace(low.T, high.T, 40)
            yield grid, CubicHermiteSpline(*ends)(grid)
