"""The section of the report about the Edwards-Anderson model."""

from __future__ import annotations

from typing import Any

from workflows.critical.report import pair_table, scan_table, together_table
from workflows.methods.relaxation.report import design_table, dynamics_table
from workflows.models.section import Section
from workflows.tables.study_tables import StudyTables


def content(tables: StudyTables, section: Section) -> dict[str, Any]:
    """Content of the template report.html.j2 of this model; without the transition unless the study has it."""
    found = {
        "dynamics": dynamics_table(tables.dynamics, "−0.39"),
        "designs": design_table(tables.observables),
        "critical": tables.critical,
    }
    if tables.critical:
        makers = {"pairs": pair_table, "scan": scan_table, "together": together_table}
        found |= {name: make(tables.fits, tables.critical) for name, make in makers.items()}
    return found
