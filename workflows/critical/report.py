"""The tables of the report about the transition of ea3d."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from workflows.critical.summary import CUMULANT, QUANTITIES, TOGETHER, matching, pairs, scan, shown_clock, together
from workflows.tables.notation import with_error

Table = dict[str, Any]


def scan_table(fits: pd.DataFrame, critical: dict[str, Any]) -> Table | None:
    """Every joint fit of U4, with the powers of L at its beta_c; of the corrections only the quoted omega."""
    if not len(fits):
        return None
    keys = ["clock", "L_min", "omega"]
    found = {name: scan(fits, name).set_index(keys).sort_index() for name in QUANTITIES}
    first = found["beta_c"].reset_index()
    first = first[first["omega"].isna() | np.isclose(first["omega"], critical["omegas"][0])]
    rows = []
    for row in first.sort_values(["clock", "omega", "L_min"]).to_dict("records"):
        cells = []
        for rows_of_one in found.values():
            same = rows_of_one.reset_index()
            same = same[np.isclose(same["clock"], row["clock"]) & (same["L_min"] == row["L_min"])]
            same = same[same["omega"].isna() if np.isnan(row["omega"]) else np.isclose(same["omega"], row["omega"])]
            cells.append(with_error(same["value"].iloc[0], same["error"].iloc[0]) if len(same) else "–")
        quality = "–" if np.isnan(row["chi2_dof"]) else f"{row['chi2_dof']:.2f}"
        form = "–" if np.isnan(row["omega"]) else f"{row['omega']:g}"
        rows.append(
            [f"{row['clock']:g}", f"{row['L_min']:.0f} – {row['L_max']:.0f}", form, *cells, quality, row["dof"]]
        )
    return {
        "caption": f"Scan of the fits: U₄ = P(x) + b L^−ω with a polynomial P of degree {critical['degrees'][0]} in x = (β − β_c) L^(1/ν) at fixed R_ξ (– : b = 0), then ln t = c + z ln L "
        "+ d L^−ω and ln χ = c + (2 − η) ln L + d L^−ω at that β_c. Errors by jackknife through the whole chain; χ²/dof of the fit of "
        "U₄ with the covariance of all temperatures of a size, its correlations shrunk as docs/analysis.md says. Fits with other ω are in tables/critical.csv.",
        "head": ["R_ξ", "L", "ω", "β_c", "ν", "z", "η", "χ²/dof", "dof"],
        "rows": rows,
    }


def together_row(fits: pd.DataFrame, cumulants: str, fit: dict[str, Any], clock: float) -> list[object] | None:
    """One fit at all reference values together, exponents as found at `clock`; None where the data did not allow it."""
    found = {
        name: matching(together(fits, name, cumulants), fit | ({"clock": clock} if name in ("z", "eta") else {}))
        for name in QUANTITIES
    }
    for first in found["beta_c"].itertuples():
        cells = [with_error(one["value"].iloc[0], one["error"].iloc[0]) if len(one) else "–" for one in found.values()]
        form = f"{fit['omega']:g}" if fit["corrected"] else "–"
        place = [f"{fit['xi_min']:g}", f"{first.L_min:.0f} – {first.L_max:.0f}", form, first.degree]
        return [*place, *cells, f"{first.chi2_dof:.2f}", first.dof]
    return None


def together_table(fits: pd.DataFrame, critical: dict[str, Any]) -> Table | None:
    """The fits at all reference values together, for every degree and least correlation length."""
    if "together" not in critical:
        return None
    rows, clock = [], critical["quote"]["powers"]["clock"]
    symbols = {CUMULANT: "U₄", "U22": "U₂₂", TOGETHER: "U₄, U₂₂"}
    xi_mins = sorted(critical["together"]["xi_min"])
    for cumulants, corrected, degree, xi_min in product(symbols, (True, False), critical["degrees"], xi_mins):
        fit = {"xi_min": xi_min, "corrected": corrected, "omega": critical["omegas"][0], "degree": degree}
        if row := together_row(fits, cumulants, fit, clock):
            rows.append([symbols[cumulants], *row])
    clocks = ", ".join(f"{value:g}" for value in sorted(critical["together"]["clocks"]))
    return {
        "caption": f"All reference values R_ξ = {clocks} together: one β_c and ν, polynomial in x of this degree and b of each R_ξ and cumulant, of sizes with "
        f"ξ = R_ξ L ≥ ξ_min; z and η at that β_c from R_ξ = {clock:g}, by polynomials in β of the same degree, from sizes with more temperatures than it. "
        "Errors by linear response of the fit to every row of the jackknife.",
        "head": ["cumulants", "ξ_min", "L", "ω", "degree", "β_c", "ν", "z", "η", "χ²/dof", "dof"],
        "text": ["cumulants"],
        "rows": rows,
    }


def pair_table(fits: pd.DataFrame, critical: dict[str, Any]) -> Table | None:
    """Results of two sizes: crossings at every R_xi that has one, exponents at the R_xi that figures show."""
    if not len(fits):
        return None
    rows, clock = [], shown_clock(critical)
    # Their extrapolation with assumed exponents has no systematic error, so it is in the table of fits only.
    for row in pairs(fits, "beta_c").sort_values(["clock", "L_min"]).itertuples():
        size = f"{row.L_min:.0f}, {row.L_max:.0f}"
        rows.append(["crossing of U₄, β", f"{row.clock:g}", size, with_error(row.value, row.error)])
    for quantity, symbol in (("z", "z"), ("eta", "η")):
        mine = pairs(fits, quantity)
        for row in mine[np.isclose(mine["clock"], clock)].itertuples():
            rows.append([symbol, f"{clock:g}", f"{row.L_min:.0f}, {row.L_max:.0f}", with_error(row.value, row.error)])
    return {
        "caption": "Two sizes at a time: crossings of U₄ where there are any, and "
        f"exponents at R_ξ = {clock:g} from quotients at β = 0.9075 of Baity-Jesi et al. 2013.",
        "head": ["quantity", "R_ξ", "L", "value"],
        "text": ["quantity", "L"],
        "rows": rows,
    }
