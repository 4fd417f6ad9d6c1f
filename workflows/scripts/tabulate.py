"""Joins the tables of all sizes into one tidy table: one observable at one point a row."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

COLUMNS = ["model", "L", "T", "t", "observable", "value", "error", "blocks", "tau", "equilibrated"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    # Text throughout, so that every digit is as the analysis wrote it.
    tables = [pd.read_csv(path, dtype=str, keep_default_na=False) for path in arguments.tables]
    joined = pd.concat(tables, ignore_index=True)
    other = [name for name in joined.columns if name not in COLUMNS]
    # Parts may share points; a point is listed once.
    joined[COLUMNS + other].drop_duplicates().to_csv(arguments.output, index=False)


if __name__ == "__main__":
    main()
