"""The headline numbers of the random-field Ising model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from workflows.methods.tempering.between_slots import at_temperature
from workflows.methods.tempering.grids import lowest_rates
from workflows.models.rfim3d.drift import Assumption, assumption, line
from workflows.models.section import Section
from workflows.statistics.headline import NOT_IN_EQUILIBRIUM, Headline, published
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import known, select, sizes

REFERENCES = Path(__file__).parents[2] / "references" / "rfim3d_equilibrium.csv"
SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L", "g": "g"}


def note_of_limit(crossings: pd.DataFrame, observable: str, assumed: Assumption) -> str:
    """How a limit was taken, and its value for other exponents."""
    note = (
        f"extrapolated with {assumed.words}, from sizes far from the asymptotic regime; systematic error: half the "
        f"spread over {assumed.alternatives}"
    )
    other = line(crossings[crossings["observable"] == observable], assumed.other) if assumed.other else None
    return f"{note}; {other.limit:.3f} with those of the {other.exponents.name}" if other else note


def limit_label(crossings: pd.DataFrame, observable: str) -> str:
    """Names the sizes behind an extrapolation, which differ between studies."""
    pairs = crossings[(crossings["observable"] == observable) & np.isfinite(crossings["L2"])]
    settled = pairs[pairs["equilibrated"] == 1]
    used = settled if len(settled) >= 2 else pairs
    return f"L → ∞ from L = {used['L1'].min():.0f} to {used['L2'].max():.0f}"


def crossing_numbers(crossings: pd.DataFrame, h: float) -> list[Headline]:
    """All crossings; their result is the drift with size."""
    numbers = []
    for row in crossings.itertuples():
        infinite = not np.isfinite(row.L2)
        pair = limit_label(crossings, row.observable) if infinite else f"L = {row.L1:.0f}, {row.L2:.0f}"
        name = f"3D RFIM, h = {h:g}: crossing of {SYMBOLS[row.observable]}, {pair}"
        note = (
            note_of_limit(crossings, row.observable, assumption(h))
            if infinite
            else f"crossings of small sizes drift; {SYMBOLS[row.observable]} there is {row.value:.4g}"
        )
        if row.equilibrated != 1:
            note += f"; not all slots next to {'these crossings' if infinite else 'it'} passed the equilibration test"
        more = {"verdict": "effective" if row.equilibrated == 1 else NOT_IN_EQUILIBRIUM}
        more |= {"error_systematic": known(row.error_systematic), "blocks": row.blocks}
        number = Headline(name, row.T_crossing, row.error, note=note, **more)
        if h == 1:
            number = published(name, row.T_crossing, row.error, "rfim3d_T_critical", note, **more)
            number.pull = None  # the reference is a bracket, not a value with a standard error
        if h == 0 and infinite:
            number = published(name, row.T_crossing, row.error, "ising3d_T_critical", note, **more)
        numbers.append(number)
    return numbers


def exchange_numbers(table: pd.DataFrame, grids: pd.DataFrame, h: float) -> list[Headline]:
    """The lowest exchange rate on each grid, in the runs that are analysed."""
    numbers = []
    for trial in lowest_rates(grids).to_dict("records"):
        used = grids[
            (grids["L"] == trial["L"]) & (grids["from"] == trial["from"]) & (grids["to"] == trial["to"]) & grids["last"]
        ]
        rows = select(table, L=trial["L"], observable="exchange_rate")
        # Both methods end with a grid, one of which the runs have used.
        for _, grid in used.groupby("method"):
            mine = rows[[bool(np.isclose(grid["T"], t, rtol=1e-9).any()) for t in rows["T"]]]
            if len(mine) == len(grid):
                break
        else:
            continue
        worst = mine.loc[mine["value"].idxmin()]
        slots = f"{len(grid) + 1} slots between T = {trial['from']:g} and {trial['to']:g}"
        name = f"3D RFIM, h = {h:g}: lowest exchange rate, L = {trial['L']}, {slots}"
        note = f"between T = {worst['T']:.4g} and the next slot; as many equally spaced slots: {trial['uniform']:.3f} in an adaptation run"
        numbers.append(Headline(name, worst["value"], worst["error"], note=note, blocks=int(worst["blocks"])))
    return numbers


def equilibrated_at(
    table: pd.DataFrame, size: int, observable: str, t: float
) -> tuple[float, float, int | None] | None:
    """Value, error and number of blocks between two slots that passed the equilibration test; g from U4."""
    found = at_temperature(table, size, "U4" if observable == "g" else observable, t)
    if found is None or not found.equilibrated:
        return None
    if observable == "g":
        return (3 - found.value) / 2, found.error / 2, found.blocks
    return found.value, found.error, found.blocks


def numbers_of_another_program(table: pd.DataFrame, h: float) -> list[Headline]:
    other = pd.read_csv(REFERENCES, comment="#")
    numbers = []
    for row in other[other["h"] == h].itertuples():
        mine = equilibrated_at(table, row.L, row.observable, row.T) if row.L in sizes(table) else None
        if mine:
            name = f"3D RFIM, h = {h:g}: {SYMBOLS[row.observable]}, L = {row.L}, T = {row.T:g}"
            source = "an independent program (workflows/references), random numbers of its own"
            note = "between two slots, from the cubic with the values and slopes at both"
            value, error, blocks = mine
            number = Headline(name, value, error, row.value, row.error, source, note=note, blocks=blocks)
            numbers.append(number.judged())
    return numbers


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """Values of another program, all crossings, and the lowest exchange rates of adapted grids."""
    table, grids, h = tables.observables, tables.grids, float(tables.study["parts"][0]["h"])
    found = numbers_of_another_program(table, h) + crossing_numbers(tables.crossings, h)
    return found + (exchange_numbers(table, grids, h) if len(grids) else [])
