"""Figure of the relaxation of exchange Monte Carlo: energy and square of the order parameter on logarithmic bins of time, in the
coldest slot of each size."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from workflows.diagnostics.names import EQUILIBRATION
from workflows.diagnostics.tables import curves, output_of, parse, read

LABELS = {"e": "e", "q2": "[q^2]", "m2": "[m^2]"}


def draw(axes: Axes, table: pd.DataFrame, value: str, error: str) -> None:
    """A column against the end of the bin, in the coldest slot of each curve."""
    for rows, look, label in curves(table):
        rows = rows[rows["T"] == rows["T"].min()].sort_values("t_to").dropna(subset=[value])
        temperature = f"{label}, $T={rows['T'].min():.4g}$" if len(rows) else label
        axes.errorbar(rows["t_to"], rows[value], yerr=rows[error], linewidth=0.8, label=temperature, **look)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("$t$ (sweeps)")


def main() -> None:
    arguments = parse(__doc__)
    table = read(arguments.tables)
    names = [name for name in LABELS if (table["observable"] == name).any()]
    figure, panels = plt.subplots(2, len(names), figsize=(5.0 * len(names), 6.4), squeeze=False, sharex="col")
    for column, name in enumerate(names):
        rows = table[table["observable"] == name]
        draw(panels[0, column], rows, "value", "error")
        draw(panels[1, column], rows, "difference", "difference_error")
        panels[0, column].set(ylabel=f"${LABELS[name]}$", xlabel="")
        panels[1, column].set_ylabel(f"${LABELS[name]}$ minus that of the last bin")
        panels[1, column].axhline(0, color="0.6", linewidth=0.7, zorder=0)
    panels[0, 0].legend()
    output_of(arguments).save(figure, EQUILIBRATION)


if __name__ == "__main__":
    main()
