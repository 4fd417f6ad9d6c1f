"""The tables of a study."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd


def read(path: Path) -> pd.DataFrame:
    """The tidy table; the equilibration test becomes true, false or missing."""
    table = pd.read_csv(path, dtype={"part": str})
    table["equilibrated"] = table["equilibrated"].astype("boolean")
    return table


def join(paths: list[Path]) -> pd.DataFrame:
    """Tables of one kind in one, in the given order."""
    return pd.concat([pd.read_csv(path) for path in paths], ignore_index=True) if paths else pd.DataFrame()


def select(table: pd.DataFrame, **where: object) -> pd.DataFrame:
    """The rows with these values; temperatures are compared as rounded, because files store beta."""
    chosen = pd.Series(True, index=table.index)
    for column, value in where.items():
        same = np.isclose(table[column], value, rtol=1e-9) if column == "T" else table[column] == value
        chosen &= same
    return table[chosen]


def of_parts(table: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """The rows of some parts of a study. A point that parts share has the name of the first one, whose system is the same."""
    if not len(table):
        return table
    wanted = set(names)  # parts share some points, which have the names of all
    return table[[not wanted.isdisjoint(part.split(" / ")) for part in table["part"]]]


def settled(rows: pd.DataFrame) -> pd.Series:
    """Which rows passed the equilibration test; undetermined counts as not passed."""
    return rows["equilibrated"].fillna(False).astype(bool)


def known(value: float) -> float | None:
    """A number of a table; None for an empty field."""
    return None if np.isnan(value) else float(value)


def fewest_blocks(rows: pd.DataFrame) -> int | None:
    """The smallest number of jackknife blocks of the rows; None for a table without that column."""
    return int(rows["blocks"].min()) if len(rows) and "blocks" in rows else None


def sizes(table: pd.DataFrame) -> list[int]:
    return sorted(int(size) for size in table["L"].unique())


def temperatures(table: pd.DataFrame) -> list[float]:
    return sorted(float(t) for t in np.unique(table["T"].round(10)))
