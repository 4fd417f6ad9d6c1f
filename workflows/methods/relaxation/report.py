"""The section of the report about a relaxation, of a model without a section of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from workflows.models.section import Section
from workflows.report.system import described
from workflows.tables.notation import with_error
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select, sizes, temperatures

Table = dict[str, Any]


def dynamics_table(fits: pd.DataFrame, eta: str) -> Table | None:
    """`eta`: with which z follows from chi."""
    if not len(fits):
        return None
    rows = []
    for row in fits.sort_values(["T", "quantity", "L"], kind="stable").itertuples():
        symbol = "ξ" if row.quantity == "xi" else "χ"
        exponents = [with_error(row.exponent, row.error), with_error(row.z, row.z_error)]
        quality = ["–" if math.isnan(chi2) else f"{chi2:.2f}" for chi2 in (row.chi2_dof, row.chi2_dof_covariance)]
        rows.append([symbol, row.L, f"{row.T:.6g}", f"{row.t_min} – {row.t_max}", row.points, *exponents, *quality])
    return {
        "caption": f"Power laws in time, ξ ∝ t^(1/z) and χ ∝ t^((2−η)/z) with η = {eta}; errors by jackknife through the fit; for each size the full range, then parts of it. The first "
        "χ²/dof is that of the fit, in which times count as independent; the second uses their full covariance. Large values: the "
        "lattice is too small for a power law over this range.",
        "head": ["quantity", "L", "T", "sweeps", "points", "exponent", "z", "χ²/dof", "with covariance"],
        "text": ["quantity"],
        "rows": rows,
    }


def design_table(glass: pd.DataFrame) -> Table | None:
    """Design effects at the start, in the middle (on a logarithmic scale) and at the end of the relaxation."""
    names = [name for name in glass["observable"].unique() if name.startswith("design_effect_")]
    rows = []
    for t in temperatures(glass):
        for size in sizes(select(glass, T=t)):
            mine = select(glass, L=size, T=t)
            times = np.unique(mine["t"][mine["t"] > 0])
            for time in sorted({times[0], times[len(times) // 2], times[-1]}):
                now = select(mine, t=time).set_index("observable")
                effects = [
                    with_error(*now.loc[name, ["value", "error"]]) if name in now.index else "–" for name in names
                ]
                rows.append([size, f"{t:.6g}", f"{time:.0f}", *effects])
    symbols = {"e": "e", "m2": "m²", "q2": "q²", "chi_k": "χ(k)", "xi": "ξ", "U4": "U₄", "U22": "U₂₂"}
    labels = [symbols.get(name.removeprefix("design_effect_"), name) for name in names]
    return {
        "caption": "Design effect of sharing random numbers among the 32 samples of a word: the variance of a mean, divided by its value "
        "for independent samples. Error bars take it into account.",
        "head": ["L", "T", "t", *labels],
        "rows": rows if names else [],
    }


def content(tables: StudyTables, section: Section) -> dict[str, Any]:
    """Content of the template report.html.j2 of this method."""
    fits = [part["fit"] for part in tables.study["parts"] if "fit" in part]
    eta = ", ".join(dict.fromkeys(f"{fit['eta']:g}".replace("-", "−") for fit in fits))
    found = {"dynamics": dynamics_table(tables.dynamics, eta), "designs": design_table(tables.observables)}
    return described(tables.study["parts"], section) | found
