"""The headline numbers of exchange Monte Carlo of a model without a summary of its own."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from workflows.methods.equilibrium import summary as of_crossings
from workflows.methods.equilibrium.summary import SYMBOLS
from workflows.models.section import Section
from workflows.statistics.headline import NOT_IN_EQUILIBRIUM, Headline
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select

REFERENCES = Path(__file__).parents[2] / "references"


def known_values(model: str) -> pd.DataFrame:
    """Values of single sizes and temperatures from other simulations; none for most models."""
    path = REFERENCES / f"{model}_equilibrium.csv"
    return pd.read_csv(path, comment="#") if path.is_file() else pd.DataFrame()


def compared(table: pd.DataFrame, section: Section) -> list[Headline]:
    """Slots of which another simulation knows the values."""
    found = []
    for row in known_values(section.model).itertuples() if section.published else []:
        for mine in select(table, L=row.L, observable=row.observable, T=row.T).itertuples():
            number = Headline(
                f"{section.family}: {SYMBOLS[row.observable]}, L = {row.L}, T = {row.T:g}",
                mine.value,
                mine.error,
                row.value,
                row.error,
                row.source,
                blocks=mine.blocks,
                verdict=None if mine.equilibrated == 1 else NOT_IN_EQUILIBRIUM,
            )
            found.append(number.judged())
    return found


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """Comparisons with known values, then all crossings."""
    return compared(tables.observables, section) + of_crossings.numbers(tables, section)
