"""Figures of the transition of ea3d from relaxation: collapse, crossings, exponents of pairs of sizes, scans of fits."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from workflows.critical.summary import (
    CUMULANT,
    QUANTITIES,
    neighbours,
    pairs,
    quote_of,
    quoted,
    scan,
    shown_clock,
    together,
)
from workflows.figures.style import COLOURS, MARKERS, band, looks, parametric, points, save
from workflows.models import ea3d
from workflows.statistics.literature import references
from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.tables.table import read, select, sizes, temperatures

SYMBOLS = {"beta_c": r"$\beta_c$", "nu": r"$\nu$", "z": "$z$", "eta": r"$\eta$"}
DEGREE_MARKERS = "Ds^v"  # of the fits at all reference values together, in the order of the study's degrees


def best(fits: pd.DataFrame, critical: dict[str, Any], quantity: str) -> float:
    """The quoted value, or the literature's where the data did not allow that fit."""
    rows = quoted(fits, quantity, critical)
    return float(rows["value"].iloc[0]) if len(rows) else references()[QUANTITIES[quantity][2]]["value"]


def plot_clock(table: pd.DataFrame, sizes_used: list[int], folder: Path) -> None:
    """U4 and U22 against R_xi at the temperature nearest to the literature's: time is the parameter of each curve."""
    values = temperatures(table[table["L"].isin(sizes_used)])
    nearest = min(values, key=lambda t: abs(t - references()["ea3d_T_critical"]["value"]))
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.2))
    for axes, observable, label in zip(panels, ("U4", "U22"), ("$U_4$", "$U_{22}$")):
        for size, look in looks(sizes_used):
            marks = look | {"markersize": 3, "markeredgewidth": 0.4}
            parametric(axes, select(table, L=size, T=nearest), observable, 5, marks, f"$L={size}$")
        axes.set(xlabel=r"$R_\xi=\xi/L$", ylabel=label)
    panels[0].set_title(f"$T={nearest:.6g}$", fontsize=11)
    panels[0].legend()
    save(figure, folder, "critical_clock")


def without_correction(rows: pd.DataFrame, least_size: float, omega: float) -> pd.DataFrame:
    """Values at fixed R_xi less their b L^-omega: b by least squares with a cubic in x, from sizes not below the least one. With fewer
    values than a collapse needs they stay as they are."""
    used = rows[rows["L"] >= least_size]
    if len(used) < 6 or used["L"].nunique() < 2:
        return rows
    columns = np.column_stack([used["x"] ** k for k in range(4)] + [used["L"] ** -omega])
    weighted = columns / used[["error"]].to_numpy()
    b = np.linalg.lstsq(weighted, used["value"] / used["error"], rcond=None)[0][-1]
    return rows.assign(value=rows["value"] - b * rows["L"] ** -omega)


def plot_collapse(fits: pd.DataFrame, readings: pd.DataFrame, critical: dict[str, Any], folder: Path) -> None:
    """U4 at the quoted R_xi against beta, and the same with log t and log chi in the scaling variable, where a correction
    L^-omega, if one is quoted, is taken off."""
    beta_c, nu, z, eta = (best(fits, critical, name) for name in ("beta_c", "nu", "z", "eta"))
    clock = shown_clock(critical)
    rows = readings[np.isclose(readings["clock"], clock)].copy()
    rows["x"] = (rows["beta"] - beta_c) * rows["L"] ** (1 / nu)
    rows.loc[rows["quantity"] == "log_t", "value"] -= z * np.log(rows["L"])
    rows.loc[rows["quantity"] == "log_chi", "value"] -= (2 - eta) * np.log(rows["L"])
    figure, grid = plt.subplots(2, 2, figsize=(9.6, 7.6))
    cumulant, log_t, log_chi = (rows[rows["quantity"] == name] for name in (CUMULANT, "log_t", "log_chi"))
    x, less = r"$(\beta-\beta_c)\,L^{1/\nu}$", ""
    scaled = [cumulant, log_t, log_chi]
    quote = quote_of("beta_c", critical)
    if quote["corrected"]:
        less = rf"$-\,bL^{{-{quote['omega']:g}}}$"
        least = quote["L_min"] if "L_min" in quote else quote["xi_min"] / clock
        scaled = [without_correction(part, least, quote["omega"]) for part in scaled]
    panels = (
        (grid[0, 0], cumulant, "beta", r"$\beta$", "$U_4$"),
        (grid[0, 1], scaled[0], "x", x, "$U_4$" + less),
        (grid[1, 0], scaled[1], "x", x, r"$\ln(t\,L^{-z})$" + less),
        (grid[1, 1], scaled[2], "x", x, r"$\ln(\chi\,L^{\eta-2})$" + less),
    )
    for axes, data, column, across, up in panels:
        for size, look in looks(sizes(rows)):
            points(axes, data[data["L"] == size], column, look, f"$L={size}$", "-" if column == "beta" else "none")
        axes.set(xlabel=across, ylabel=up)
    band(grid[0, 0], references()["ea3d_beta_critical"], "0.85", across=False)
    grid[0, 0].legend()
    grid[0, 0].set_title(rf"$R_\xi={clock:g}$", fontsize=11)
    save(figure, folder, "critical_collapse")


