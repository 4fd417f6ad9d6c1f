"""The section of the report about boundaries: crossings against the swept field or fraction of bonds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from workflows.figures.boundary import swept_key
from workflows.study.presets import presets
from workflows.tables.notation import with_error
from workflows.tables.table import known

SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}


def boundaries(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Heading, figure and table of every model that has a boundary."""
    models = list(dict.fromkeys(table["model"])) if len(table) else []
    return [
        {
            "title": presets()[model].title,
            "figure": f"{model}_boundary",
            "table": boundary_table(table[table["model"] == model]),
        }
        for model in models
    ]


def boundary_table(table: pd.DataFrame) -> dict[str, Any]:
    """One row for each system, coupling and pair of sizes."""
    key, rows = swept_key(table), []
    for row in table.sort_values([key, "seed", "observable", "L1"], kind="stable").itertuples():
        pair = f"{row.L1:.0f}, {row.L2:.0f}" if np.isfinite(row.L2) else "L → ∞"
        crossing = with_error(row.T_crossing, row.error, known(row.error_systematic))
        reference = "–" if pd.isna(row.reference) else with_error(row.reference, row.reference_error)
        passed = {1: "yes", 0: "no"}.get(row.equilibrated, "–")
        rows.append([f"{getattr(row, key):g}", row.seed, SYMBOLS[row.observable], pair, crossing, passed, reference])
    none = (
        " –: the curves do not cross in the measured range, or only by chance."
        if table["T_crossing"].isna().any()
        else ""
    )
    return {
        "caption": "Effective crossings T_x(L, L′) of pairs of sizes. They depend on L; none of them is the critical temperature of the "
        "infinite lattice. Rows L → ∞, where there are any, are extrapolations, the second bracket their systematic error. Last: the "
        f"published critical temperature of the infinite lattice.{none}",
        "head": [key, "seed", "coupling", "L, L′", "T_x", "equilibrated", "published"],
        "text": ["coupling", "equilibrated"],
        "rows": rows,
    }
