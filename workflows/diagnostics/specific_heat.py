"""Figure of the specific heat of exchange Monte Carlo: from the variance of the energy and from its derivative in temperature."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from workflows.diagnostics.names import SPECIFIC_HEAT
from workflows.diagnostics.tables import curves, output_of, parse, read
from workflows.figures.style import REFERENCE


def bars(rows: pd.DataFrame) -> pd.Series:
    """Statistical and systematic error together."""
    return np.hypot(rows["error"], rows["error_systematic"].fillna(0))


def by_test(rows: pd.DataFrame) -> list[tuple[pd.DataFrame, float]]:
    """Points that passed the equilibration test, and all others, pale."""
    passed = rows["equilibrated"] == 1
    return [(rows[passed], 1.0), (rows[~passed], 0.3)]


def draw_both(axes: Axes, table: pd.DataFrame) -> None:
    """Variance: line with points. Derivative: hollow points with both errors."""
    for rows, look, label in curves(table):
        rows = rows.sort_values("T").dropna(subset=["value"])
        variance, derivative = (rows[rows["observable"] == name] for name in ("C", "C_derivative"))
        line = variance if len(variance) else derivative
        axes.plot(line["T"], line["value"], linewidth=0.8, label=label, alpha=0.5, **(look | {"marker": ""}), zorder=0)
        for some, alpha in by_test(variance):
            axes.errorbar(some["T"], some["value"], yerr=some["error"], linestyle="none", alpha=alpha, **look)
        for some, alpha in by_test(derivative):
            axes.errorbar(
                some["T"], some["value"], yerr=bars(some), linestyle="none", elinewidth=0.8, alpha=alpha,
                **(look | {"fillstyle": "full", "markerfacecolor": "white", "markersize": 6.5, "zorder": 1}),
            )  # fmt: skip
    axes.set(xlabel="$T$", ylabel="$C$")


def draw_difference(axes: Axes, table: pd.DataFrame) -> None:
    """Derivative minus variance in units of both errors of the difference."""
    axes.axhspan(-1, 1, **REFERENCE)
    for rows, look, _ in curves(table):
        rows = rows[rows["observable"] == "C_difference"].dropna(subset=["value", "error"])
        for some, alpha in by_test(rows):
            axes.plot(some["T"], some["value"] / bars(some), linestyle="none", alpha=alpha, **look)
    axes.set(xlabel="$T$", ylabel=r"(derivative $-$ variance) / error")


def main() -> None:
    arguments = parse(__doc__)
    table = read(arguments.tables)
    figure, panels = plt.subplots(1, 2, figsize=(10.0, 3.8))
    draw_both(panels[0], table)
    draw_difference(panels[1], table)
    panels[0].legend()
    output_of(arguments).save(figure, SPECIFIC_HEAT)


if __name__ == "__main__":
    main()
