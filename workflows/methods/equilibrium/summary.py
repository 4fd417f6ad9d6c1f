"""The headline numbers of simulations in equilibrium, of a model without a summary of its own."""

from __future__ import annotations

import numpy as np

from workflows.models.section import Section
from workflows.statistics.headline import NOT_IN_EQUILIBRIUM, Headline, published
from workflows.statistics.literature import critical_temperature
from workflows.statistics.size_limit import size_limits
from workflows.tables.notation import with_error
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import known

SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}


def limit_numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """The largest size at the published critical temperature, and the limit of all sizes."""
    found = []
    for limit in size_limits(tables.observables, section.model) if section.published else []:
        symbol, last = SYMBOLS[limit.observable], limit.rows.iloc[-1]
        name = f"{section.family}: {symbol} at T_c, L = {last.L}"
        note = f"{limit.at(last.L) - limit.value:+.4f} of it by the fit is the correction to the limit"
        found.append(Headline(name, last.value, last.error, note=note, verdict="effective", blocks=int(last.blocks)))
        name = f"{section.family}: {symbol} at T_c, L → ∞ from L = {limit.L_min} to {last.L}"
        note = (
            f"R* + a L^−ω, ω = {limit.omega:g}, a = {with_error(limit.amplitude, limit.amplitude_error)}, "
            f"χ² = {limit.chi2:.2f} with {limit.dof} degrees of freedom; systematic error: from that of ω, or from a term b L^−2ω if that is larger"
        )
        more = {"error_systematic": limit.error_systematic, "blocks": limit.blocks}
        key = f"{section.model}_{limit.observable}_critical"
        found.append(published(name, limit.value, limit.error, key, note, **more))
    return found


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """Couplings at the published critical temperature; all crossings, and their limits compared with that temperature where
    there is one."""
    found = limit_numbers(tables, section)
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
