"""The headline numbers of the Edwards-Anderson model."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from workflows.critical.summary import critical_numbers, equilibrium_numbers
from workflows.methods.relaxation.summary import exact_numbers
from workflows.models.section import Section
from workflows.statistics.headline import LITERATURE, Headline, published
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import fewest_blocks, select, temperatures

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


def dynamics_numbers(fits: pd.DataFrame, table: pd.DataFrame) -> list[Headline]:
    """The dynamic exponent of the largest lattice at each temperature; `table` has its number of blocks."""
    numbers = []
    for t in temperatures(fits) if len(fits) else []:
        rows = select(fits, T=t, range="whole")
        for row in rows[rows["L"] == rows["L"].max()].itertuples():
            name = f"3D EA: z from {'ξ' if row.quantity == 'xi' else 'χ'}, L = {row.L}, T = {t:.6g}"
            note = (
                f"effective exponent for {row.t_min:.0f} ≤ t ≤ {row.t_max:.0f}; the second-moment ξ is not yet in the "
                "regime 1 ≪ ξ ≪ L of the published value"
            )
            more = {
                "verdict": "effective",
                "blocks": fewest_blocks(select(table, L=row.L, T=t, observable=row.quantity)),
            }
            if abs(t - LITERATURE["ea3d_T_critical"]["value"]) < 0.01:
                numbers.append(published(name, row.z, row.z_error, "ea3d_z_critical", note, **more))
            else:
                numbers.append(Headline(name, row.z, row.z_error, note=note, **more))
    return numbers


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """The transition if the study looks for it, the relaxation, and values in equilibrium at T_c."""
    table = tables.observables
    critical = tables.critical
    transition = critical_numbers(tables.fits, critical, tables.readings) if critical else []
    relaxation = exact_numbers(table, section) + relaxation_of_another_program(table)
    return transition + relaxation + dynamics_numbers(tables.dynamics, table) + equilibrium_numbers(table)
