"""Figures of exchange Monte Carlo of a model without figures of its own: observables, crossings, temperature slots."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from workflows.figures.arguments import crossings_of, figure_parser, observables_of, output_of
from workflows.figures.style import Output, looks, points
from workflows.methods.equilibrium.figures import plot_crossings, plot_observables
from workflows.methods.tempering.histogram import coldest, densities
from workflows.statistics.literature import critical_temperature
from workflows.tables.table import select, sizes


def draw_rates(axes: Axes, table: pd.DataFrame) -> None:
    """Exchange rates of each slot with the next hotter one."""
    rows = select(table, observable="exchange_rate").dropna(subset=["value"])
    for size, look in looks(sizes(table)):
        points(axes, select(rows, L=size), "T", look, f"$L={size}$")
    axes.set(xlabel="$T$", ylabel="exchange rate", ylim=(0, 1))


def draw_times(axes: Axes, table: pd.DataFrame) -> None:
    """Integrated autocorrelation times of the energy in sweeps."""
    rows = select(table, observable="tau_int_e").dropna(subset=["value"])
    for size, look in looks(sizes(table)):
        points(axes, select(rows, L=size), "T", look, f"$L={size}$")
    axes.set(xlabel="$T$", ylabel=r"$\tau_e$ (sweeps)", yscale="log")


def draw_flow(axes: Axes, table: pd.DataFrame) -> None:
    """Replica-flow fraction of each slot."""
    rows = select(table, observable="flow_fraction").dropna(subset=["value"])
    for size, look in looks(sizes(table)):
        mine = select(rows, L=size).sort_values("T")
        points(axes, mine, "T", look, f"$L={size}$")
        axes.plot(mine["T"], mine["value"], color=look["color"], linewidth=0.8)
    axes.set(xlabel="$T$", ylabel="replica-flow fraction $f$", ylim=(-0.05, 1.05))


def draw_histograms(axes: Axes, table: pd.DataFrame) -> None:
    """P(q) in the coldest slot of each size."""
    for size, look in looks(sizes(table)):
        mine = densities(select(table, L=size, T=coldest(table, size)))
        points(axes, mine, "q", look, f"$L={size}$")
        axes.plot(mine["q"], mine["value"], color=look["color"], linewidth=0.8)
    axes.set(xlabel="$q$", ylabel="$P(q)$ at the coldest slot", xlim=(-1, 1))
    axes.set_ylim(bottom=0)


def plot_slots(table: pd.DataFrame, output: Output) -> None:
    """Exchange rates, autocorrelation times, replica flow where it was counted and, for a spin glass, P(q)."""
    draw = [draw_rates, draw_times]
    if select(table, observable="flow_fraction")["value"].notna().any():
        draw.append(draw_flow)
    if len(densities(table)) > 0:
        draw.append(draw_histograms)
    rows = 1 if len(draw) < 4 else 2
    figure, panels = plt.subplots(rows, len(draw) // rows, figsize=(10.0, 3.8 * rows))
    for axes, panel in zip(panels.flat, draw):
        panel(axes, table)
    panels.flat[0].legend()
    output.save(figure, "slots")


def main() -> None:
    parser = figure_parser(__doc__, "crossings")
    parser.add_argument("--model", required=True)
    parser.add_argument("--published", action="store_true", help="draw the published critical temperature")
    arguments = parser.parse_args()
    table = observables_of(arguments, arguments.model, "tempering")
    output = output_of(arguments, f"{arguments.model}_tempering")
    plot_observables(table, output)
    published = critical_temperature(arguments.model) if arguments.published else None
    plot_crossings(table, crossings_of(arguments), published, output)
    plot_slots(table, output)


if __name__ == "__main__":
    main()
