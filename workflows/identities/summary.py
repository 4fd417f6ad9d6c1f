"""The headline numbers about exact results."""

from __future__ import annotations

import numpy as np
import pandas as pd

from workflows.statistics.headline import Headline, student_p
from workflows.statistics.tails import chi2_of_tail, chi2_tail
from workflows.tables.table import fewest_blocks

NISHIMORI = "exact on the line: Nishimori, Prog. Theor. Phys. 66, 1169 (1981)"
TORUS = "Kaufman, Phys. Rev. 76, 1232 (1949), exact on the torus"
SYMBOLS = {
    "e": "energy",
    "C": "specific heat",
    "m_abs-q_abs": "[⟨|m|⟩] − [⟨|q|⟩]",
    "m2-q2": "[⟨m²⟩] − [⟨q²⟩]",
    "m4-q4": "[⟨m⁴⟩] − [⟨q⁴⟩]",
    "chi_m_k-chi_k": "χ(k) of m − χ(k) of q",
}


def source_of(rows: pd.DataFrame) -> str:
    """Where the exact results come from: those of random bonds hold on the Nishimori line."""
    return TORUS if rows["p"].isna().any() else NISHIMORI


def numbers(table: pd.DataFrame, names: dict[str, str]) -> dict[str, list[Headline]]:
    """Of every group of points and quantity the chi^2 of all points and the worst one, by group; `names`: the words with
    which the names of the numbers of a group begin."""
    found: dict[str, list[Headline]] = {}
    passed = table[table["equilibrated"] == 1] if len(table) else table
    for (group, quantity), rows in passed.groupby(["group", "quantity"], sort=False) if len(passed) else ():
        name = f"{names[group]}: {SYMBOLS[quantity]}"
        found.setdefault(group, []).extend([all_points(name, rows), worst_point(name, rows)])
    return found


def all_points(name: str, rows: pd.DataFrame) -> Headline:
    """The chi^2 of all sizes: each with the covariance of its points, sizes being independent. The probability of each size
    is turned into the chi^2 of the same probability and as many degrees of freedom, and these are added."""
    sizes = rows.groupby("L")[["chi2", "dof", "probability"]].first()
    total = float(np.sum(chi2_of_tail(sizes["probability"], sizes["dof"])))
    p = float(chi2_tail(total, sizes["dof"].sum()))
    note = f"χ² = {sizes['chi2'].sum():.1f}, with the covariance of the points of one size"
    name = f"{name}, χ² probability of {len(rows)} points"
    return Headline(name, p, source=source_of(rows), note=note, blocks=fewest_blocks(rows), p=p).judged()


def worst_point(name: str, rows: pd.DataFrame) -> Headline:
    """Sidak's bound of its probability holds for correlated Gaussian points too."""
    single = student_p(((rows["value"] - rows["expected"]) / rows["error"]).to_numpy(), rows["blocks"].to_numpy() - 1)
    worst = rows.iloc[int(np.argmin(single))]
    chance = float(1 - (1 - np.min(single)) ** len(rows))
    at = f"L = {worst['L']}, T = {worst['T']:.6g}" + ("" if pd.isna(worst["p"]) else f", p = {worst['p']:g}")
    number = Headline(
        f"{name}, worst of {len(rows)} points, {at}", worst["value"], worst["error"], worst["expected"], 0.0
    )
    number.source, number.blocks, number.p = source_of(rows), int(worst["blocks"]), chance
    number.note = f"a worst point as far off as this or farther has probability {chance:.2g} at most"
    return number.judged()
