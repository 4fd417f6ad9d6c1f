"""The table of exact results in the report."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.identities.summary import SYMBOLS
from workflows.tables.notation import signed, with_error


def row_of(row: Any) -> list[object]:
    passed = "yes" if row.equilibrated else "no"
    p = "–" if pd.isna(row.p) else f"{row.p:g}"
    expected = f"{row.expected:.7g}".replace("-", "−")
    pull = signed((row.value - row.expected) / row.error)
    return [SYMBOLS[row.quantity], row.L, p, f"{row.T:.6g}", with_error(row.value, row.error), expected, pull, passed]


def identity_tables(table: pd.DataFrame) -> list[dict[str, Any]]:
    """One table for each group of points."""
    return [
        {
            "title": group,
            "table": {
                "caption": "Exact results for finite lattices. Points of one size share samples; their χ² in the results above, with their "
                "covariance, counts those that passed the equilibration test.",
                "head": ["quantity", "L", "p", "T", "value", "exact", "deviation / error", "equilibrated"],
                "text": ["quantity", "equilibrated"],
                "rows": [row_of(row) for row in rows.itertuples()],
            },
        }
        for group, rows in (table.groupby("group", sort=False) if len(table) else ())
    ]
