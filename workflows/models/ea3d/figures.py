"""Figures of the relaxation of the three-dimensional Edwards-Anderson model."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from workflows.figures.style import REFERENCE, looks, points, save
from workflows.models.ea3d import exact
from workflows.statistics.literature import references
from workflows.tables.table import join, read, select, sizes, temperatures

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
    axes.set_xscale("log")
    axes.set(xlabel="$t$ / sweeps", ylabel=f"${AXES[observable]}(t)$")
    name_outer_axes(axes)


def plot_energy(table: pd.DataFrame, folder: Path) -> None:
    """The energy above; below, what the size changes, which the eye would not see above."""
    values = temperatures(table)
    width = 6.0 if len(values) == 1 else 3.2 * len(values)
    figure, grid = plt.subplots(
        2, len(values), figsize=(width, 5.0), height_ratios=(2, 1), sharex=True, sharey="row", squeeze=False
    )
    largest = max(sizes(table))
    for t, above, below in zip(values, *grid):
        curves(above, table, "e", t)
        above.set_xlabel("")
        level = exact.first_sweep_energy(t)
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
    save(figure, folder, "ea3d_energy")


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


def plot_growth(table: pd.DataFrame, fits: pd.DataFrame, folder: Path, quantity: str, name: str) -> None:
    figure, list_of_panels = panels(table)
    for t, axes in list_of_panels:
        curves(axes, table, quantity, t)
        fit_line(axes, table, fits, quantity, t)
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
    save(figure, folder, f"ea3d_{name}")


def plot_binder(table: pd.DataFrame, folder: Path) -> None:
    known = references()["ea3d_U4_critical"]
    figure, list_of_panels = panels(table)
    for t, axes in list_of_panels:
        curves(axes, table, "U4", t)
        axes.axhspan(known["value"] - known["error"], known["value"] + known["error"], **(REFERENCE | {"color": "0.7"}))
        axes.axhline(3, color="0.6", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
        axes.set_ylim(1.0, 3.25)
        axes.legend(loc="lower left")
    save(figure, folder, "ea3d_binder")


def plot_binder_of_xi(table: pd.DataFrame, folder: Path) -> None:
    known = references()
    ratio, cumulant = known["ea3d_xi_over_L_critical"], known["ea3d_U4_critical"]
    figure, list_of_panels = panels(table)
    for t, axes in list_of_panels:
        for size, look in looks(sizes(table)):
            mine = select(table, L=size, T=t)
            pair = {name: select(mine, observable=name).set_index("t") for name in ("U4", "xi_over_L")}
            both = pair["U4"].join(pair["xi_over_L"], rsuffix="_x").dropna(subset=["value", "value_x"])
            both = both[both["value_x"] > 3 * both["error_x"]]
            axes.errorbar(
                both["value_x"], both["value"], xerr=both["error_x"], yerr=both["error"], linestyle="-", linewidth=0.6,
                elinewidth=0.8, markeredgecolor="white", markeredgewidth=0.5, label=f"$L={size}$", **look,
            )  # fmt: skip
        axes.axhspan(
            cumulant["value"] - cumulant["error"],
            cumulant["value"] + cumulant["error"],
            **(REFERENCE | {"color": "0.8"}),
        )
        axes.axvspan(ratio["value"] - ratio["error"], ratio["value"] + ratio["error"], **(REFERENCE | {"color": "0.8"}))
        axes.set(xlabel=r"$R_\xi=\xi/L$", ylabel="$U_4$", xlim=(0, 0.7), ylim=(1.35, 3.25))
        name_outer_axes(axes)
        axes.legend(loc="upper right")
    save(figure, folder, "ea3d_binder_of_xi")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--observables", required=True, type=Path)
    parser.add_argument("--dynamics", nargs="*", default=[], type=Path)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    table = select(read(arguments.observables), model="ea3d")
    fits = join(arguments.dynamics)
    plot_energy(table, arguments.output)
    plot_growth(table, fits, arguments.output, "chi", "susceptibility")
    plot_growth(table, fits, arguments.output, "xi", "correlation_length")
    plot_binder(table, arguments.output)
    plot_binder_of_xi(table, arguments.output)


if __name__ == "__main__":
    main()
