"""Tables of crossings: pairs of sizes whose curves cross, and pairs whose curves do not."""

from __future__ import annotations

import numpy as np
import pandas as pd


def crossed(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with a temperature: crossings of pairs and their limits."""
    return table[table["T_crossing"].notna()].reset_index(drop=True) if len(table) else table


def uncrossed(table: pd.DataFrame) -> pd.DataFrame:
    """The pairs whose curves do not cross in the measured range of temperatures."""
    if not len(table):
        return table
    return table[table["T_crossing"].isna() & np.isfinite(table["L2"])].reset_index(drop=True)
