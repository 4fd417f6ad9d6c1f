"""The headline numbers of the transition of ea3d, each with its spread over the scan of fits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from workflows.statistics.headline import LITERATURE, Headline, published
from workflows.tables.notation import with_error
from workflows.tables.table import fewest_blocks, select

CUMULANT = "U4"  # whose fit at one R_xi is quoted; U22 is much noisier
TOGETHER = "U4+U22"  # the quoted fit of all R_xi together
# Of each quantity: the method, the symbol, the reference, and which quoted fit it belongs to.
QUANTITIES = {
    "beta_c": ("joint", "β_c", "ea3d_beta_critical", "cumulants"),
    "nu": ("joint", "ν", "ea3d_nu", "cumulants"),
    "z": ("power", "z", "ea3d_z_critical", "powers"),
    "eta": ("power", "η", "ea3d_eta", "powers"),
}
Quote = dict[str, Any]


def quote_of(quantity: str, critical: dict[str, Any]) -> Quote:
    """The quoted fit of a quantity as the study names it, with the exponent of its correction and the degree."""
    default = {"omega": critical["omegas"][0], "degree": critical["degrees"][0]}
    return default | critical["quote"][QUANTITIES[quantity][3]]


def scan(fits: pd.DataFrame, quantity: str) -> pd.DataFrame:
    """All fits at one R_xi of one quantity that could have been quoted, those without error left out; all are of the
    first degree of the study."""
    rows = fits[(fits["quantity"] == quantity) & (fits["method"] == QUANTITIES[quantity][0])]
    return rows[(rows["cumulants"] == CUMULANT) & rows["xi_min"].isna() & (rows["error"] > 0)]


def together(fits: pd.DataFrame, quantity: str, cumulants: str = TOGETHER) -> pd.DataFrame:
    """The same of the fits of all R_xi together, of all degrees; exponents still belong to one R_xi each."""
    rows = fits[(fits["quantity"] == quantity) & (fits["method"] == QUANTITIES[quantity][0])]
    return rows[(rows["cumulants"] == cumulants) & rows["xi_min"].notna() & (rows["error"] > 0)]


def matching(rows: pd.DataFrame, quote: Quote) -> pd.DataFrame:
    """The fit of that description, at most one row."""
    for key in ("clock", "L_min", "xi_min"):
        if key in quote:
            rows = rows[np.isclose(rows[key], quote[key])]
    rows = rows[rows["degree"] == quote["degree"]]
    return rows[np.isclose(rows["omega"], quote["omega"]) if quote["corrected"] else rows["omega"].isna()]


def quoted(fits: pd.DataFrame, quantity: str, critical: dict[str, Any]) -> pd.DataFrame:
    """The quoted fit, at most one row."""
    quote = quote_of(quantity, critical)
    return matching((together if "xi_min" in quote else scan)(fits, quantity), quote)


def shown_clock(critical: dict[str, Any]) -> float:
    """The R_xi at which figures and tables of pairs show the values."""
    return critical["quote"]["cumulants"].get("clock", critical["quote"]["powers"]["clock"])


def pairs(fits: pd.DataFrame, quantity: str) -> pd.DataFrame:
    """Results of two sizes: crossings for beta_c; for exponents quotients at the beta_c of the literature."""
    method, cumulants = ("crossing", CUMULANT) if quantity == "beta_c" else ("quotient", "none")
    rows = fits[(fits["quantity"] == quantity) & (fits["method"] == method) & (fits["cumulants"] == cumulants)]
    return rows[np.isfinite(rows["L_max"])].drop_duplicates(["clock", "L_min", "L_max"])


def steps(rows: pd.DataFrame, quote: Quote, critical: dict[str, Any]) -> list[tuple[str, Quote]]:
    """The choices that differ in the fits one step away from the quoted one."""
    all_together = critical.get("together", {"clocks": [], "xi_min": []})
    scales = {
        "clock": ("R_ξ = {}", sorted(all_together["clocks"] if "xi_min" in quote else critical["clocks"])),
        "L_min": ("L ≥ {:.0f}", sorted(rows["L_min"].unique())),
        "xi_min": ("ξ ≥ {}", sorted(all_together["xi_min"])),
    }
    choices: list[tuple[str, Quote]] = []
    for key, (label, values) in scales.items():
        if key in quote:
            place = values.index(quote[key])
            choices += [(label.format(value), {key: value}) for value in values[max(0, place - 1) : place + 2]]
    choices.append((f"{'without' if quote['corrected'] else 'with'} L^−ω", {"corrected": not quote["corrected"]}))
    if quote["corrected"]:
        choices += [(f"ω = {omega}", {"omega": omega}) for omega in critical["omegas"][1:]]
    choices += [(f"degree {degree}", {"degree": degree}) for degree in critical["degrees"]]
    return [(name, change) for name, change in choices if quote | change != quote]


def neighbours(fits: pd.DataFrame, quantity: str, critical: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The fits one step away from the quoted one, each with the choice that differs."""
    quote = quote_of(quantity, critical)
    rows = (together if "xi_min" in quote else scan)(fits, quantity)
    found = [(name, matching(rows, quote | change)) for name, change in steps(rows, quote, critical)]
    if "xi_min" in quote:
        found += [(f"{one} alone", matching(together(fits, quantity, one), quote)) for one in (CUMULANT, "U22")]
    return [(name, chosen.iloc[0].to_dict()) for name, chosen in found if len(chosen)]


