"""Parts of published pages: lists of names and rows of tables, in Markdown."""

from __future__ import annotations

import pandas as pd


def distinct(column: pd.Series, letters: int | None = None) -> str:
    """What a column of provenance.csv names, where a run of several machines or commits has them with a slash between;
    of each the first letters, since builds note more or fewer digits of a commit."""
    return " and ".join(sorted({name[:letters] for cell in column.fillna("unknown") for name in cell.split(" / ")}))


def lines(rows: list[list[object]]) -> str:
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)
