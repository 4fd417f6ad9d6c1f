"""The headline numbers of the two-dimensional Ising model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from workflows.models.ising2d import exact
from workflows.models.section import Section
from workflows.statistics.headline import Headline, published, student_p
from workflows.statistics.tails import chi2_of_tail, chi2_tail
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import fewest_blocks, known, select


def crossing_numbers(crossings: pd.DataFrame) -> list[Headline]:
    """Critical temperature and critical value from each phenomenological coupling: extrapolated, and of the largest pair."""
    symbols = {"U4": ("U₄", "ising2d_binder_critical"), "xi_over_L": ("ξ/L", "ising2d_xi_over_L_critical")}
    numbers = []
    for observable, (symbol, key) in symbols.items():
        rows = crossings[crossings["observable"] == observable] if len(crossings) else crossings
        for row in rows.itertuples():
            last = not np.isfinite(row.L2) or len(rows) == 1
            pair = "L → ∞" if not np.isfinite(row.L2) else f"L = {row.L1:.0f}, {row.L2:.0f}"
            if not last and row.L2 != rows["L2"][np.isfinite(rows["L2"])].max():
                continue
            name = f"2D Ising: critical temperature, crossing of {symbol}, {pair}"
            limit, source = exact.CRITICAL_TEMPERATURE, "Onsager, Phys. Rev. 65, 117 (1944), exact"
            temperature = Headline(name, row.T_crossing, row.error, limit, 0.0, source, blocks=row.blocks)
            temperature.error_systematic = known(row.error_systematic)
            numbers.append(temperature.judged())
            name = f"2D Ising: {symbol} at the crossing, {pair}"
            systematic = known(row.value_error_systematic)
            numbers.append(
                published(name, row.value, row.value_error, key, error_systematic=systematic, blocks=row.blocks)
            )
    return numbers


def torus_numbers(table: pd.DataFrame) -> list[Headline]:
    """Energies and specific heats of all equilibrated points against the exact finite lattices."""
    numbers = []
    source = "Kaufman, Phys. Rev. 76, 1232 (1949), exact on the torus"
    for index, (observable, symbol) in enumerate((("e", "energy"), ("C", "specific heat"))):
        rows = select(table, observable=observable)
        rows = rows[rows["equilibrated"].fillna(False).astype(bool) & (rows["error"] > 0)]
        if not len(rows):
            continue
        expected = [exact.torus(int(row.L), row.T)[index] for row in rows.itertuples()]
        pulls = ((rows["value"] - expected) / rows["error"]).to_numpy()
        probability = float(chi2_tail(np.sum(pulls**2), len(pulls)))
        single = student_p(pulls, rows["blocks"].to_numpy() - 1)
        name = f"2D Ising: {symbol}, χ² probability of {len(pulls)} points"
        note = f"χ² = {np.sum(pulls**2):.1f}; all (L, T) that passed the equilibration test"
        numbers.append(
            Headline(
                name, probability, source=source, note=note, blocks=fewest_blocks(rows), p=all_points(single)
            ).judged()
        )
        worst = rows.iloc[int(np.argmin(single))]
        reference = exact.torus(int(worst.L), worst["T"])[index]
        chance = float(-np.expm1(len(pulls) * np.log1p(-single.min())))
        name = f"2D Ising: {symbol}, worst of {len(pulls)} points, L = {worst.L}, T = {worst['T']:.6g}"
        note = f"a worst point as far off as this or farther has probability {chance:.2g}"
        worst_number = Headline(name, worst["value"], worst["error"], reference, 0.0, source, note=note, p=chance)
        worst_number.blocks = int(worst["blocks"])
        numbers.append(worst_number.judged())
    return numbers


def all_points(p: np.ndarray) -> float:
    """Two-sided probability of a χ² as far from its expectation, of independent points with two-sided probabilities `p`
    of their own: each counts with the Gaussian deviation of the same probability, so few blocks are no alarm."""
    upper = chi2_tail(np.sum(chi2_of_tail(p, 1)), len(p))
    return float(2 * min(upper, 1 - upper))


def magnetization_number(table: pd.DataFrame) -> list[Headline]:
    """The point of the largest lattice nearest to T_c at which the lattice is still as good as infinite."""
    rows = select(table, observable="m_abs")
    rows = rows[(rows["T"] < exact.CRITICAL_TEMPERATURE) & rows["equilibrated"].fillna(False).astype(bool)]
    if not len(rows):
        return []
    # Below T_c finite-size corrections fall as exp(-L/xi), 1/xi = 2 (2K + ln tanh K); exp(-15) is far below any error here.
    k = 1 / rows["T"]
    rows = rows[rows["L"] * 2 * (2 * k + np.log(np.tanh(k))) > 15].sort_values(["L", "T"])
    if not len(rows):
        return []
    row = rows.iloc[-1]
    name = f"2D Ising: magnetization ⟨|m|⟩, L = {row.L}, T = {row['T']:.6g}"
    reference = float(exact.spontaneous_magnetization(row["T"]))
    number = Headline(name, row["value"], row["error"], reference, 0.0, "Yang, Phys. Rev. 85, 808 (1952), exact")
    number.blocks = int(row["blocks"])
    return [number.judged()]


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """Crossings, energies and specific heats of all points, and the magnetization below T_c."""
    table = tables.observables
    return crossing_numbers(tables.crossings) + torus_numbers(table) + magnetization_number(table)
