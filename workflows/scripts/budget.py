"""Plans samples: the errors that a study of the transition of ea3d will have, from the readings of a pilot, and what it costs.

budget.py config/ea3d_critical.yaml --pilot results/pilot --speed 0.075

Errors of single samples are taken from the pilot, averaged over its sizes and temperatures (at a fixed clock they hardly depend on
either). Forecasts are those of the fits that psflip-analysis critical makes, for data without correlations between temperatures.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pandas as pd
from study import Study
from tables import references

Forecast = dict[str, float]


def single_sample_errors(readings: pd.DataFrame, pilot: Study) -> dict[str, float]:
    """Standard deviation of a reading of one sample, of each quantity."""
    parts = [pilot.parts[name] for name in pilot.critical["parts"]]
    samples = {(size, round(t, 9)): part.samples[size] for part in parts for size, t in part.runs}
    count = [samples[row.L, round(row.T, 9)] for row in readings.itertuples()]
    return np.sqrt((readings["error"] ** 2 * count).groupby(readings["quantity"]).mean()).to_dict()


def points_of(study: Study) -> pd.DataFrame:
    """Size, beta and samples of every reading."""
    parts = [study.parts[name] for name in study.critical["parts"]]
    rows = [{"L": L, "beta": 1 / t, "samples": part.samples[L]} for part in parts for L, t in part.runs]
    return pd.DataFrame(rows)


def scaled(points: pd.DataFrame) -> np.ndarray:
    """x = (beta - beta_c) L^(1/nu) with the values of the literature."""
    known = references()
    return (points["beta"] - known["ea3d_beta_critical"]["value"]) * points["L"] ** (1 / known["ea3d_nu"]["value"])


def parabola_of_cumulant(readings: pd.DataFrame) -> np.ndarray:
    """Coefficients of x and x^2 in U4, each size with a level of its own."""
    rows = readings[readings["quantity"] == "U4"]
    x = scaled(rows)
    sizes = (rows["L"].to_numpy()[:, None] == np.unique(rows["L"])[None, :]).astype(float)
    design = np.column_stack([sizes, x, x**2]) / rows["error"].to_numpy()[:, None]
    return np.linalg.lstsq(design, rows["value"] / rows["error"], rcond=None)[0][-2:]


def drift_of_power(readings: pd.DataFrame, quantity: str) -> float:
    """How fast the power of L changes with beta: the slopes of the sizes in beta against log L."""
    rows = readings[readings["quantity"] == quantity]
    sizes = sorted(rows["L"].unique())
    by_size = [rows[rows["L"] == size] for size in sizes]
    gradients = [np.polyfit(mine["beta"], mine["value"], 1, w=1 / mine["error"])[0] for mine in by_size]
    return float(np.polyfit(np.log(sizes), gradients, 1)[0])


def cumulant_forecast(points: pd.DataFrame, sigma: float, parabola: np.ndarray, omega: float | None) -> Forecast:
    """Errors of beta_c and nu from U = U_f + a_1 x + a_2 x^2 + b L^-omega."""
    nu = references()["ea3d_nu"]["value"]
    x, L = scaled(points).to_numpy(), points["L"].to_numpy().astype(float)
    slope = parabola[0] + 2 * parabola[1] * x
    columns = [-slope * L ** (1 / nu), -slope * x * np.log(L) / nu**2, np.ones_like(x), x, x**2]
    if omega:
        columns.append(L**-omega)
    design = np.column_stack(columns) * np.sqrt(points["samples"].to_numpy())[:, None] / sigma
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    return {"beta_c": errors[0], "nu": errors[1]}


def power_forecast(points: pd.DataFrame, sigma: float, omega: float | None) -> float:
    """Error of p in log Q = c + p log L + d L^-omega at a given beta_c."""
    sizes = np.unique(points["L"]).astype(float)
    variances = []
    for size in sizes:
        mine = points[points["L"] == size]
        x = scaled(mine).to_numpy()
        design = np.column_stack([np.ones_like(x), x, x**2]) * np.sqrt(mine["samples"].to_numpy())[:, None] / sigma
        variances.append(np.linalg.inv(design.T @ design)[0, 0])
    columns = [np.ones_like(sizes), np.log(sizes)] + ([sizes**-omega] if omega else [])
    weighted = np.column_stack(columns) / np.sqrt(variances)[:, None]
    return float(np.linalg.norm(np.linalg.pinv(weighted)[1]))


def forecast(
    study: Study, pilot: Study, readings: pd.DataFrame, clock: float, L_min: int, omega: float | None
) -> Forecast:
    """Errors of beta_c, nu, z and eta of one fit of the scan."""
    mine = readings[np.isclose(readings["clock"], clock)]
    sigma = single_sample_errors(mine, pilot)
    points = points_of(study)
    points = points[points["L"] >= L_min]
    found = cumulant_forecast(points, sigma["U4"], parabola_of_cumulant(mine), omega)
    for name, quantity in (("z", "log_t"), ("eta", "log_chi")):
        from_beta = drift_of_power(mine, quantity) * found["beta_c"]
        found[name] = float(np.hypot(power_forecast(points, sigma[quantity], omega), from_beta))
    return found


def costs(study: Study, speed: float) -> pd.DataFrame:
    """Flips and seconds of each part and size, all temperatures, at `speed` ps/flip."""
    rows = []
    for part in study.parts.values():
        for L in part.sizes:
            runs = [run.options for (size, _), run in part.runs.items() if size == L]
            flips = sum(L**3 * run["replicas"] * run["sweeps"] * part.samples[L] for run in runs)
            rows.append({"part": part.name, "L": L, "runs": len(runs), "samples": part.samples[L], "flips": flips})
    table = pd.DataFrame(rows)
    table["seconds"] = table["flips"] * speed * 1e-12
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path)
    parser.add_argument("--pilot", required=True, type=Path, help="folder of the results of a finished pilot")
    parser.add_argument("--speed", type=float, required=True, help="ps/flip")
    arguments = parser.parse_args()
    study = Study.read(arguments.study)
    pilot = Study(json.loads((arguments.pilot / "study.json").read_text(encoding="utf-8")))
    readings = pd.read_csv(arguments.pilot / "tables" / "clock.csv")
    print(costs(study, arguments.speed).to_string(index=False, float_format="{:.3g}".format))
    rows = []
    for clock in sorted(readings["clock"].unique()):
        for L_min in sorted(points_of(study)["L"].unique())[:4]:
            for omega in (None, study.critical["omegas"][0]):
                errors = forecast(study, pilot, readings, clock, L_min, omega)
                rows.append({"clock": clock, "L_min": L_min, "omega": omega} | errors)
    print("\nerrors expected\n" + pd.DataFrame(rows).to_string(index=False, float_format="{:.2g}".format, na_rep="-"))


if __name__ == "__main__":
    main()
