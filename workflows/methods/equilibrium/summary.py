"""The headline numbers of simulations in equilibrium, of a model without a summary of its own."""

from __future__ import annotations

import numpy as np

from workflows.models.section import Section
from workflows.statistics.headline import NOT_IN_EQUILIBRIUM, Headline, published
from workflows.statistics.literature import critical_temperature
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import known

SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """All crossings, and their limits compared with the published critical temperature where there is one."""
    found = []
    for row in tables.crossings.itertuples():
        infinite = not np.isfinite(row.L2)
        pair = "L → ∞" if infinite else f"L = {row.L1:.0f}, {row.L2:.0f}"
        name = f"{section.family}: crossing of {SYMBOLS[row.observable]}, {pair}"
        note = f"{SYMBOLS[row.observable]} there is {row.value:.4g}"
        more = {"error_systematic": known(row.error_systematic), "blocks": row.blocks}
        key = critical_temperature(section.model) if section.published else None
        if infinite and key and row.equilibrated == 1:
            found.append(published(name, row.T_crossing, row.error, key, note, **more))
        else:
            verdict = "effective" if row.equilibrated == 1 else NOT_IN_EQUILIBRIUM
            found.append(Headline(name, row.T_crossing, row.error, note=note, verdict=verdict, **more))
    return found
