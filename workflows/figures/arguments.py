"""The command lines of the programs that draw the figures of a model."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from workflows.figures.style import Output
from workflows.tables.crossings import crossed
from workflows.tables.table import join, of_parts, read, select


def figure_parser(description: str | None, *tables: str) -> argparse.ArgumentParser:
    """--observables, a table; each of `tables`, any number of files; --output, the folder of the figures; of a study with
    several systems of a model, --parts of one of them, and --system, the part of the names of figures that tells which."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--observables", required=True, type=Path)
    for name in tables:
        parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--system", default="")
    parser.add_argument("--parts", nargs="*")
    return parser


def observables_of(arguments: argparse.Namespace, model: str, method: str) -> pd.DataFrame:
    """The rows of one model and method, of the parts on the command line if there are any."""
    table = select(read(arguments.observables), model=model, method=method)
    return of_parts(table, arguments.parts) if arguments.parts else table


def crossings_of(arguments: argparse.Namespace) -> pd.DataFrame:
    """The crossings that there are, and their limits."""
    return crossed(join(arguments.crossings))


def output_of(arguments: argparse.Namespace, prefix: str) -> Output:
    """Where the figures go, with the system in their names."""
    return Output(arguments.output, f"{prefix}{arguments.system}")
