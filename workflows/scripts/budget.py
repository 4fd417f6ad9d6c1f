"""Plans samples: the errors that a study of the transition of ea3d will have, from the values of a pilot run, and its cost.

python -m workflows.scripts.budget config/ea3d_critical.yaml --pilot results/pilot --speed 8:0.2,16:0.065 --files 3

Errors of single samples are taken from the pilot run, averaged over its sizes and temperatures (at fixed R_xi they hardly depend on
either); so is the time at which a run passes a clock, and runs that end before do not count. Forecasts are those of the fits that
psflip-analysis critical makes, for data without correlations between temperatures.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from workflows.statistics.literature import references
from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.study.study import Study

Forecast = dict[str, float]


def single_sample_errors(readings: pd.DataFrame, pilot: Study) -> dict[str, float]:
    """Standard deviation of a value of one sample at fixed R_xi, of each quantity."""
    parts = [pilot.parts[name] for name in pilot.critical["parts"]]
    samples = {(size, round(t, 9)): part.samples[size] for part in parts for size, t in part.runs}
    count = [samples[row.L, round(row.T, 9)] for row in readings.itertuples()]
    return np.sqrt((readings["error"] ** 2 * count).groupby(readings["quantity"]).mean()).to_dict()


def points_of(study: Study) -> pd.DataFrame:
    """Size, beta, samples and sweeps of every run."""
    parts = [study.parts[name] for name in study.critical["parts"]]
    rows = [
        {"L": L, "beta": 1 / t, "samples": part.samples[L], "sweeps": run.options["sweeps"]}
        for part in parts
        for (L, t), run in part.runs.items()
    ]
    return pd.DataFrame(rows)


def reached(points: pd.DataFrame, readings: pd.DataFrame) -> pd.DataFrame:
    """The points whose runs are long enough for the R_xi of the values, by log t smooth in log L and beta."""

    def terms(rows: pd.DataFrame) -> np.ndarray:
        log_L, beta = np.log(rows["L"].to_numpy(dtype=float)), rows["beta"].to_numpy() - 0.9
        return np.column_stack([np.ones_like(beta), log_L, beta, beta * log_L, beta**2])

    times = readings[readings["quantity"] == "log_t"]
    weight = 1 / times["error"].to_numpy()
    found = np.linalg.lstsq(terms(times) * weight[:, None], times["value"] * weight, rcond=None)[0]
    # A value at fixed R_xi needs two measured times behind it, each 2^(1/4) later.
    return points[terms(points) @ found + np.log(2) / 2 < np.log(points["sweeps"])]


def scaled(points: pd.DataFrame) -> np.ndarray:
    """x = (beta - beta_c) L^(1/nu) with the values of the literature."""
    known = references()
    return (points["beta"] - known["ea3d_beta_critical"]["value"]) * points["L"] ** (1 / known["ea3d_nu"]["value"])


def with_curvature(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of sizes at three temperatures or more."""
    return rows[rows.groupby("L")["L"].transform("size") > 2]


def parabola_of_cumulant(readings: pd.DataFrame) -> np.ndarray:
    """Coefficients of x and x^2 in U4, each size with a level of its own."""
    rows = with_curvature(readings[readings["quantity"] == "U4"])
    x = scaled(rows)
    sizes = (rows["L"].to_numpy()[:, None] == np.unique(rows["L"])[None, :]).astype(float)
    design = np.column_stack([sizes, x, x**2]) / rows["error"].to_numpy()[:, None]
    return np.linalg.lstsq(design, rows["value"] / rows["error"], rcond=None)[0][-2:]


def drift_of_power(readings: pd.DataFrame, quantity: str) -> float:
    """How fast the power of L changes with beta: the slopes of the sizes in beta against log L."""
    rows = with_curvature(readings[readings["quantity"] == quantity])
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
    if len(L) <= design.shape[1] or np.linalg.matrix_rank(design / np.linalg.norm(design, axis=0)) < design.shape[1]:
        return {"beta_c": np.nan, "nu": np.nan}
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    return {"beta_c": errors[0], "nu": errors[1]}


