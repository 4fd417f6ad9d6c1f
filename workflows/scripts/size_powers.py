"""z and eta from the values at fixed R_xi of `psflip-analysis critical` at one temperature, which every size has, by powers of L.

python -m workflows.scripts.size_powers --readings clock.csv --temperature 1.1019 --output powers.csv --figures FOLDER

For data with too few temperatures for the parabolas in beta of that program. Sizes are independent, so fits are weighted least squares;
errors are statistical and do not contain that of the critical temperature.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from workflows.figures.style import COLOURS, MARKERS, band, save
from workflows.statistics.literature import references
from workflows.tables.table import select, sizes

# Of each exponent: what is fitted, and exponent = offset + sign * power.
EXPONENTS = {"z": ("log_t", 0.0, 1.0, "ea3d_z_critical"), "eta": ("log_chi", 2.0, -1.0, "ea3d_eta")}


def fit(rows: pd.DataFrame, omega: float | None) -> tuple[float, float, float, int]:
    """p of value = c + p log L + d L^-omega (no d without omega), its error, chi^2 and degrees of freedom."""
    L = rows["L"].to_numpy(dtype=float)
    design = np.column_stack([np.ones_like(L), np.log(L)] + ([L**-omega] if omega else []))
    weighted = design / rows["error"].to_numpy()[:, None]
    covariance = np.linalg.inv(weighted.T @ weighted)
    parameters = covariance @ weighted.T @ (rows["value"] / rows["error"]).to_numpy()
    chi2 = (((rows["value"] - design @ parameters) / rows["error"]) ** 2).sum()
    return parameters[1], covariance[1, 1] ** 0.5, chi2, len(L) - design.shape[1]


def size_powers(readings: pd.DataFrame, temperature: float, omega: float) -> pd.DataFrame:
    """Both exponents for every R_xi, smallest size and form that leaves a degree of freedom."""
    found = []
    here = select(readings, T=temperature)
    for name, (quantity, offset, sign, _) in EXPONENTS.items():
        for clock, rows in here[here["quantity"] == quantity].groupby("clock"):
            for L_min in sizes(rows):
                used = rows[rows["L"] >= L_min]
                for correction in (None, omega):
                    if len(used) <= (3 if correction else 2):
                        continue
                    power, error, chi2, dof = fit(used, correction)
                    row = {"quantity": name, "clock": clock, "L_min": L_min, "L_max": used["L"].max()}
                    row |= {"omega": correction, "value": offset + sign * power, "error": error}
                    found.append(row | {"chi2_dof": chi2 / dof, "dof": dof})
    return pd.DataFrame(found).astype({"omega": float})


def plot(fits: pd.DataFrame, folder: Path) -> None:
    """Against R_xi: one mark for each smallest size, hollow without the correction."""
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.2))
    for axes, (name, (_, _, _, key)) in zip(panels, EXPONENTS.items()):
        band(axes, references()[key], "0.85")
        mine = fits[(fits["quantity"] == name) & ~(fits["omega"].notna() & (fits["L_min"] > fits["L_min"].min()))]
        for index, ((corrected, L_min), rows) in enumerate(mine.groupby([mine["omega"].notna(), "L_min"])):
            colour = COLOURS[index % len(COLOURS)]
            label = rf"$L\geq{L_min}$" + (rf", $L^{{-{rows['omega'].iloc[0]:g}}}$" if corrected else "")
            axes.errorbar(
                rows["clock"] + 0.003 * (index - 2), rows["value"], yerr=rows["error"], linestyle="none", elinewidth=0.9,
                color=colour, marker=MARKERS[index % len(MARKERS)], markerfacecolor=colour if corrected else "white",
                label=label,
            )  # fmt: skip
        axes.set(xlabel=r"$R_\xi$", ylabel={"z": "$z$", "eta": r"$\eta$"}[name])
    panels[1].legend()
    save(figure, folder, "powers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("readings", "output", "figures"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--temperature", required=True, type=float)
    parser.add_argument("--omega", type=float, default=1.12, help="exponent of the correction")
    arguments = parser.parse_args()
    fits = size_powers(pd.read_csv(arguments.readings), arguments.temperature, arguments.omega)
    fits.to_csv(arguments.output, index=False, float_format="%.6g")
    plot(fits, arguments.figures)


if __name__ == "__main__":
    main()
