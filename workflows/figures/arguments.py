"""The command lines of the programs that draw the figures of a model."""

from __future__ import annotations

import argparse
from pathlib import Path


def figure_parser(description: str | None, *tables: str) -> argparse.ArgumentParser:
    """--observables, a table; each of `tables`, any number of files; --output, the folder of the figures."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--observables", required=True, type=Path)
    for name in tables:
        parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)
    parser.add_argument("--output", required=True, type=Path)
    return parser
