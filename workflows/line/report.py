"""The section of the report about the Nishimori line."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.line.summary import SYMBOLS, published_point
from workflows.study.nishimori import nishimori_temperature
from workflows.study.presets import presets
from workflows.study.study import Part, Study
from workflows.tables.notation import with_error
from workflows.tables.table import select


def without_crossing(parts: list[Part]) -> str:
    """What to read and do where no two sizes cross along a line."""
    values = [part.p for part in parts if part.p is not None]
    return (
        f"The curves of no two sizes cross between p = {min(values):g} and {max(values):g}, or only by chance. To find a crossing, "
        "simulate values of p outside this range, or more samples if the curves agree within errors."
    )


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


def lines(table: pd.DataFrame, study: dict[str, Any]) -> list[dict[str, Any]]:
    """Heading, figure and table of every line of a study, from its crossings and the content of its file."""
    found = []
    for group, parts in Study(study).nishimori_lines.items():
        rows = select(table, group=group)
        content = line_table(rows) if len(rows) else {"rows": [], "note": without_crossing(parts)}
        found.append({"title": presets()[parts[0].model].title, "figure": f"{group}_line", "table": content})
    return found
