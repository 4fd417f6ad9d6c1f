"""The histogram of the overlap in tables: rows P_q_0, P_q_1, ... of a temperature slot, from q = -1 to q = 1."""

from __future__ import annotations

import pandas as pd

PREFIX = "P_q_"


def densities(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the histogram of one slot with the centre q of their bins, ordered by q."""
    rows = table[table["observable"].str.startswith(PREFIX)].dropna(subset=["value"])
    bins = rows["observable"].str.removeprefix(PREFIX).astype(int)
    count = int(bins.max()) + 1 if len(bins) else 1
    return rows.assign(q=(2 * bins + 1) / count - 1).sort_values("q")


def coldest(table: pd.DataFrame, size: int) -> float:
    """The lowest temperature of a size."""
    return float(table[table["L"] == size]["T"].min())
