"""The section of the report about the Nishimori line."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.line.summary import SYMBOLS, published_point
from workflows.study.nishimori import nishimori_temperature
from workflows.study.presets import presets
from workflows.tables.notation import with_error


def line_table(table: pd.DataFrame) -> dict[str, Any]:
    rows: list[list[object]] = [
        [
            SYMBOLS[row.observable],
            f"{row.L1}, {row.L2}",
            with_error(row.p_crossing, row.error),
            with_error(row.T_crossing, row.T_error),
            with_error(row.value, row.value_error),
            "yes" if row.equilibrated else "no",
        ]
        for row in table.itertuples()
    ]
    known = published_point(str(table["model"].iloc[0])) if len(table) else None
    if known:
        p, error, _ = known
        half = (nishimori_temperature(p + error) - nishimori_temperature(p - error)) / 2
        T = with_error(nishimori_temperature(p), half)
        rows.append(["published", "L → ∞", with_error(p, error), T, "–", "–"])
    return {
        "caption": "Crossings of pairs of sizes along the line: parabolas in p through all its points. m and q have the same distribution "
        "there, so their crossings are two estimates from the same samples. They depend on L; none of them is the multicritical point.",
        "head": ["coupling", "L, L′", "p", "T", "value there", "equilibrated"],
        "text": ["coupling", "equilibrated"],
        "rows": rows,
    }


def lines(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Heading, figure and table of every line of a study."""
    groups = table.groupby("group", sort=False) if len(table) else ()
    return [
        {"title": presets()[str(rows["model"].iloc[0])].title, "figure": f"{group}_line", "table": line_table(rows)}
        for group, rows in groups
    ]
