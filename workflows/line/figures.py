"""The figure of a Nishimori line: U4 and xi/L of m against p with their fits, and where pairs of sizes cross."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from workflows.figures.style import REFERENCE, looks, save
from workflows.line.crossings import DEGREE
from workflows.line.summary import QUOTED, published_point
from workflows.tables.table import select, sizes

LABELS = {"U4_m": "$U_4^m$", "xi_m_over_L": r"$\xi_m/L$"}
MARKS = {"U4_m": ("o", "#0b2545"), "xi_m_over_L": ("s", "#d1495b")}


def published_band(axes: Axes, model: str) -> None:
    """The published point, as wide as its error, at least a line."""
    if known := published_point(model):
        axes.axvspan(known[0] - known[1], known[0] + known[1], **(REFERENCE | {"linewidth": 1}))


def draw_curves(axes: Axes, curves: pd.DataFrame, observable: str) -> None:
    """Points with the parabola of their fit. Sizes of which a point did not pass the equilibration test are hollow."""
    rows = select(curves, observable=observable)
    for size, look in looks(sizes(rows)):
        mine = select(rows, L=size).sort_values("p")
        dense = np.linspace(mine["p"].min(), mine["p"].max(), 100)
        centre = mine["p"].mean()
        fit = np.polynomial.Polynomial.fit(mine["p"] - centre, mine["fit"], DEGREE)
        axes.plot(dense, fit(dense - centre), color=look["color"], linewidth=0.8)
        face = look["color"] if mine["equilibrated"].all() else "white"
        axes.errorbar(
            mine["p"], mine["value"], yerr=mine["error"], linestyle="none", elinewidth=0.9, markerfacecolor=face,
            label=f"$L={size}$", **look,
        )  # fmt: skip
    axes.set(xlabel="$p$", ylabel=LABELS[observable])


def draw_crossings(axes: Axes, crossings: pd.DataFrame) -> None:
    """Crossings against 1 / L of the smaller size; pairs L, 2 L."""
    for observable, (marker, colour) in MARKS.items():
        rows = select(crossings, observable=observable)
        doubled = rows[rows["L2"] == 2 * rows["L1"]]
        rows = doubled if len(doubled) else rows
        axes.errorbar(
            rows["p_crossing"], 1 / rows["L1"], xerr=rows["error"], linestyle="none", marker=marker, color=colour,
            elinewidth=0.9, label=LABELS[observable],
        )  # fmt: skip
    axes.set(xlabel="crossing $p_x(L, 2L)$", ylabel="$1/L$")
    axes.set_ylim(0, 1.15 / crossings["L1"].min() if len(crossings) else 1)
    axes.locator_params(axis="x", nbins=4)


def draw(curves: pd.DataFrame, crossings: pd.DataFrame) -> plt.Figure:
    """One line: both couplings, and the drift of their crossings with L; grey: the published point."""
    model = str(curves["model"].iloc[0])
    observables = [name for name in QUOTED if name in set(curves["observable"])]
    figure, panels = plt.subplots(1, len(observables) + 1, figsize=(3.4 * (len(observables) + 1), 3.6))
    for axes, observable in zip(panels, observables):
        draw_curves(axes, curves, observable)
    draw_crossings(panels[-1], crossings)
    for axes in panels:
        published_band(axes, model)
    panels[0].legend()
    panels[-1].legend()
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("curves", "crossings", "output"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--line", required=True, help="the entry of the study file that follows the line")
    arguments = parser.parse_args()
    curves, crossings = (pd.read_csv(path) for path in (arguments.curves, arguments.crossings))
    figure = draw(select(curves, group=arguments.line), select(crossings, group=arguments.line))
    save(figure, arguments.output, f"{arguments.line}_line")


if __name__ == "__main__":
    main()
