"""Figure of the times of single samples of exchange Monte Carlo: histograms over samples for each size."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from workflows.diagnostics.names import SAMPLE_TIMES
from workflows.diagnostics.tables import curves, output_of, parse, read

LABELS = {
    "round_trip_time": "round-trip time",
    "tau_int_e": r"$\tau_e$",
    "tau_int_q2": r"$\tau_{q^2}$",
    "tau_int_m": r"$\tau_m$",
}


def draw(axes: Axes, table: pd.DataFrame, name: str) -> None:
    """Part of the samples in each bin of log10 of the time; of lower bounds alone, filled."""
    for rows, look, label in curves(table[table["quantity"] == name]):
        rows = rows.sort_values("log10_from")
        edges = [*rows["log10_from"], rows["log10_to"].iloc[-1]]
        total = rows["samples"].sum()
        axes.stairs(rows["samples"] / total, edges, color=look["color"], linewidth=1.1, label=label)
        if rows["lower_bounds"].any():
            axes.stairs(rows["lower_bounds"] / total, edges, color=look["color"], alpha=0.35, fill=True)
    axes.set(xlabel=rf"$\log_{{10}}$ of {LABELS[name]} (sweeps)", ylabel="part of the samples")
    axes.set_ylim(bottom=0)


def main() -> None:
    arguments = parse(__doc__)
    table = read(arguments.tables)
    names = [name for name in LABELS if (table["quantity"] == name).any()]
    figure, panels = plt.subplots(1, len(names), figsize=(10.0, 3.6), squeeze=False)
    for axes, name in zip(panels.flat, names):
        draw(axes, table, name)
    panels.flat[0].legend()
    output_of(arguments).save(figure, SAMPLE_TIMES)


if __name__ == "__main__":
    main()