def power_forecast(points: pd.DataFrame, sigma: float, omega: float | None) -> float:
    """Error of p in log Q = c + p log L + d L^-omega at a given beta_c, from sizes with three temperatures or more."""
    points = with_curvature(points)
    sizes = np.unique(points["L"]).astype(float)
    if len(sizes) < (3 if omega else 2):
        return np.nan
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
    points = reached(points_of(study), mine)
    points = points[points["L"] >= L_min]
    found = cumulant_forecast(points, sigma["U4"], parabola_of_cumulant(mine), omega)
    for name, quantity in (("z", "log_t"), ("eta", "log_chi")):
        from_beta = drift_of_power(mine, quantity) * found["beta_c"]
        found[name] = float(np.hypot(power_forecast(points, sigma[quantity], omega), from_beta))
    return found


def by_size(text: str) -> dict[int, float]:
    """ "0.075" for all sizes, or "8:0.2,16:0.065", where a size not named is like the nearest one."""
    pairs = [entry.split(":") for entry in text.split(",")]
    return {1: float(text)} if len(pairs) == len(pairs[0]) == 1 else {int(L): float(value) for L, value in pairs}


def measured_times(sweeps: int) -> int:
    """How many times floor(2^(k/4)) there are in a run, with the start."""
    return 1 + len({int(2 ** (k / 4)) for k in range(4 * sweeps.bit_length()) if 2 ** (k / 4) <= sweeps})


def costs(study: Study, speeds: dict[int, float], files: float) -> pd.DataFrame:
    """Of each part and size, all temperatures: flips, shards, seconds of flipping at `speeds` in ps/flip, and of writing and
    reducing at `files` microseconds a sample and time."""
    rows = []
    for part in study.parts.values():
        for L in part.sizes:
            runs = [run.options for (size, _), run in part.runs.items() if size == L]
            samples = part.samples[L]
            flips = sum(L**3 * run["replicas"] * run["sweeps"] * samples for run in runs)
            row = {"part": part.name, "L": L, "runs": len(runs), "samples": samples, "flips": flips}
            row["seconds"] = flips * speeds[min(speeds, key=lambda size: abs(size - L))] * 1e-12
            row["files_seconds"] = sum(samples * measured_times(run["sweeps"]) for run in runs) * files * 1e-6
            rows.append(row)
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path)
    parser.add_argument("--pilot", required=True, type=Path, help="folder of the results of a finished pilot run")
    parser.add_argument("--speed", type=by_size, required=True, help="ps/flip, one number or SIZE:NUMBER,...")
    parser.add_argument("--files", type=float, default=0, help="microseconds to write and reduce a sample at one time")
    arguments = parser.parse_args()
    study = Study.read(arguments.study)
    pilot = Study(read_record(arguments.pilot / "study.json"))
    readings = pd.read_csv(arguments.pilot / "tables" / "clock.csv")
    table = costs(study, arguments.speed, arguments.files)
    print(table.to_string(index=False, float_format="{:.3g}".format))
    print(f"all: {table['seconds'].sum():.0f} s of flipping, {table['files_seconds'].sum():.0f} s of files")
    rows = []
    cumulants = readings[readings["quantity"] == "U4"]
    usable = cumulants.groupby("clock").filter(lambda rows: with_curvature(rows)["L"].nunique() > 1)
    for clock in sorted(usable["clock"].unique()):
        for L_min in sorted(points_of(study)["L"].unique())[:4]:
            for omega in (None, study.critical["omegas"][0]):
                errors = forecast(study, pilot, readings, clock, L_min, omega)
                rows.append({"clock": clock, "L_min": L_min, "omega": omega} | errors)
    print("\nerrors expected\n" + pd.DataFrame(rows).to_string(index=False, float_format="{:.2g}".format, na_rep="-"))


if __name__ == "__main__":
    sys.exit(answered(main))
