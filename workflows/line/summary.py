"""The headline numbers of crossings along the Nishimori line."""

from __future__ import annotations

import pandas as pd

from workflows.statistics.headline import LITERATURE, NOT_IN_EQUILIBRIUM, Headline
from workflows.study.nishimori import nishimori_temperature

SYMBOLS = {"U4_m": "U₄ of m", "xi_m_over_L": "ξ/L of m", "U4": "U₄ of q", "xi_over_L": "ξ/L of q"}
QUOTED = ("U4_m", "xi_m_over_L")  # those of q are the same numbers with larger errors


def published_point(model: str) -> tuple[float, float, str] | None:
    """p of the multicritical point, its error and source."""
    known = LITERATURE.get(f"{model}_p_multicritical")
    return (known["value"], known["error"], known["source"]) if known else None


def quoted(table: pd.DataFrame) -> pd.DataFrame:
    """Of m, pairs L, 2 L, or all where there are none."""
    rows = table[table["observable"].isin(QUOTED)]
    doubled = rows[rows["L2"] == 2 * rows["L1"]]
    return doubled if len(doubled) else rows


def numbers(table: pd.DataFrame, names: dict[str, str]) -> dict[str, list[Headline]]:
    """p and T of crossings, by group, next to the published point: crossings depend on L, so they are no comparisons.
    `names`: the words with which the names of the numbers of a group begin."""
    found: dict[str, list[Headline]] = {}
    for row in quoted(table).itertuples() if len(table) else ():
        verdict = "effective" if row.equilibrated == 1 else NOT_IN_EQUILIBRIUM
        known = published_point(row.model)
        for symbol, value, error in (("p", row.p_crossing, row.error), ("T", row.T_crossing, row.T_error)):
            name = f"{names[row.group]}: {symbol} at the crossing of {SYMBOLS[row.observable]}, L = {row.L1}, {row.L2}"
            number = Headline(name, value, error, verdict=verdict, blocks=row.blocks)
            number.note = f"crossings of small sizes drift; {SYMBOLS[row.observable]} there is {row.value:.4g}"
            if known:
                p, p_error, number.source = known
                ends = [nishimori_temperature(p + sign * p_error) for sign in (-1, 1)]
                number.reference = p if symbol == "p" else nishimori_temperature(p)
                number.reference_error = p_error if symbol == "p" else (ends[1] - ends[0]) / 2
            found.setdefault(row.group, []).append(number.judged())
    return found
