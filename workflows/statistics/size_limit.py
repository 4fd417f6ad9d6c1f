"""The limit of a coupling at the published critical temperature, R(L) = R* + a L^-omega.

Any model has it whose published values (references/literature.yaml) are `MODEL_T_critical`, `MODEL_omega` and the limit
`MODEL_U4_critical` or `MODEL_xi_over_L_critical`, if a study has that temperature in three sizes or more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workflows.statistics.headline import LITERATURE
from workflows.statistics.tails import chi2_tail
from workflows.tables.table import fewest_blocks, select, settled

COUPLINGS = ("U4", "xi_over_L")
FEWEST_SIZES = 3
WORST_Q = 0.05  # of a fit that is quoted, unless no choice of sizes has more


@dataclass(frozen=True)
class SizeLimit:
    """R* with its statistical and systematic error, the amplitude a and its error, and the fit of the sizes in `rows`.

    The systematic error is the larger of two: half the spread over the published error of omega, and the change of R* if a
    second correction b L^(-2 omega) is fitted too. `rows`: of the table of observables, all equilibrated sizes at the
    critical temperature; those from L_min on enter."""

    observable: str
    omega: float
    value: float
    error: float
    error_systematic: float
    amplitude: float
    amplitude_error: float
    chi2: float
    L_min: int
    rows: pd.DataFrame

    @property
    def used(self) -> pd.DataFrame:
        return self.rows[self.rows["L"] >= self.L_min]

    @property
    def dof(self) -> int:
        return len(self.used) - 2

    @property
    def blocks(self) -> int | None:
        return fewest_blocks(self.used)

    def at(self, size: float) -> float:
        """The fitted coupling at one size."""
        return float(self.value + self.amplitude * size**-self.omega)


def fit_powers(rows: pd.DataFrame, *exponents: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Limit and amplitudes of L^-exponent, their errors and chi^2. Sizes are independent, so weights are 1 / error^2."""
    weights, sizes = 1 / rows["error"].to_numpy(), rows["L"].to_numpy(float)
    design = np.stack([sizes**-exponent for exponent in (0, *exponents)], axis=1) * weights[:, None]
    values = rows["value"].to_numpy() * weights
    covariance = np.linalg.inv(design.T @ design)
    parameters = covariance @ design.T @ values
    return parameters, np.sqrt(np.diag(covariance)), float(np.sum((values - design @ parameters) ** 2))


def at_transition(table: pd.DataFrame, model: str, observable: str) -> pd.DataFrame:
    """The equilibrated sizes at the published critical temperature, within its error."""
    known = LITERATURE[f"{model}_T_critical"]
    rows = select(table, observable=observable)
    near = (rows["T"] - known["value"]).abs() <= max(known["error"], 1e-9 * known["value"])
    return rows[near & settled(rows) & (rows["error"] > 0)].sort_values("L")


def size_limit(table: pd.DataFrame, model: str, observable: str) -> SizeLimit | None:
    """The fit from the smallest size on for which it is good (Q > 0.05), from the three largest sizes if none is."""
    if not {f"{model}_{name}" for name in ("T_critical", "omega", f"{observable}_critical")} <= LITERATURE.keys():
        return None
    rows, known = at_transition(table, model, observable), LITERATURE[f"{model}_omega"]
    if len(rows) < FEWEST_SIZES or rows["L"].duplicated().any():
        return None
    omega = known["value"]
    for first in range(len(rows) - FEWEST_SIZES + 1):
        used = rows.iloc[first:]
        parameters, errors, chi2 = fit_powers(used, omega)
        if chi2_tail(chi2, len(used) - 2) > WORST_Q:
            break
    limits = [fit_powers(used, omega + sign * known["error"])[0][0] for sign in (-1, 0, 1)]
    change = fit_powers(used, omega, 2 * omega)[0][0] - parameters[0]
    systematic = max((max(limits) - min(limits)) / 2, abs(change))
    L_min = int(used["L"].iloc[0])
    return SizeLimit(observable, omega, *(float(x) for x in (parameters[0], errors[0], systematic)),
                     float(parameters[1]), float(errors[1]), chi2, L_min, rows)  # fmt: skip


def size_limits(table: pd.DataFrame, model: str) -> list[SizeLimit]:
    """Of U4 and xi/L, as far as values are published and the table has the sizes."""
    return [limit for name in COUPLINGS if (limit := size_limit(table, model, name))]
