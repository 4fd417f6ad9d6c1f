"""The table of couplings at the published critical temperature and of their limits."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.statistics.headline import LITERATURE
from workflows.statistics.size_limit import SizeLimit, size_limits
from workflows.tables.notation import signed, with_error

SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}


def rows_of(limit: SizeLimit, model: str) -> list[list[object]]:
    """A row for each size, the limit, and the published limit."""
    rows: list[list[object]] = []
    symbol = SYMBOLS[limit.observable]
    for row in limit.rows.itertuples():
        enters = row.L >= limit.L_min
        pull = signed((row.value - limit.at(row.L)) / row.error) if enters else "–"
        rows.append([symbol, row.L, with_error(row.value, row.error), f"{limit.at(row.L):.5f}", pull])
    size = f"L → ∞ (χ²/dof {limit.chi2:.2f}/{limit.dof})"
    rows.append([symbol, size, with_error(limit.value, limit.error, limit.error_systematic), "–", "–"])
    known = LITERATURE[f"{model}_{limit.observable}_critical"]
    rows.append([symbol, "L → ∞, published", with_error(known["value"], known["error"]), "–", "–"])
    return rows


def limit_table(table: pd.DataFrame, model: str) -> dict[str, Any] | None:
    """Both couplings; None where nothing is published or too few sizes have that temperature."""
    limits = size_limits(table, model)
    if not limits:
        return None
    return {
        "caption": f"Couplings at the published critical temperature T = {LITERATURE[f'{model}_T_critical']['value']:.8g}, of sizes in "
        f"equilibrium, and the fit R(L) = R* + a L^−ω with ω = {limits[0].omega:g}, from the smallest size on for which it is good "
        "(Q > 0.05). Second bracket: half the spread over the error of ω, or the change of R* by a term b L^−2ω if that is larger.",
        "head": ["coupling", "L", "value", "fit", "deviation / error"],
        "text": ["coupling", "L"],
        "rows": [row for limit in limits for row in rows_of(limit, model)],
    }
