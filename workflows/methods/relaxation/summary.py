"""The headline numbers of a relaxation, of a model without a summary of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from workflows.methods.relaxation.exact import first_sweep_energy
from workflows.models.section import Section
from workflows.statistics.headline import Headline, published
from workflows.study.presets import presets
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import fewest_blocks, select, temperatures


def exact_numbers(table: pd.DataFrame, section: Section) -> list[Headline]:
    """Exact identities of the relaxation of a spin glass, for the largest lattice at each temperature."""
    numbers = []
    neighbours = 2 * presets()[section.model].dimension
    for t in temperatures(table):
        rows = select(table, T=t)
        rows = rows[rows["L"] == rows["L"].max()]
        place = f"L = {rows['L'].iloc[0]}, T = {t:.6g}"
        first = select(rows, observable="e", t=1)
        for row in first.itertuples():
            source = "exact, closed form of the first sweep"
            name = f"{section.family}: energy after one sweep, {place}"
            level = first_sweep_energy(t, neighbours)
            number = Headline(name, row.value, row.error, level, 0.0, source, blocks=row.blocks)
            numbers.append(number.judged())
        for row in select(rows, observable="m2", t=rows["t"].max()).itertuples():
            name = f"{section.family}: N [⟨m²⟩] after {row.t:.0f} sweeps, {place}"
            source = "exact, gauge invariance"
            numbers.append(Headline(name, row.value, row.error, 1.0, 0.0, source, blocks=row.blocks).judged())
    return numbers


def exponents(
    fits: pd.DataFrame,
    table: pd.DataFrame,
    section: Section,
    remark: str = "",
    literature: Callable[[float], str | None] = lambda _: None,
) -> list[Headline]:
    """The dynamic exponent of the largest lattice at each temperature; `table` has its number of blocks, `remark` ends each
    note. `literature` names the published value at a temperature, if there is one."""
    numbers = []
    for t in temperatures(fits) if len(fits) else []:
        rows = select(fits, T=t, range="whole")
        for row in rows[rows["L"] == rows["L"].max()].itertuples():
            symbol = "ξ" if row.quantity == "xi" else "χ"
            name = f"{section.family}: z from {symbol}, L = {row.L}, T = {t:.6g}"
            note = f"effective exponent for {row.t_min:.0f} ≤ t ≤ {row.t_max:.0f}{remark}"
            blocks = fewest_blocks(select(table, L=row.L, T=t, observable=row.quantity))
            more = {"note": note, "verdict": "effective", "blocks": blocks}
            key = literature(t)
            make = partial(published, key=key) if key else Headline
            numbers.append(make(name, row.z, row.z_error, **more))
    return numbers


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """Exact identities of spin glasses that start at infinite temperature, and effective exponents."""
    table = tables.observables
    starts = {part["start"] for part in tables.study["parts"]}
    exact = exact_numbers(table, section) if section.spin_glass and starts == {"random"} else []
    return exact + exponents(tables.dynamics, table, section)
