"""Figures of the two-dimensional Ising model, each with its exact result."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from workflows.figures.arguments import crossings_of, figure_parser, observables_of, output_of
from workflows.figures.style import REFERENCE, Output, looks, points
from workflows.methods.equilibrium.figures import draw_estimates
from workflows.models.ising2d import exact
from workflows.tables.table import select, settled, sizes

CRITICAL = exact.CRITICAL_TEMPERATURE


def critical_line(axes: Axes) -> None:
    axes.axvline(CRITICAL, color="0.6", linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)


def plot_magnetization(table: pd.DataFrame, output: Output) -> None:
    rows = select(table, observable="m_abs")
    figure, axes = plt.subplots(figsize=(6.0, 3.9))
    low, high = rows["T"].min(), rows["T"].max()
    # Dense towards T_c, where the exponent 1/8 makes the curve vertical.
    grid = CRITICAL - (CRITICAL - min(low, CRITICAL)) * np.linspace(0, 1, 400) ** 4
    axes.plot(grid, exact.spontaneous_magnetization(grid), color="0.35", linewidth=1.6, zorder=1, label="Onsager, Yang")
    axes.plot([CRITICAL, max(high, CRITICAL)], [0, 0], color="0.35", linewidth=1.6, zorder=1)
    for size, look in looks(sizes(rows)):
        points(axes, select(rows, L=size), "T", look, f"$L={size}$")
    critical_line(axes)
    axes.set(xlabel="$T$", ylabel=r"$\langle|m|\rangle$", ylim=(-0.03, 1.03))
    axes.legend(loc="lower left")
    output.save(figure, "magnetization")


def plot_against_torus(table: pd.DataFrame, output: Output, observable: str, index: int, label: str, name: str) -> None:
    """Values with the exact curves of the finite lattices above, their deviations in standard errors below."""
    rows = select(table, observable=observable)
    figure, (above, below) = plt.subplots(2, 1, figsize=(6.0, 5.0), height_ratios=(2.4, 1), sharex=True)
    grid = np.linspace(rows["T"].min(), rows["T"].max(), 300)
    for size, look in looks(sizes(rows)):
        mine = select(rows, L=size)
        above.plot(grid, [exact.torus(size, t)[index] for t in grid], color=look["color"], linewidth=0.8, alpha=0.8)
        points(above, mine, "T", look, f"$L={size}$")
        pull = (mine["value"] - [exact.torus(size, t)[index] for t in mine["T"]]) / mine["error"]
        passed = settled(mine)
        below.plot(
            mine["T"][passed], pull[passed], linestyle="none", markeredgecolor="white", markeredgewidth=0.5, **look
        )
        hollow = look | {"markerfacecolor": "none", "markeredgecolor": look["color"]}
        below.plot(mine["T"][~passed], pull[~passed], linestyle="none", **hollow)
    for width in (2, 1):
        below.axhspan(-width, width, **(REFERENCE | {"color": "0.93" if width == 2 else "0.84"}))
    below.axhline(0, color="0.5", linewidth=0.7)
    critical_line(above)
    critical_line(below)
    above.set(ylabel=f"${label}$")
    below.set(xlabel="$T$", ylabel="deviation / error")
    below.set_ylim(-(limit := max(3.5, 1.1 * np.nanmax(np.abs(below.dataLim.intervaly)))), limit)
    above.legend()
    output.save(figure, name)


def plot_binder(table: pd.DataFrame, crossings: pd.DataFrame, output: Output) -> None:
    """Curves of the sizes with several temperatures near T_c, of all sizes if none has them, and the crossings."""
    rows = select(table, observable="U4")
    figure, (curves, estimates) = plt.subplots(1, 2, figsize=(8.4, 3.8), width_ratios=(1.5, 1))
    near = near_transition(rows)
    several = near.groupby("L")["T"].nunique() > 1
    for size, look in looks(sizes(rows)):
        if several.get(size, not several.any()):
            points(curves, select(rows, L=size), "T", look, f"$L={size}$", line="-")
    critical_line(curves)
    curves.set(xlabel="$T$", ylabel=r"$U_4=\langle m^4\rangle/\langle m^2\rangle^2$")
    curves.legend()
    focus(curves, near)
    critical_line(estimates)
    draw_estimates(estimates, crossings, published=None)
    output.save(figure, "binder")


def near_transition(rows: pd.DataFrame) -> pd.DataFrame:
    """Temperatures within 2 % of T_c, where the curves cross."""
    return rows[(rows["T"] / CRITICAL - 1).abs() < 0.02]


def focus(axes: Axes, near: pd.DataFrame) -> None:
    """Limits the view to these points, if they have two temperatures."""
    if near["T"].nunique() < 2:
        return
    width, height = np.ptp(near["T"]), np.ptp(near["value"])
    axes.set_xlim(near["T"].min() - 0.05 * width, near["T"].max() + 0.05 * width)
    axes.set_ylim(near["value"].min() - 0.05 * height, near["value"].max() + 0.05 * height)


def main() -> None:
    arguments = figure_parser(__doc__, "crossings").parse_args()
    table = observables_of(arguments, "ising2d", "equilibrium")
    output = output_of(arguments, "ising2d")
    plot_magnetization(table, output)
    plot_against_torus(table, output, "e", 0, "e", "energy")
    plot_against_torus(table, output, "C", 1, "C", "specific_heat")
    plot_binder(table, crossings_of(arguments), output)


if __name__ == "__main__":
    main()
