"""The figure of a sweep over h or p with one temperature for each value: both couplings against the swept key."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from workflows.figures.style import save
from workflows.methods.equilibrium.figures import COUPLINGS, curves
from workflows.tables.table import of_parts, read


def draw(table: pd.DataFrame) -> plt.Figure:
    """Panels of U4 and xi/L, a curve for each size; where the parts have several seeds, the first of them."""
    figure, panels = plt.subplots(1, 2, figsize=(8.0, 3.6))
    key = next(key for key in ("h", "p") if table[key].nunique() > 1)
    first = table[table["seed"] == table["seed"].iloc[0]]
    for axes, name in zip(panels, COUPLINGS):
        curves(axes, first, name, key)
    panels[0].legend()
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("observables", type=Path)
    parser.add_argument("--parts", nargs="+", required=True)
    parser.add_argument("--sweep", required=True, help="the entry of the study file that names these parts")
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    table = of_parts(read(arguments.observables), arguments.parts)
    save(draw(table), arguments.output, f"{arguments.sweep}_sweep")


if __name__ == "__main__":
    main()
