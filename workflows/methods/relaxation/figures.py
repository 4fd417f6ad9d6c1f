"""Figures of relaxations: energy, growth of susceptibility and correlation length, Binder ratio against time."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from workflows.figures.arguments import figure_parser, observables_of, output_of
from workflows.figures.style import REFERENCE, Output, band, looks, points
from workflows.methods.relaxation.exact import first_sweep_energy
from workflows.study.presets import presets
from workflows.tables.table import join, select, sizes, temperatures

AXES = {"e": "e", "chi": r"\chi", "xi": r"\xi", "U4": "U_4"}


def panels(table: pd.DataFrame) -> tuple[Figure, list[tuple[float, Axes]]]:
    """One panel for each temperature, three in a row."""
    values = temperatures(table)
    columns = min(3, len(values))
    rows = -(-len(values) // columns)
    width = 6.0 if columns == 1 else 3.6 * columns
    figure, grid = plt.subplots(rows, columns, figsize=(width, 3.9 * rows), squeeze=False, sharey=True)
    for axes in grid.flat[len(values) :]:
        axes.set_visible(False)
    if len(values) > 1:
        for t, axes in zip(values, grid.flat):
            axes.set_title(f"$T={t:.6g}$", fontsize=11)
    return figure, list(zip(values, grid.flat))


def name_outer_axes(axes: Axes) -> None:
    """The vertical axis is named once a row; the horizontal one everywhere, because the last row may be short."""
    if not axes.get_subplotspec().is_first_col():
        axes.set_ylabel("")


def curves(axes: Axes, table: pd.DataFrame, observable: str, temperature: float) -> None:
    rows = select(table, observable=observable, T=temperature)
    # The state before the first sweep is known exactly and has no place on a logarithmic axis.
    rows = rows[rows["t"] > 0]
    for size, look in looks(sizes(table)):
        points(axes, select(rows, L=size), "t", look, f"$L={size}$")
    if rows["value"].notna().any():
        axes.set_xscale("log")
    else:
        axes.text(0.5, 0.5, "not measured", transform=axes.transAxes, ha="center")
    axes.set(xlabel="$t$ / sweeps", ylabel=f"${AXES[observable]}(t)$")
    name_outer_axes(axes)


def plot_energy(table: pd.DataFrame, output: Output, neighbours: int | None) -> None:
    """The energy above; below, what the size changes, which the eye would not see above. `neighbours` of a site of a lattice
    with random bonds, whose energy after the first sweep is known; None for other models."""
    values = temperatures(table)
    width = 6.0 if len(values) == 1 else 3.2 * len(values)
    figure, grid = plt.subplots(
        2, len(values), figsize=(width, 5.0), height_ratios=(2, 1), sharex=True, sharey="row", squeeze=False
    )
    largest = max(sizes(table))
    for t, above, below in zip(values, *grid):
        curves(above, table, "e", t)
        above.set_xlabel("")
        if neighbours:
            level = first_sweep_energy(t, neighbours)
            above.axhline(level, color="0.6", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0, label="exact, $t=1$")
        above.set_title(f"$T={t:.6g}$", fontsize=11)
        rows = select(table, observable="e", T=t)
        base = select(rows[rows["t"] > 0], L=largest).set_index("t")
        for size, look in looks(sizes(table)):
            mine = select(rows, L=size).set_index("t").join(base[["value", "error"]], rsuffix="_base", how="inner")
            if size == largest or mine.empty:
                continue
            mine = mine.reset_index()
            mine["value"] -= mine["value_base"]
            mine["error"] = np.hypot(mine["error"], mine["error_base"])
            points(below, mine, "t", look, "")
        below.axhline(0, color="0.5", linewidth=0.7)
        below.set(xlabel="$t$ / sweeps", ylabel=f"$e_L-e_{{{largest}}}$")
        below.label_outer()
    grid[0, -1].legend()
    output.save(figure, "energy")


def fit_line(axes: Axes, table: pd.DataFrame, fits: pd.DataFrame, quantity: str, temperature: float) -> None:
    """The power law of the largest size over the range that was fitted, which is shaded."""
    mine = select(fits, quantity=quantity, range="whole", T=temperature) if len(fits) else fits
    if not len(mine):
        return
    row = mine.sort_values("L").iloc[-1]
    axes.axvspan(row["t_min"], row["t_max"], **(REFERENCE | {"color": "0.93"}))
    data = select(table, observable=quantity, T=temperature, L=row["L"])
    data = data[(data["t"] >= row["t_min"]) & (data["t"] <= row["t_max"])].dropna(subset=["value"])
    weights = (data["value"] / data["error"]) ** 2
    level = np.average(np.log(data["value"]) - row["exponent"] * np.log(data["t"]), weights=weights)
    t = np.geomspace(row["t_min"], row["t_max"], 2)
    label = f"$t^{{{row['exponent']:.3f}}}$, $L={row['L']:.0f}$"
    axes.plot(t, np.exp(level) * t ** row["exponent"], color="black", linewidth=1.2, zorder=3, label=label)


def plot_growth(table: pd.DataFrame, fits: pd.DataFrame, output: Output, quantity: str, name: str) -> None:
    figure, list_of_panels = panels(table)
    for t, axes in list_of_panels:
        curves(axes, table, quantity, t)
        fit_line(axes, table, fits, quantity, t)
        if (select(table, observable=quantity, T=t)["value"] > 0).any():
            axes.set_yscale("log")
        axes.legend(loc="upper left")
    if quantity == "xi":
        # At short times xi is smaller than its error, and a logarithmic axis would show nothing but that.
        rows = select(table, observable="xi")
        known = rows[(rows["t"] > 0) & (rows["value"] > 5 * rows["error"])]
        if len(known):
            axes.set_ylim(0.8 * known["value"].min(), 1.25 * known["value"].max())
        for _, axes in list_of_panels:
            axes.yaxis.set_major_locator(FixedLocator([0.5, 1, 2, 3, 5, 10, 20, 30]))
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_locator(NullLocator())
    output.save(figure, name)


def plot_binder(table: pd.DataFrame, output: Output, known: dict[str, Any] | None = None) -> None:
    """`known`: the published value in equilibrium, with its error, at the temperature of the transition."""
    figure, list_of_panels = panels(table)
    for t, axes in list_of_panels:
        curves(axes, table, "U4", t)
        if known:
            band(axes, known, "0.7")
        axes.axhline(3, color="0.6", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
        axes.set_ylim(1.0, 3.25)
        axes.legend(loc="lower left")
    output.save(figure, "binder")


def main() -> None:
    parser = figure_parser(__doc__, "dynamics")
    parser.add_argument("--model", required=True)
    parser.add_argument("--spin-glass", action="store_true", help="with the exact energy after one sweep")
    arguments = parser.parse_args()
    table = observables_of(arguments, arguments.model, "relaxation")
    fits, output = join(arguments.dynamics), output_of(arguments, f"{arguments.model}_relaxation")
    plot_energy(table, output, 2 * presets()[arguments.model].dimension if arguments.spin_glass else None)
    plot_growth(table, fits, output, "chi", "susceptibility")
    plot_growth(table, fits, output, "xi", "correlation_length")
    plot_binder(table, output)


if __name__ == "__main__":
    main()
