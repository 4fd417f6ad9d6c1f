"""Exact results next to measured ones: one quantity of one size in one temperature slot a row, with chi^2 of all rows of a
size. Slots of a grid, and points of a line in p, share their samples: chi^2 has their covariance, by delete-one-block
jackknife of all points together."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

import psflip
from workflows.identities.relations import Relation, relations
from workflows.statistics.tails import f_tail
from workflows.study.error import StudyError, answered
from workflows.study.reading import read_record
from workflows.study.study import Part, Study
from workflows.tables.table import of_parts, read, select, settled

KEYS = ["group", "part", "model", "quantity", "L", "p", "T", "value", "error", "expected", "blocks", "equilibrated"]


@dataclass(frozen=True)
class Point:
    """One row, and the deviations of its value over the jackknife blocks."""

    row: dict[str, object]
    deviations: xr.DataArray


def sums_of(study: Study, part: Part, size: int, folder: Path | None) -> xr.Dataset:
    """Block sums of the second half of a run, from the study or from a folder with one file for each run."""
    name = part.runs[size, None].name
    try:
        return psflip.block_sums([folder / f"{name}.h5"] if folder else study.reduced(part, size, None))
    except psflip.PsflipError as error:
        raise StudyError(str(error)) from error


def passed(table: pd.DataFrame, part: Part, size: int, t: float, observables: tuple[str, ...]) -> bool:
    """Whether all observables passed the equilibration test in a slot."""
    mine = select(of_parts(table, [part.name]), L=size, T=t)
    rows = mine[mine["observable"].isin(observables)]
    return len(rows) == len(observables) and bool(settled(rows).all())


def points_of(
    part: Part, group: str, sums: xr.Dataset, table: pd.DataFrame, relation: Relation, slots: list[float] | None
) -> Iterator[Point]:
    """One relation of one size in its slots."""
    size = int(sums["L"])
    found = psflip.jackknife(relation.formula, sums)
    for index, t in enumerate(sums["T"].values.tolist()):
        if slots is not None and not np.isclose(slots, t, rtol=1e-9).any():
            continue
        value, error, blocks = (np.asarray(one).ravel() for one in (found.value, found.error, found.blocks))
        row = [group, part.name, part.model, relation.quantity, size, part.p, t, value[index], error[index]]
        row += [relation.expected(size, t), int(blocks[-1]), int(passed(table, part, size, t, relation.tests))]
        yield Point(dict(zip(KEYS, row)), found.deviations.isel(T=index))


def joint_probability(points: list[Point]) -> tuple[float, float]:
    """chi^2 of all points of one size with their covariance, and its probability, by Hotelling's T^2 distribution: the
    covariance is known from a finite number of blocks."""
    joined = xr.align(*(point.deviations for point in points), join="inner")
    deviations = np.stack([one.values for one in joined], axis=1)
    differences = np.array([float(point.row["value"]) - float(point.row["expected"]) for point in points])  # type: ignore[arg-type]
    chi2 = float(differences @ np.linalg.solve(deviations.T @ deviations, differences))
    blocks, n = deviations.shape
    return chi2, float(f_tail(chi2 * (blocks - n) / (n * (blocks - 1)), n, blocks - n)) if blocks > n else np.nan


def rows_of(points: list[Point]) -> pd.DataFrame:
    """With chi^2, its degrees of freedom and its probability, of the points that passed the equilibration test."""
    table = pd.DataFrame([point.row for point in points])
    chosen = [point for point in points if point.row["equilibrated"]]
    chi2, p = joint_probability(chosen) if chosen else (np.nan, np.nan)
    return table.assign(chi2=chi2, dof=len(chosen), probability=p)


def table_of(study: Study, observables: pd.DataFrame, folder: Path | None = None) -> pd.DataFrame:
    """Of all parts with exact results. The points of a line in p make one group."""
    groups: dict[tuple[str, str, int], list[Point]] = {}
    for part in study.parts_with_identities:
        group = next((name for name, parts in study.nishimori_lines.items() if part in parts), part.name)
        for size in part.sizes:
            sums = sums_of(study, part, size, folder)
            found, slots = relations(part)
            for relation in found:
                key = (group, relation.quantity, size)
                groups.setdefault(key, []).extend(points_of(part, group, sums, observables, relation, slots))
    return pd.concat([rows_of(points) for points in groups.values()], ignore_index=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "observables", "output"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument(
        "--sums", type=Path, help="a folder with one reduced file for each run, instead of those of the study"
    )
    arguments = parser.parse_args()
    study = Study(read_record(arguments.study))
    table_of(study, read(arguments.observables), arguments.sums).to_csv(arguments.output, index=False)


if __name__ == "__main__":
    sys.exit(answered(main))
