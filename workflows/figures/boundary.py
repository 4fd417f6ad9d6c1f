"""The figure of a boundary: crossing temperatures of pairs of sizes against the swept key, next to published transitions."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from workflows.figures.style import COLOURS, KEYS, save
from workflows.statistics.literature import transitions_of
from workflows.tables.crossings import crossed

SYMBOLS = {"U4": ("o", "U_4"), "xi_over_L": ("s", r"\xi/L")}


def swept_key(table: pd.DataFrame) -> str:
    """h or p, whichever the parts of the table differ in."""
    return "h" if table["h"].notna().any() else "p"


def points(axes: plt.Axes, rows: pd.DataFrame, key: str, label: str, look: dict[str, object]) -> None:
    """One pair of sizes. Crossings next to slots that did not pass the equilibration test are hollow."""
    passed = rows["equilibrated"] == 1
    for chosen, style in ((rows[passed], {"label": label}), (rows[~passed], {"markerfacecolor": "white"})):
        bars = np.hypot(chosen["error"], chosen["error_systematic"].fillna(0))
        axes.errorbar(chosen[key], chosen["T_crossing"], yerr=bars, linestyle="none", elinewidth=1, **(look | style))


def draw(table: pd.DataFrame, model: str) -> plt.Figure:
    """The boundary of one model; shapes tell the coupling, colours the pair of sizes."""
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    key = swept_key(table)
    pairs = sorted({(row.L2, row.L1) for row in table.itertuples()})
    for row in transitions_of(model):
        if row[key] is not None:
            axes.errorbar(
                row[key], row["value"], yerr=row["error"], marker="_", markersize=16, color="0.55", capsize=6, zorder=0,
                linestyle="none", label="published",
            )  # fmt: skip
    for (seed, observable, larger, smaller), rows in crossed(table).groupby(["seed", "observable", "L2", "L1"]):
        marker, symbol = SYMBOLS[str(observable)]
        infinite = not np.isfinite(larger)
        colour = "black" if infinite else COLOURS[pairs.index((larger, smaller)) % len(COLOURS)]
        label = rf"${symbol}$: " + (r"$L\to\infty$" if infinite else f"{smaller:.0f}, {larger:.0f}")
        label += f", seed {seed}" if table["seed"].nunique() > 1 else ""
        points(axes, rows, key, label, {"marker": marker, "color": colour})
    axes.set(xlabel=KEYS[key], ylabel="effective crossing $T_x(L, L')$")
    handles, labels = axes.get_legend_handles_labels()
    first = dict(zip(reversed(labels), reversed(handles)))
    axes.legend(list(first.values())[::-1], list(first)[::-1], fontsize=9)
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boundary", type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    table = pd.read_csv(arguments.boundary)
    table = table[table["model"] == arguments.model]
    save(draw(table, arguments.model), arguments.output, f"{arguments.model}_boundary")


if __name__ == "__main__":
    main()
