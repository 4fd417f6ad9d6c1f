"""Figures of simulations in equilibrium: observables against temperature, and crossings of phenomenological couplings."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from workflows.figures.arguments import crossings_of, figure_parser, observables_of, output_of
from workflows.figures.cubics import pieces
from workflows.figures.style import KEYS, REFERENCE, Output, looks, points
from workflows.statistics.literature import critical_temperature, references
from workflows.tables.table import select, settled, sizes

# Shown as far as the table has them; which it has depends on the traits of the model.
PANELS = {
    "e": "$e$",
    "C": "$C$",
    "m_abs": r"$\langle|m|\rangle$",
    "q2": "$[q^2]$",
    "chi": r"$\chi$",
    "chi_con": r"$\chi_\mathrm{con}$",
    "chi_dis": r"$\chi_\mathrm{dis}$",
    "U4": "$U_4$",
    "xi_over_L": r"$\xi/L$",
}
COUPLINGS = {"U4": ("o", "#0b2545", "U_4"), "xi_over_L": ("s", "#d1495b", r"\xi/L")}


def curves(axes: Axes, table: pd.DataFrame, observable: str, x: str = "T") -> None:
    """One observable of all sizes against the column `x`. Points that did not pass the equilibration test are hollow."""
    rows = select(table, observable=observable)
    for size, look in looks(sizes(table)):
        mine = select(rows, L=size)
        points(axes, mine[settled(mine)], x, look, f"$L={size}$")
        open_marks = {"markerfacecolor": "white", "markeredgecolor": look["color"], "markeredgewidth": 0.7}
        failed = mine[~settled(mine)].dropna(subset=["value"])
        axes.errorbar(failed[x], failed["value"], yerr=failed["error"], linestyle="none", **(look | open_marks))
    axes.set(xlabel=KEYS[x], ylabel=PANELS[observable])


def between_slots(axes: Axes, table: pd.DataFrame, observable: str) -> None:
    """The cubics between slots whose slopes are measured, as of couplings in exchange Monte Carlo."""
    rows, slopes = select(table, observable=observable), select(table, observable=f"{observable}_slope")
    for size, look in looks(sizes(table)):
        for grid, values in pieces(select(rows, L=size), select(slopes, L=size)):
            axes.plot(grid, values, color=look["color"], linewidth=0.8, zorder=1)


def plot_observables(table: pd.DataFrame, output: Output) -> None:
    """A panel for each observable, three in a row."""
    names = [name for name in PANELS if len(select(table, observable=name).dropna(subset=["value"]))]
    rows = max(1, -(-len(names) // 3))
    figure, grid = plt.subplots(rows, 3, figsize=(10.0, 3.2 * rows), squeeze=False)
    for axes in grid.flat[len(names) :]:
        axes.set_visible(False)
    for axes, name in zip(grid.flat, names):
        curves(axes, table, name)
    grid[0, 0].legend()
    output.save(figure, "observables")


def draw_estimates(axes: Axes, crossings: pd.DataFrame, published: str | None) -> None:
    """The temperatures at which two sizes cross, hollow, and their limits, filled; one line each. The published critical
    temperature, given by its key, is a band as wide as its error, at least a line."""
    labels: list[str] = []
    if published:
        value, error = references()[published]["value"], references()[published]["error"]
        axes.axvspan(value - error, value + error, **(REFERENCE | {"linewidth": 1}))
    for row in crossings.itertuples():
        marker, colour, symbol = COUPLINGS[row.observable]
        infinite = not np.isfinite(row.L2)
        labels.append(f"${symbol}$: " + (r"$L\to\infty$" if infinite else f"{row.L1:.0f}, {row.L2:.0f}"))
        axes.errorbar(
            row.T_crossing, -len(labels), xerr=row.error, marker=marker, color=colour, markeredgecolor=colour,
            markerfacecolor=colour if infinite else "white", elinewidth=1,
        )  # fmt: skip
    axes.set_yticks([-1 - i for i in range(len(labels))], labels)
    axes.tick_params(axis="y", length=0)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel("crossing temperature")


def plot_crossings(table: pd.DataFrame, crossings: pd.DataFrame, published: str | None, output: Output) -> None:
    """Both couplings near their crossings, and the crossings; without crossings both couplings alone."""
    figure, panels = plt.subplots(1, 3 if len(crossings) else 2, figsize=(10.0, 3.8))
    for axes, name in zip(panels, COUPLINGS):
        curves(axes, table, name)
        between_slots(axes, table, name)
    if len(crossings):
        draw_estimates(panels[2], crossings, published)
        low, high = crossings["T_min"].min(), crossings["T_max"].max()
        for axes, name in zip(panels, COUPLINGS):
            near = select(table, observable=name).dropna(subset=["value"])
            near = near[near["T"].between(low, high)]
            if near["T"].nunique() > 1:
                room = 0.05 * (high - low), 0.05 * np.ptp(near["value"])
                axes.set_xlim(low - room[0], high + room[0])
                axes.set_ylim(near["value"].min() - room[1], near["value"].max() + room[1])
    panels[0].legend()
    output.save(figure, "crossings")


def main() -> None:
    parser = figure_parser(__doc__, "crossings")
    parser.add_argument("--model", required=True)
    parser.add_argument("--published", action="store_true", help="draw the published critical temperature")
    arguments = parser.parse_args()
    table = observables_of(arguments, arguments.model, "equilibrium")
    output = output_of(arguments, f"{arguments.model}_equilibrium")
    plot_observables(table, output)
    published = critical_temperature(arguments.model) if arguments.published else None
    plot_crossings(table, crossings_of(arguments), published, output)


if __name__ == "__main__":
    main()
