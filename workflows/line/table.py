"""Crossings in p along the Nishimori line: of U4 and xi/L of m, and of q, which has the same distribution there."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

import psflip
from workflows.identities.relations import binder_of_m, length_of_m
from workflows.identities.table import passed, sums_of
from workflows.line.crossings import Curve, crossing, pairs
from workflows.study.error import answered
from workflows.study.nishimori import nishimori_slot, nishimori_temperature
from workflows.study.reading import read_record
from workflows.study.study import Part, Study
from workflows.tables.table import read

COUPLINGS = {
    "U4_m": binder_of_m,
    "xi_m_over_L": length_of_m,
    "U4": psflip.OBSERVABLES["U4"],
    "xi_over_L": psflip.OBSERVABLES["xi_over_L"],
}
CROSSINGS = ["group", "model", "observable", "L1", "L2", "p_crossing", "error", "T_crossing", "T_error"]
CROSSINGS += ["value", "value_error", "p_min", "p_max", "equilibrated", "blocks"]


def slope(p: float) -> float:
    """dT/dp of the Nishimori line."""
    return nishimori_temperature(p) ** 2 / (2 * p * (1 - p))


def curves_of_size(
    study: Study, parts: list[Part], size: int, table: pd.DataFrame, folder: Path | None
) -> dict[str, Curve]:
    """The curves of all couplings that one size has sums for; the points of a line have the blocks of the same samples."""
    found: dict[str, list[tuple[float, xr.DataArray, bool]]] = {}
    for part in parts:
        t = nishimori_slot(part)
        sums = sums_of(study, part, size, folder)
        at = sums.isel(T=[int(np.argmin(np.abs(sums["T"].values - t)))])
        for name, formula in COUPLINGS.items():
            if name == "xi_m_over_L" and "chi_m_k" not in at:
                continue
            estimate = psflip.jackknife(formula, at)
            settled = passed(table, part, size, float(at["T"].item()), (name,))
            point = (float(np.asarray(estimate.value).item()), estimate.deviations.isel(T=0, drop=True), settled)
            found.setdefault(name, []).append(point)
    p = np.array([part.p for part in parts], float)
    curves = {}
    for name, points in found.items():
        joined = xr.align(*(deviations.drop_vars("p", errors="ignore") for _, deviations, _ in points), join="inner")
        values, settled = np.array([value for value, _, _ in points]), all(passed for _, _, passed in points)
        curves[name] = Curve(size, p, values, np.stack([one.values for one in joined], axis=1), settled)
    return curves


def rows_of_pair(group: str, model: str, name: str, one: Curve, two: Curve) -> list[list[object]]:
    found = crossing(one, two)
    if found is None:
        return []
    place = [found.p, found.error, nishimori_temperature(found.p), found.error * slope(found.p)]
    more = [found.value, found.value_error, one.p[0], one.p[-1], int(found.equilibrated), found.blocks]
    return [[group, model, name, one.L, two.L, *place, *more]]


def points_of(group: str, model: str, name: str, curve: Curve) -> pd.DataFrame:
    """The points of a curve with their fit."""
    return pd.DataFrame({
        "group": group, "model": model, "observable": name, "L": curve.L, "p": curve.p,
        "T": [nishimori_temperature(p) for p in curve.p], "value": curve.value, "error": curve.error,
        "fit": curve.fitted(curve.p), "chi2": curve.chi2, "dof": curve.dof, "equilibrated": int(curve.equilibrated),
    })  # fmt: skip


def tables_of(study: Study, observables: pd.DataFrame, folder: Path | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Crossings of all pairs of sizes, and the curves."""
    rows: list[list[object]] = []
    curves: list[pd.DataFrame] = []
    for group, parts in study.nishimori_lines.items():
        model, sizes = parts[0].model, sorted(set.intersection(*(set(part.sizes) for part in parts)))
        of_size = {size: curves_of_size(study, parts, size, observables, folder) for size in sizes}
        for name in COUPLINGS:
            mine = {size: found[name] for size, found in of_size.items() if name in found}
            curves += [points_of(group, model, name, curve) for curve in mine.values()]
            for one, two in pairs(list(mine)):
                rows += rows_of_pair(group, model, name, mine[one], mine[two])
    return pd.DataFrame(rows, columns=CROSSINGS), pd.concat(curves, ignore_index=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "observables", "output", "curves"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument(
        "--sums", type=Path, help="a folder with one reduced file for each run, instead of those of the study"
    )
    arguments = parser.parse_args()
    study = Study(read_record(arguments.study))
    crossings, curves = tables_of(study, read(arguments.observables), arguments.sums)
    crossings.to_csv(arguments.output, index=False)
    curves.to_csv(arguments.curves, index=False)


if __name__ == "__main__":
    sys.exit(answered(main))
