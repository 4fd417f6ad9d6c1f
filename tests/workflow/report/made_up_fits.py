"""Made-up fits of the transition of ea3d, and studies that quote some of them."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pandas as pd

CRITICAL = {
    "parts": ["relaxation"],
    "clocks": [0.25, 0.3, 0.35],
    "omegas": [1.12, 1.02],
    "degrees": [2],
    "quote": {name: {"clock": 0.3, "L_min": 8, "corrected": True} for name in ("cumulants", "powers")},
}


def with_quote(**quote: Any) -> dict[str, Any]:
    return CRITICAL | {"quote": {"cumulants": quote, "powers": quote}}


def scan_of_fits() -> pd.DataFrame:
    """Fits of a made-up scan: beta_c drifts with the reference value, z is the same everywhere."""
    rows = []
    for clock in CRITICAL["clocks"]:
        for L_min in (8, 12, 16):
            for omega in (1.12, 1.02, math.nan):
                common = {
                    "clock": clock,
                    "xi_min": math.nan,
                    "L_min": L_min,
                    "L_max": 32,
                    "omega": omega,
                    "degree": 2,
                    "chi2_dof": 1.0,
                    "dof": 9,
                }
                for cumulants, shift in (("U4", 0.0), ("U22", 0.5)):
                    value = 0.907 + 0.1 * (clock - 0.3) + shift
                    rows.append(
                        {
                            "quantity": "beta_c",
                            "method": "joint",
                            "value": value,
                            "error": 0.002,
                            "cumulants": cumulants,
                        }
                        | common
                    )
                    rows.append(
                        {"quantity": "z", "method": "power", "value": 6.8, "error": 0.1, "cumulants": cumulants}
                        | common
                    )
    return pd.DataFrame(rows)


def all_clocks() -> tuple[pd.DataFrame, dict[str, Any]]:
    """Fits at all reference values together, which drift with xi_min and the degree, the scan, and a study that quotes one."""
    rows = []
    for degree, cumulants, xi_min, omega in product((2, 3), ("U4", "U4+U22"), (2.4, 3.2, 4), (1.12, 1.02, math.nan)):
        common = {
            "cumulants": cumulants,
            "xi_min": xi_min,
            "L_min": 8,
            "L_max": 32,
            "omega": omega,
            "degree": degree,
            "chi2_dof": 1.1,
            "dof": 90,
        }
        value = 0.91 - 0.001 * (xi_min - 3.2) + (0.01 if cumulants == "U4" else 0) - 0.002 * (degree - 2)
        rows.append(
            {"quantity": "beta_c", "method": "joint", "clock": math.nan, "value": value, "error": 0.003} | common
        )
        for clock in (0.3, 0.35):
            rows.append(
                {"quantity": "z", "method": "power", "clock": clock, "value": 4.5 + clock + degree, "error": 0.1}
                | common
            )
    critical = CRITICAL | {"together": {"clocks": [0.3, 0.35], "xi_min": [2.4, 3.2, 4]}, "degrees": [2, 3]}
    critical["quote"] = {
        "cumulants": {"xi_min": 3.2, "corrected": True},
        "powers": {"clock": 0.35, "xi_min": 3.2, "corrected": True},
    }
    return pd.concat([scan_of_fits(), pd.DataFrame(rows)], ignore_index=True), critical
