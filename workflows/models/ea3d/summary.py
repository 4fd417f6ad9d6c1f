"""The headline numbers of the Edwards-Anderson model."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from workflows.critical.summary import critical_numbers, equilibrium_numbers
from workflows.methods.relaxation.summary import exact_numbers, exponents
from workflows.models.section import Section
from workflows.statistics.headline import LITERATURE, Headline
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select

REFERENCES = Path(__file__).parents[2] / "references" / "ea3d_relaxation.csv"


def relaxation_of_another_program(table: pd.DataFrame) -> list[Headline]:
    """Values at the last common time where a table of an independent program has the same size and temperature."""
    other = pd.read_csv(REFERENCES, comment="#")
    numbers = []
    for (size, t, observable), group in other.groupby(["L", "T", "observable"]):
        mine = select(table, L=size, T=t, observable=observable).merge(group, on="t", suffixes=("", "_known"))
        for row in mine.sort_values("t").tail(1).itertuples():
            name = f"3D EA: {observable} after {row.t:.0f} sweeps, L = {size}, T = {t:.6g}"
            source = "an independent program (workflows/references), random numbers of its own"
            number = Headline(name, row.value, row.error, row.value_known, row.error_known, source, blocks=row.blocks)
            numbers.append(number.judged())
    return numbers


def at_transition(t: float) -> str | None:
    """The published exponent at the critical temperature."""
    return "ea3d_z_critical" if abs(t - LITERATURE["ea3d_T_critical"]["value"]) < 0.01 else None


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """The transition if the study looks for it, the relaxation, and values in equilibrium at T_c."""
    table = tables.observables
    critical = tables.critical
    transition = critical_numbers(tables.fits, critical, tables.readings) if critical else []
    relaxation = exact_numbers(table, section) + relaxation_of_another_program(table)
    remark = "; the second-moment ξ is not yet in the regime 1 ≪ ξ ≪ L of the published value"
    dynamics = exponents(tables.dynamics, table, section, remark, at_transition)
    return transition + relaxation + dynamics + equilibrium_numbers(table)