def plot_pairs(fits: pd.DataFrame, critical: dict[str, Any], folder: Path) -> None:
    """Results of two sizes alone, at every reference value of R_xi, against 1/L of the smaller one."""
    figure, panels = plt.subplots(1, 3, figsize=(12.0, 4.2))
    for axes, quantity in zip(panels, ("beta_c", "z", "eta")):
        rows = pairs(fits, quantity)
        for index, clock in enumerate(sorted(critical["clocks"])):
            mine = rows[np.isclose(rows["clock"], clock)]
            look = {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)]}
            shift = 1 + 0.01 * (index - len(critical["clocks"]) / 2)
            axes.errorbar(
                shift / mine["L_min"], mine["value"], yerr=mine["error"], linestyle="-", linewidth=0.7, elinewidth=0.9,
                label=rf"$R_\xi={clock:g}$", markeredgecolor="white", markeredgewidth=0.5, **look,
            )  # fmt: skip
        band(axes, references()[QUANTITIES[quantity][2]], "0.85")
        axes.set(xlabel="$1/L_1$", ylabel=SYMBOLS[quantity])
        axes.set_xlim(left=0)
        spread = rows[rows["error"] < 3 * rows["error"].median()]["value"]
        if len(spread):
            room = 0.5 * max(spread.max() - spread.min(), 0.01)
            axes.set_ylim(spread.min() - room, spread.max() + room)
    panels[0].legend()
    save(figure, folder, "critical_pairs")


def plot_together(axes: Axes, fits: pd.DataFrame, critical: dict[str, Any], quantity: str) -> None:
    """The fits at all reference values together, one mark for each degree, those of one smallest size side by side by xi_min;
    exponents at the quoted R_xi."""
    rows = together(fits, quantity)
    if quantity in ("z", "eta"):
        rows = rows[np.isclose(rows["clock"], critical["quote"]["powers"]["clock"])]
    rows = rows[rows["omega"].isna() | np.isclose(rows["omega"], critical["omegas"][0])].sort_values("xi_min")
    for index, degree in enumerate(critical["degrees"]):
        of_degree = rows[rows["degree"] == degree]
        for corrected, mine in of_degree.groupby(of_degree["omega"].notna()):
            place = mine["L_min"] + 0.6 + 0.06 * index + 0.15 * mine.groupby("L_min").cumcount()
            axes.errorbar(
                place, mine["value"], yerr=mine["error"], linestyle="none", elinewidth=0.9, color="0.1",
                marker=DEGREE_MARKERS[index], markersize=4, markerfacecolor="0.1" if corrected else "white",
                label=rf"all $R_\xi$, degree {degree}" if corrected else None,
            )  # fmt: skip


def plot_scans(fits: pd.DataFrame, critical: dict[str, Any], folder: Path) -> None:
    """Every fit of the scan against its smallest size; hollow without corrections; a dashed line at the quoted one."""
    figure, grid = plt.subplots(2, 2, figsize=(9.6, 7.4))
    clocks = sorted(critical["clocks"])
    for axes, quantity in zip(grid.flat, QUANTITIES):
        rows = scan(fits, quantity)
        rows = rows[rows["omega"].isna() | np.isclose(rows["omega"], critical["omegas"][0])]
        for index, clock in enumerate(clocks):
            for corrected in (True, False):
                mine = rows[np.isclose(rows["clock"], clock) & (rows["omega"].notna() == corrected)]
                colour = COLOURS[index % len(COLOURS)]
                shift = 0.12 * (index - (len(clocks) - 1) / 2) + (0.04 if corrected else -0.04)
                axes.errorbar(
                    mine["L_min"] + shift, mine["value"], yerr=mine["error"], linestyle="none", elinewidth=0.9,
                    color=colour, marker=MARKERS[index % len(MARKERS)], markerfacecolor=colour if corrected else "white",
                    label=rf"$R_\xi={clock:g}$" if corrected else None,
                )  # fmt: skip
        plot_together(axes, fits, critical, quantity)
        for row in quoted(fits, quantity, critical).itertuples():
            axes.axhline(row.value, color="0.4", linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
            shifts = [abs(other["value"] - row.value) for _, other in neighbours(fits, quantity, critical)]
            room = max(6 * row.error, 1.2 * max(shifts, default=0))
            axes.set_ylim(row.value - room, row.value + room)
        band(axes, references()[QUANTITIES[quantity][2]], "0.85")
        axes.set(xlabel="smallest size", ylabel=SYMBOLS[quantity])
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    save(figure, folder, "critical_scans")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "observables", "fits", "readings", "output"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    arguments = parser.parse_args()
    critical = read_record(arguments.study)["critical"]
    table = select(read(arguments.observables), model=ea3d.SECTION.model, method=ea3d.SECTION.method)
    fits, readings = pd.read_csv(arguments.fits), pd.read_csv(arguments.readings)
    plot_clock(table, sizes(readings), arguments.output)
    plot_collapse(fits, readings, critical, arguments.output)
    plot_pairs(fits, critical, arguments.output)
    plot_scans(fits, critical, arguments.output)


if __name__ == "__main__":
    sys.exit(answered(main))
