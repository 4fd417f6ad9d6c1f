"""The section of the report about the two-dimensional Ising model."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.report.tables import Extrapolation, crossing_table
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select, sizes

EXTRAPOLATION = Extrapolation(
    curves="parabolas in T within the window", exponents="ν = 1, ω = 7/4", alternatives="ω = 7/4 and 2"
)


def equilibration(square: pd.DataFrame) -> dict[str, Any]:
    """The verdicts by size, and the points that failed or were nearest to it."""
    rows = select(square, observable="m2")
    verdict = rows["equilibrated"].fillna(False).astype(bool)
    failed = rows[~verdict]
    sentence = f"{int(verdict.sum())} of {len(rows)} points (L, T) passed."
    if len(failed):
        names = [f"L = {row.L}, T = {row.T:.6g}" for row in failed.itertuples()]
        sentence += f" Not passed: {'; '.join(names)}."
    table = []
    for size in sizes(rows) if len(rows) else []:
        mine = select(rows, L=size)
        slowest = mine.loc[mine["tau"].idxmax()] if mine["tau"].notna().any() else mine.iloc[0]
        passed = f"{int(verdict[mine.index].sum())} of {len(mine)}"
        table.append([size, passed, f"{slowest['tau']:.3g}", f"{slowest['T']:.6g}", int(mine["blocks"].min())])
    head = ["L", "passed", "longest τ", "at T", "blocks"]
    caption = "Equilibration of the two-dimensional Ising model."
    return {"sentence": sentence, "table": {"caption": caption, "head": head, "rows": table}}


def content(tables: StudyTables) -> dict[str, Any]:
    """What the template report.html.j2 of this model shows."""
    return {
        "crossings": crossing_table(tables.crossings, EXTRAPOLATION),
        "equilibration": equilibration(select(tables.observables, model="ising2d")),
    }