def systematic(fits: pd.DataFrame, quantity: str, critical: dict[str, Any]) -> float:
    """Half the spread, (largest - smallest) / 2, of the quoted fit and the fits one step away in the exponent of the
    correction, the degree, R_xi and the least size or correlation length. A fit without the correction is another
    model and a fit of one cumulant other data, so these do not enter."""
    quote = quote_of(quantity, critical)
    rows = (together if "xi_min" in quote else scan)(fits, quantity)
    chosen = [quote] + [quote | change for _, change in steps(rows, quote, critical) if "corrected" not in change]
    values = pd.concat([matching(rows, one) for one in chosen])["value"]
    return float(values.max() - values.min()) / 2


def blocks_of(readings: pd.DataFrame, fits: pd.DataFrame, quantity: str, critical: dict[str, Any]) -> int | None:
    """The fewest jackknife blocks of the sizes behind a quoted fit; powers of L stand on those behind beta_c too."""
    if not len(readings):
        return None
    found = [quoted(fits, name, critical) for name in {quantity, "beta_c"}]
    ends = pd.concat(found)[["L_min", "L_max"]]
    return fewest_blocks(readings[readings["L"].between(ends["L_min"].min(), ends["L_max"].max())])


def described(row: dict[str, Any], quote: Quote, critical: dict[str, Any]) -> str:
    """The quoted fit in words."""
    form = f"with a correction L^−{quote['omega']}" if quote["corrected"] else "without corrections"
    quality = f", χ²/dof = {row['chi2_dof']:.2f}, {row['dof']} dof" if row["dof"] else ""
    where = f"R_ξ = {row['clock']}"
    if "xi_min" in quote:
        clocks = ", ".join(str(clock) for clock in sorted(critical["together"]["clocks"]))
        fit = f"U₄ and U₂₂ at R_ξ = {clocks} together, ξ ≥ {quote['xi_min']}"
        where = f"{where}, β_c of {fit}" if "clock" in quote else fit
    return f"{where}, {row['L_min']:.0f} ≤ L ≤ {row['L_max']:.0f}, degree {quote['degree']}, {form}{quality}"


def drift(around: list[tuple[str, dict[str, Any]]], value: float) -> str:
    """One sentence: how far the neighbouring fits lie from the quoted one."""
    if not around:
        return "the scan has no neighbouring fit"
    values = ", ".join(f"{name}: {with_error(row['value'], row['error'])}" for name, row in around)
    name, row = max(around, key=lambda pair: abs(pair[1]["value"] - value))
    return f"neighbouring fits: {values}; largest shift {row['value'] - value:+.2g} ({name})".replace("-", "−")


def critical_numbers(
    fits: pd.DataFrame, critical: dict[str, Any], readings: pd.DataFrame | None = None
) -> list[Headline]:
    """The quoted fits compared with the literature. `readings`: the table that has the number of blocks of each size."""
    numbers = []
    readings = pd.DataFrame() if readings is None else readings
    for quantity, (_, symbol, key, _) in QUANTITIES.items():
        for row in quoted(fits, quantity, critical).to_dict("records"):
            around = drift(neighbours(fits, quantity, critical), row["value"])
            spread = "systematic error: half the spread over one step in ω, degree, R_ξ and ξ_min or L_min"
            note = f"{described(row, quote_of(quantity, critical), critical)}; {spread}; {around}"
            more = {"error_systematic": systematic(fits, quantity, critical)}
            more["blocks"] = blocks_of(readings, fits, quantity, critical)
            name = f"3D EA: {symbol} from relaxation"
            numbers.append(published(name, row["value"], row["error"], key, note, **more))
    return numbers


def settled(rows: pd.DataFrame) -> bool:
    """Whether a relaxation has ended: the values at the last time and at a half and a quarter of it agree within two errors."""
    rows = rows.sort_values("t")
    last = rows.iloc[-1]
    late = [rows[rows["t"] <= last["t"] / part].iloc[-1:] for part in (2, 4)]
    return last["error"] > 0 and all(
        len(one) == 1 and abs(one["value"].iloc[0] - last["value"]) < 2 * last["error"] for one in late
    )


def equilibrium_numbers(table: pd.DataFrame) -> list[Headline]:
    """U4 and xi/L at T_c where both have settled; xi far below L is not the end of a relaxation but its beginning."""
    numbers = []
    near = table[np.abs(table["T"] - LITERATURE["ea3d_T_critical"]["value"]) < 0.0005]
    for (size, t), mine in near.groupby(["L", "T"]):
        found = {name: select(mine, observable=name) for name in ("U4", "xi_over_L")}
        if not all(len(rows) and settled(rows) for rows in found.values()):
            continue
        last = {name: rows.sort_values("t").iloc[-1] for name, rows in found.items()}
        if last["xi_over_L"]["value"] < 0.5:
            continue
        for name, symbol in (("U4", "U₄"), ("xi_over_L", "ξ/L")):
            row = last[name]
            note = (
                f"after {row['t']:.0f} sweeps; the values at a half and a quarter of that time agree within two errors"
            )
            name_shown = f"3D EA: {symbol} in equilibrium, L = {size}, T = {t:.6g}"
            # The literature value is that of infinite size.
            more = {"verdict": "effective", "blocks": fewest_blocks(found[name])}
            numbers.append(published(name_shown, row["value"], row["error"], f"ea3d_{name}_critical", note, **more))
    return numbers
