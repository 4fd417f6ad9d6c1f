"""The section of the report about simulations in equilibrium, of a model without a section of its own."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.methods.registry import method_of
from workflows.models.section import Section
from workflows.report.size_limit import limit_table
from workflows.report.system import described
from workflows.report.tables import Extrapolation, crossing_table, power_of_ten
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select, settled, sizes


def equilibration(table: pd.DataFrame, model: str) -> dict[str, Any]:
    """The equilibration tests of m2 by size, and the points that failed or were nearest to it."""
    rows = select(table, observable="m2")
    verdict = settled(rows)
    failed = rows[~verdict]
    sentence = f"{int(verdict.sum())} of {len(rows)} points (L, T) passed."
    if len(failed):
        names = [f"L = {row.L}, T = {row.T:.6g}" for row in failed.itertuples()]
        sentence += f" Not passed: {'; '.join(names)}."
    lines = []
    for size in sizes(rows) if len(rows) else []:
        mine = select(rows, L=size)
        slowest = mine.loc[mine["tau"].idxmax()] if mine["tau"].notna().any() else mine.iloc[0]
        passed = f"{int(verdict[mine.index].sum())} of {len(mine)}"
        lines.append([size, passed, power_of_ten(slowest["tau"]), f"{slowest['T']:.6g}", int(mine["blocks"].min())])
    head = ["L", "passed", "longest τ", "at T", "blocks"]
    caption = f"Equilibration of {model}."
    return {"sentence": sentence, "table": {"caption": caption, "head": head, "rows": lines}}


def extrapolation(parts: list[dict[str, Any]]) -> Extrapolation:
    """In words, with the exponents that the study states or else those that psflip knows of the model."""
    keys = [part["crossing"] for part in parts if "crossing" in part]
    given = dict.fromkeys(
        f"ν = {key['nu']:g}, ω = {key['omega']:g} of the study" if "nu" in key else "the exponents of docs/models.md"
        for key in keys
    )
    curves = "cubics with the values and slopes of slots" if method_of(parts[0]).tempered else "parabolas in T"
    return Extrapolation(f"{curves} within the window", " or ".join(given), "exponents that psflip-analysis varies")


def content(tables: StudyTables, section: Section) -> dict[str, Any]:
    """Content of the template report.html.j2 of this method."""
    parts = tables.study["parts"]
    found = {
        "crossings": crossing_table(tables, extrapolation(parts)),
        "limits": limit_table(tables.observables, section.model) if section.published else None,
        "equilibration": equilibration(tables.observables, section.family),
    }
    return described(parts, section) | found
