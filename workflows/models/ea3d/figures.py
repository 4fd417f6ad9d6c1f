"""Figures of the relaxation of the three-dimensional Edwards-Anderson model."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.figures.arguments import figure_parser, observables_of, output_of
from workflows.figures.style import Output, band, looks, parametric
from workflows.methods.relaxation.figures import name_outer_axes, panels, plot_binder, plot_energy, plot_growth
from workflows.statistics.literature import references
from workflows.tables.table import join, select, sizes


def plot_binder_of_xi(table: pd.DataFrame, output: Output, known: dict[str, Any]) -> None:
    ratio, cumulant = known["ea3d_xi_over_L_critical"], known["ea3d_U4_critical"]
    figure, list_of_panels = panels(table)
    for t, axes in list_of_panels:
        for size, look in looks(sizes(table)):
            marks = look | {"markeredgewidth": 0.5}
            parametric(axes, select(table, L=size, T=t), "U4", 3, marks, f"$L={size}$")
        band(axes, cumulant, "0.8")
        band(axes, ratio, "0.8", across=False)
        axes.set(xlabel=r"$R_\xi=\xi/L$", ylabel="$U_4$", xlim=(0, 0.7), ylim=(1.35, 3.25))
        name_outer_axes(axes)
        axes.legend(loc="center left")
    output.save(figure, "binder_of_xi")


def main() -> None:
    arguments = figure_parser(__doc__, "dynamics").parse_args()
    table = observables_of(arguments, "ea3d", "relaxation")
    fits, output, known = join(arguments.dynamics), output_of(arguments, "ea3d"), references()
    plot_energy(table, output, neighbours=6)
    plot_growth(table, fits, output, "chi", "susceptibility")
    plot_growth(table, fits, output, "xi", "correlation_length")
    plot_binder(table, output, known["ea3d_U4_critical"])
    plot_binder_of_xi(table, output, known)


if __name__ == "__main__":
    main()
