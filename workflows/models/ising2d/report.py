"""The section of the report about the two-dimensional Ising model."""

from __future__ import annotations

from typing import Any

from workflows.methods.equilibrium.report import equilibration
from workflows.models.section import Section
from workflows.report.tables import Extrapolation, crossing_table
from workflows.tables.study_tables import StudyTables

EXTRAPOLATION = Extrapolation(
    curves="parabolas in T within the window", exponents="ν = 1, ω = 7/4", alternatives="ω = 7/4 and 2"
)


def content(tables: StudyTables, section: Section) -> dict[str, Any]:
    """Content of the template report.html.j2 of this model."""
    return {
        "crossings": crossing_table(tables, EXTRAPOLATION),
        "equilibration": equilibration(tables.observables, "the two-dimensional Ising model"),
    }
