"""The headline numbers of exchange Monte Carlo of a model without a summary of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from workflows.methods.equilibrium import summary as of_crossings
from workflows.methods.equilibrium.summary import SYMBOLS
from workflows.methods.tempering.between_slots import at_temperature
from workflows.methods.tempering.exponents import exponents
from workflows.models.section import Section
from workflows.statistics.headline import NOT_IN_EQUILIBRIUM, Headline
from workflows.statistics.tails import chi2_of_tail, chi2_tail
from workflows.tables.study_tables import StudyTables

REFERENCES = Path(__file__).parents[2] / "references"
BETWEEN = "between two slots, from the cubic with the values and slopes at both"


def known_values(model: str) -> pd.DataFrame:
    """Values of single sizes and temperatures from other simulations; none for most models."""
    path = REFERENCES / f"{model}_equilibrium.csv"
    return pd.read_csv(path, comment="#") if path.is_file() else pd.DataFrame()


def compared(table: pd.DataFrame, section: Section) -> list[tuple[int, Headline]]:
    """Temperatures of which another simulation knows the values, in a slot or between two, each with its L."""
    found = []
    for row in known_values(section.model).itertuples() if section.published else []:
        mine = at_temperature(table, row.L, row.observable, row.T)
        if mine is None:
            continue
        number = Headline(
            f"{section.family}: {SYMBOLS[row.observable]}, L = {row.L}, T = {row.T:g}",
            mine.value,
            mine.error,
            row.value,
            row.error,
            row.source,
            blocks=mine.blocks,
            verdict=None if mine.equilibrated else NOT_IN_EQUILIBRIUM,
            note=BETWEEN if mine.is_between else None,
        )
        found.append((int(row.L), number.judged()))
    return found


def together(found: list[tuple[int, Headline]], section: Section) -> list[Headline]:
    """One chi^2 of all comparisons with known values, of two sizes or more. U4 and xi/L of one size come from the same
    samples, here and in the other simulation, whose covariance is not known."""
    judged = [number for _, number in found if number.p is not None]
    sizes = {size for size, number in found if number.p is not None}
    if len(sizes) < 2:
        return []
    chi2 = sum(number.pull**2 for number in judged)
    p = largest_tail(np.array([number.p for number in judged]), len(sizes))
    note = (
        f"χ² = {chi2:.1f}; U₄ and ξ/L of one size are correlated: the probability of as large a χ² or a larger one is at "
        f"most this, whatever the correlations, and {chi2_tail(chi2, len(judged)):.2g} without any"
    )
    name = f"{section.family}: χ² probability of {len(judged)} known values"
    blocks = min((number.blocks for number in judged if number.blocks is not None), default=None)
    return [Headline(name, p, source=judged[0].source, note=note, blocks=blocks, p=p).judged()]


def largest_tail(p: np.ndarray, groups: int) -> float:
    """Upper bound of the probability of a chi^2 as large as that of numbers with two-sided probabilities `p`, each as the
    Gaussian deviation of the same probability, where only the `groups` groups are known to be independent.

    chi^2 is a sum of squared independent Gaussians with weights whose sum is n. The tail of such a sum is largest for equal
    weights of some m of them, n / m each (Szekely and Bakirov, Probab. Theory Relat. Fields 126 (2003) 184); a group of
    n / groups numbers has no larger weight than their number."""
    chi2, n = float(np.sum(chi2_of_tail(p, 1))), len(p)
    m = np.arange(groups, n + 1)
    return float(np.max(chi2_tail(chi2 * m / n, m)))


def numbers(tables: StudyTables, section: Section) -> list[Headline]:
    """Comparisons with known values, alone and together, exponents, then limits at the transition and all crossings."""
    known = compared(tables.observables, section)
    found = [number for _, number in known] + together(known, section) + exponents(tables.observables, section)
    return found + of_crossings.numbers(tables, section)
