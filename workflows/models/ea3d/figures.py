"""Figures of the relaxation of the three-dimensional Edwards-Anderson model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from workflows.figures.style import REFERENCE, Output, looks
from workflows.methods.relaxation.figures import name_outer_axes, panels, plot_binder, plot_energy, plot_growth
from workflows.statistics.literature import references
from workflows.tables.table import join, read, select, sizes


def plot_binder_of_xi(table: pd.DataFrame, output: Output, known: dict[str, Any]) -> None:
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
    output.save(figure, "binder_of_xi")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--observables", required=True, type=Path)
    parser.add_argument("--dynamics", nargs="*", default=[], type=Path)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    table = select(read(arguments.observables), model="ea3d", method="relaxation")
    fits, output, known = join(arguments.dynamics), Output(arguments.output, "ea3d"), references()
    plot_energy(table, output, neighbours=6)
    plot_growth(table, fits, output, "chi", "susceptibility")
    plot_growth(table, fits, output, "xi", "correlation_length")
    plot_binder(table, output, known["ea3d_U4_critical"])
    plot_binder_of_xi(table, output, known)


if __name__ == "__main__":
    main()
