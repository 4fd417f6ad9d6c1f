"""Figures of the random-field Ising model: observables, crossings, grids of temperatures."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from drift import PURE, RANDOM_FIELD, line
from figure import COLOURS, REFERENCE, looks, save
from grids import METHODS, read_grids, widest
from matplotlib.axes import Axes
from scipy.interpolate import CubicHermiteSpline
from tables import join, read, references, select, sizes

PANELS = {
    "m_abs": r"$[\langle|m|\rangle]$",
    "C": "$C$",
    "g": r"$g=(3-U_4)/2$",
    "xi_over_L": r"$\xi/L$",
    "chi_con": r"$\chi_\mathrm{con}$",
    "chi_dis": r"$\chi_\mathrm{dis}$",
}
LOGARITHMIC = {"xi_over_L", "chi_con", "chi_dis"}


def best_known(rows: pd.DataFrame) -> pd.DataFrame:
    """Without the slots that did not pass the test at temperatures at which others of that size passed it."""
    passed = rows["equilibrated"].fillna(False).astype(bool)
    inside = rows["T"].between(rows["T"][passed].min(), rows["T"][passed].max())
    return rows[passed | ~inside]


def settled_points(axes: Axes, rows: pd.DataFrame, look: dict[str, object], label: str, slopes: pd.DataFrame | None = None) -> None:
    """Points of one size, hollow where the slot did not pass the equilibration test, joined by lines or by the cubics
    with the measured slopes."""
    rows = rows.dropna(subset=["value"]).sort_values("T")
    settled = rows["equilibrated"].fillna(False).astype(bool)
    line = rows["T"], rows["value"]
    if slopes is not None:
        known = rows.merge(slopes.dropna(subset=["value"]), on="T", suffixes=("", "_slope")).sort_values("T")
        grid = np.linspace(known["T"].min(), known["T"].max(), 400)
        line = grid, CubicHermiteSpline(known["T"], known["value"], known["value_slope"])(grid)
    axes.plot(*line, color=look["color"], linewidth=0.8, zorder=1)
    full = {"markeredgecolor": "white", "markeredgewidth": 0.5, "label": label}
    hollow = {"markerfacecolor": "white", "markeredgecolor": look["color"]}
    for chosen, style in ((rows[settled], full), (rows[~settled], hollow)):
        axes.errorbar(
            chosen["T"], chosen["value"], yerr=chosen["error"], linestyle="none", elinewidth=0.9, **(look | style)
        )


def published_interval(axes: Axes, h: float) -> None:
    """The critical temperature of Fytas and Malakis, known for h = 1."""
    if h == 1:
        known = references()["rfim3d_T_critical"]
        axes.axvspan(known["value"] - known["error"], known["value"] + known["error"], **REFERENCE)


def plot_observables(table: pd.DataFrame, h: float, folder: Path) -> None:
    figure, grid = plt.subplots(2, 3, figsize=(10.0, 6.0), sharex=True)
    for axes, (name, label) in zip(grid.flat, PANELS.items()):
        rows = select(table, observable=name)
        for size, look in looks(sizes(rows)):
            settled_points(axes, best_known(select(rows, L=size)), look, f"$L={size}$")
        published_interval(axes, h)
        axes.set_ylabel(label)
        if name in LOGARITHMIC and (rows["value"] > 0).any():
            axes.set_yscale("log")
    for axes in grid[1]:
        axes.set_xlabel("$T$")
    grid[0, 0].legend()
    save(figure, folder, "rfim3d_observables")


def plot_crossings(table: pd.DataFrame, crossings: pd.DataFrame, h: float, folder: Path) -> None:
    """The two couplings near their crossings, and the drift of the crossings with size."""
    figure, (binder, length, drift) = plt.subplots(1, 3, figsize=(10.0, 3.8))
    for axes, (name, label) in zip((binder, length), (("U4", "$U_4$"), ("xi_over_L", r"$\xi/L$"))):
        rows = select(table, observable=name)
        near = crossings[crossings["observable"] == name] if len(crossings) else crossings
        near = near[np.isfinite(near["L2"])] if len(near) else near
        low, high = (near["T_crossing"].min() - 0.3, near["T_crossing"].max() + 0.3) if len(near) else (0, np.inf)
        inside = rows[rows["T"].between(low, high)]
        slopes = select(table, observable=f"{name}_slope")
        for size, look in looks(sizes(rows)):
            settled_points(axes, best_known(select(rows, L=size)), look, f"$L={size}$", select(slopes, L=size))
        if len(inside) and len(near):
            axes.set_xlim(low, high)
            axes.set_ylim(0.95 * inside["value"].min(), 1.05 * inside["value"].max())
        published_interval(axes, h)
        axes.set(xlabel="$T$", ylabel=label)
    length.legend()
    draw_drift(drift, crossings, h)
    save(figure, folder, "rfim3d_crossings")


def draw_drift(axes: Axes, crossings: pd.DataFrame, h: float) -> None:
    symbols = {"U4": ("o", COLOURS[0], "$U_4$"), "xi_over_L": ("s", COLOURS[4], r"$\xi/L$")}
    for name, rows in crossings.groupby("observable") if len(crossings) else []:
        marker, colour, label = symbols[str(name)]
        for number, row in enumerate(rows.itertuples()):
            infinite = not np.isfinite(row.L2)
            axes.errorbar(
                0 if infinite else 1 / row.L1, row.T_crossing, yerr=row.error, marker=marker, color=colour, elinewidth=1,
                markerfacecolor=colour if row.equilibrated == 1 else "white", label=None if number else label,
            )  # fmt: skip
        for exponents, style in ((RANDOM_FIELD, "-"), (PURE, ":")):
            if found := line(rows, exponents):
                sizes_drawn = np.geomspace(rows["L1"].min(), 1000, 200)
                axes.plot(1 / sizes_drawn, found.at(sizes_drawn, 2), linestyle=style, color=colour, linewidth=0.8)
    if h == 1:
        known = references()["rfim3d_T_critical"]
        axes.axhspan(known["value"] - known["error"], known["value"] + known["error"], **REFERENCE)
    axes.set(xlabel="$1/L_1$", ylabel="crossing temperature")
    axes.set_xlim(left=-0.01)
    if axes.get_legend_handles_labels()[0]:
        axes.legend()


def plot_grids(grids: pd.DataFrame, folder: Path) -> None:
    """For the largest size: rates through the trials, and rates of all grids against temperature."""
    mine = widest(grids)
    size = mine["L"].iloc[0]
    figure, (trials, rates) = plt.subplots(1, 2, figsize=(9.0, 3.9))
    styles = {"insert": ("o", COLOURS[1]), "equal-rates": ("s", COLOURS[4])}
    for method, (marker, colour) in styles.items():
        steps = mine[mine["method"] == method].groupby("trial")["rate"].agg(["mean", "min", "max"])
        trials.plot(steps.index, steps["mean"], marker=marker, color=colour, label=METHODS[method])
        trials.fill_between(steps.index, steps["min"], steps["max"], color=colour, alpha=0.18, linewidth=0)
    insert, equal = (mine[mine["method"] == method] for method in styles)
    shown = [
        (insert[insert["trial"] == 0], "equally spaced", "^", "0.6"),
        (equal[equal["trial"] == 0], "equally spaced", "D", "0.25"),
        (insert[insert["last"]], METHODS["insert"], *styles["insert"]),
        (equal[equal["last"]], METHODS["equal-rates"], *styles["equal-rates"]),
    ]
    for rows, name, marker, colour in shown:
        middle, label = 0.5 * (rows["T"] + rows["T_next"]), f"{name}, {rows['slots'].iloc[0]} slots"
        rates.plot(middle, rows["rate"], marker=marker, color=colour, linewidth=0.8, label=label)
    trials.set(xlabel="trial", ylabel="exchange rate", title=f"$L={size}$: mean, lowest to highest")
    rates.set(xlabel="$T$", title=f"$L={size}$")
    for axes in (trials, rates):
        axes.set_ylim(0, 1.35 * mine["rate"].max())
        axes.legend(fontsize=9)
    trials.locator_params(axis="x", integer=True)
    save(figure, folder, "rfim3d_grids")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--observables", required=True, type=Path)
    parser.add_argument("--crossings", nargs="*", default=[], type=Path)
    parser.add_argument("--grids", nargs="*", default=[], type=Path)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    table, grids = select(read(arguments.observables), model="rfim3d"), read_grids(arguments.grids)
    h = grids["h"].iloc[0]
    plot_observables(table, h, arguments.output)
    plot_crossings(table, join(arguments.crossings), h, arguments.output)
    plot_grids(grids, arguments.output)


if __name__ == "__main__":
    main()
