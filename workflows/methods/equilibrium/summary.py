"""The headline numbers of simulations in equilibrium, of a model without a summary of its own."""

from __future__ import annotations

import numpy as np

from workflows.models.section import Section
from workflows.statistics.headline import NOT_IN_EQUILIBRIUM, Headline
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import known

SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """All crossings and their limits, which have nothing to be compared with."""
    found = []
    for row in tables.crossings.itertuples():
        pair = f"L = {row.L1:.0f}, {row.L2:.0f}" if np.isfinite(row.L2) else "L → ∞"
        name = f"{section.family}: crossing of {SYMBOLS[row.observable]}, {pair}"
        verdict = "effective" if row.equilibrated == 1 else NOT_IN_EQUILIBRIUM
        number = Headline(name, row.T_crossing, row.error, verdict=verdict, blocks=row.blocks)
        number.note = f"{SYMBOLS[row.observable]} there is {row.value:.4g}"
        number.error_systematic = known(row.error_systematic)
        found.append(number)
    return found
