"""The command line of the programs that draw these figures, and their tables: one file for each part and size."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from workflows.figures.style import Output, looks
from workflows.tables.table import sizes


def parse(description: str | None) -> argparse.Namespace:
    """The tables; --output, the folder of the figure; --prefix, the beginning of its name."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--prefix", required=True)
    return parser.parse_args()


def output_of(arguments: argparse.Namespace) -> Output:
    return Output(arguments.output, arguments.prefix)


def read(paths: list[Path]) -> pd.DataFrame:
    """All tables in one, with the part, which is the folder."""
    return pd.concat([pd.read_csv(path).assign(part=path.parent.name) for path in paths], ignore_index=True)


def curves(table: pd.DataFrame) -> Iterator[tuple[pd.DataFrame, dict[str, object], str]]:
    """The rows of each size and part with their look and label; the part is named where a size has several."""
    several = table.groupby("L")["part"].nunique().max() > 1
    for size, look in looks(sizes(table)):
        mine = table[table["L"] == size]
        for number, (part, rows) in enumerate(mine.groupby("part", sort=False)):
            label = f"$L={size}$" + (f", {part}" if several else "")
            yield rows, look | ({"fillstyle": ("full", "left", "none")[number % 3]} if several else {}), label
