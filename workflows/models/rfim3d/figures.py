"""Figures of the random-field Ising model: observables, crossings, grids of temperatures."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from workflows.figures.arguments import crossings_of, figure_parser, observables_of, output_of
from workflows.figures.cubics import pieces
from workflows.figures.style import COLOURS, Output, band, looks
from workflows.methods.tempering.grids import METHODS, read_grids, widest
from workflows.models.rfim3d.drift import assumption, in_equilibrium, line
from workflows.statistics.literature import references
from workflows.tables.table import read, select, settled, sizes

PANELS = {
    "m_abs": r"$[\langle|m|\rangle]$",
    "C": "$C$",
    "g": r"$g=(3-U_4)/2$",
    "xi_over_L": r"$\xi/L$",
    "chi_con": r"$\chi_\mathrm{con}$",
    "chi_dis": r"$\chi_\mathrm{dis}$",
}
LOGARITHMIC = {"xi_over_L", "chi_con", "chi_dis"}
HOLLOW, REMARK = "hollow: slots not in equilibrium", {"fontsize": 9, "color": "0.35"}


def longest(table: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """The table without the rows of other parts, such as short runs over the full range, between the slots of the curves."""
    kept = [curves]
    for size in sizes(table):
        rows, span = select(table, L=size), select(curves, L=size)["T"].agg(["min", "max"])
        kept.append(rows[~rows["T"].between(span["min"] - 1e-6, span["max"] + 1e-6)])
    return pd.concat(kept)


def slots(axes: Axes, rows: pd.DataFrame, look: dict[str, object], label: str) -> None:
    """Points of one size; those that did not pass the test are hollow and pale."""
    rows = rows.dropna(subset=["value"]).sort_values("T")
    full = {"markeredgecolor": "white", "markeredgewidth": 0.5, "label": label}
    pale = {"markerfacecolor": "white", "markeredgecolor": look["color"], "markeredgewidth": 0.7, "alpha": 0.4}
    for chosen, style in ((rows[settled(rows)], full), (rows[~settled(rows)], pale)):
        axes.errorbar(
            chosen["T"], chosen["value"], yerr=chosen["error"], linestyle="none", elinewidth=0.9, **(look | style)
        )


def published_interval(axes: Axes, h: float) -> None:
    """The critical temperature of Fytas and Malakis, known for h = 1."""
    if h == 1:
        known = references()["rfim3d_T_critical"]
        band(axes, known, across=False)


def framed(axes: Axes, rows: pd.DataFrame, logarithmic: bool) -> None:
    """The range of the ordinate by what passed the test, if anything did."""
    shown = rows[settled(rows)] if settled(rows).any() else rows
    positive = shown[shown["value"] > 0]
    if logarithmic and len(positive):
        axes.set(yscale="log", ylim=(0.8 * positive["value"].min(), 1.25 * positive["value"].max()))
    elif len(shown):
        low, high = (shown["value"] - shown["error"]).min(), (shown["value"] + shown["error"]).max()
        margin = 0.05 * (high - low)
        axes.set_ylim(low - margin, high + margin)


def plot_observables(table: pd.DataFrame, h: float, output: Output) -> None:
    figure, grid = plt.subplots(2, 3, figsize=(10.0, 6.0), sharex=True)
    for axes, (name, label) in zip(grid.flat, PANELS.items()):
        rows = select(table, observable=name).dropna(subset=["value"])
        if name in LOGARITHMIC:  # a bar down to zero has no end there
            rows = rows[~(rows["error"] >= rows["value"])]
        for size, look in looks(sizes(table)):
            mine = select(rows, L=size).sort_values("T")
            joined = mine["value"].where(settled(mine))
            axes.plot(mine["T"], joined, color=look["color"], linewidth=0.8, zorder=1)
            slots(axes, mine, look, f"$L={size}$")
        framed(axes, rows, name in LOGARITHMIC)
        published_interval(axes, h)
        axes.set_ylabel(label)
    for axes in grid[1]:
        axes.set_xlabel("$T$")
    grid[0, 0].legend()
    if not settled(table).all():
        grid[0, 1].set_title(HOLLOW, **REMARK)
    output.save(figure, "observables")


def surroundings(rows: pd.DataFrame, crossings: pd.DataFrame) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ranges of T and of values around the crossings, by what passed the test, if anything did."""
    finite = crossings[np.isfinite(crossings["L2"])] if len(crossings) else crossings
    passed = finite[finite["equilibrated"] == 1] if len(finite) else finite
    near = passed if len(passed) else finite
    points = rows[settled(rows)] if settled(rows).any() else rows
    margin = 0.3  # in T
    low, high = (near["T_crossing"] if len(near) else points["T"]).agg(["min", "max"])
    inside = points[points["T"].between(low - margin, high + margin)]
    values = (inside if len(inside) else points)["value"].agg(["min", "max"])
    return (low - margin, high + margin), (0.95 * values["min"], 1.05 * values["max"])


def plot_crossings(table: pd.DataFrame, crossings: pd.DataFrame, h: float, output: Output) -> None:
    """The two couplings near their crossings, and the drift of the crossings with size."""
    figure, (binder, length, drift) = plt.subplots(1, 3, figsize=(10.0, 3.8))
    for axes, (name, label) in zip((binder, length), (("U4", "$U_4$"), ("xi_over_L", r"$\xi/L$"))):
        rows, slopes = select(table, observable=name), select(table, observable=f"{name}_slope")
        for size, look in looks(sizes(rows)):
            mine = select(rows, L=size)
            for grid, values in pieces(mine, select(slopes, L=size)):
                axes.plot(grid, values, color=look["color"], linewidth=0.8, zorder=1)
            slots(axes, mine, look, f"$L={size}$")
        of_name = crossings[crossings["observable"] == name] if len(crossings) else crossings
        temperatures, values = surroundings(rows.dropna(subset=["value"]), of_name)
        axes.set(xlabel="$T$", ylabel=label, xlim=temperatures, ylim=values)
        published_interval(axes, h)
    bottom, top = length.get_ylim()
    if top > 10 * bottom > 0:
        length.set_yscale("log")
        length.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        length.yaxis.set_major_formatter("{x:g}")
        length.yaxis.set_minor_formatter(NullFormatter())
    length.legend()
    draw_drift(drift, crossings, h)
    output.save(figure, "crossings")


def draw_drift(axes: Axes, crossings: pd.DataFrame, h: float) -> None:
    symbols = {"U4": ("o", COLOURS[0], "$U_4$"), "xi_over_L": ("s", COLOURS[4], r"$\xi/L$")}
    exponents = assumption(h)
    for name, rows in crossings.groupby("observable") if len(crossings) else []:
        marker, colour, label = symbols[str(name)]
        for row in rows.itertuples():
            style = {} if row.equilibrated == 1 else {"markerfacecolor": "white", "alpha": 0.45}
            place = 1 / row.L1 if np.isfinite(row.L2) else 0
            look = {"marker": marker, "color": colour, "linestyle": "none", "elinewidth": 1, "label": label}
            axes.errorbar(place, row.T_crossing, yerr=row.error, **(look | style))
            if row.error_systematic > 0:  # the longer, paler bar of a limit
                whole = np.hypot(row.error, row.error_systematic)
                axes.errorbar(place, row.T_crossing, yerr=whole, color=colour, elinewidth=1, alpha=0.45)
        for assumed, style in ((exponents.leading, "-"), (exponents.other, ":")):
            if assumed and (found := line(in_equilibrium(rows), assumed)):
                sizes_drawn = np.geomspace(rows["L1"].min(), 1000, 200)
                axes.plot(1 / sizes_drawn, found.at(sizes_drawn, 2), linestyle=style, color=colour, linewidth=0.8)
    if len(crossings) and (crossings["equilibrated"] != 1).any():
        axes.set_title(HOLLOW, **REMARK)
    if h == 1:
        known = references()["rfim3d_T_critical"]
        band(axes, known)
    axes.set(xlabel="$1/L_1$", ylabel="crossing temperature")
    axes.set_xlim(left=-0.01)
    handles, labels = axes.get_legend_handles_labels()
    if first := dict(zip(reversed(labels), reversed(handles))):
        axes.legend(first.values(), first.keys())


def plot_grids(grids: pd.DataFrame, output: Output) -> None:
    """For the largest size: rates through the adaptation runs, and rates of all grids against temperature; a sentence where the
    study states all slots."""
    if not len(grids):
        figure = plt.figure(figsize=(9.0, 1.0))
        figure.text(0.5, 0.5, "The study states all slots; none was adapted.", ha="center")
        output.save(figure, "grids")
        return
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
    trials.set(xlabel="adaptation run", ylabel="exchange rate", title=f"$L={size}$: mean, lowest to highest")
    rates.set(xlabel="$T$", title=f"$L={size}$")
    for axes in (trials, rates):
        axes.set_ylim(0, 1.35 * mine["rate"].max())
        axes.legend(fontsize=9)
    trials.locator_params(axis="x", integer=True)
    output.save(figure, "grids")


def main() -> None:
    # --curves: tables of the sizes that cross
    arguments = figure_parser(__doc__, "crossings", "curves", "grids").parse_args()
    table, grids = observables_of(arguments, "rfim3d", "tempering"), read_grids(arguments.grids)
    h, output = float(table["h"].iloc[0]), output_of(arguments, "rfim3d")
    curves = pd.concat([read(path) for path in arguments.curves]) if arguments.curves else table
    plot_observables(longest(table, curves), h, output)
    plot_crossings(curves, crossings_of(arguments), h, output)
    plot_grids(grids, output)


if __name__ == "__main__":
    main()
