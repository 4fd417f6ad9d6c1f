"""How crossings of sizes L and sL drift: T*(L) = T_c + A f L^-(omega + 1/nu), f = (1 - s^-omega) / (s^(1/nu) - 1).

psflip-analysis makes the extrapolation with its error, through all data, for the exponents of the zero-temperature fixed
point, at h = 0 for those of the pure model. Here the same line is drawn and compared with that for the exponents of the pure model, towards which the random
field has to bend the flow: at h = 1 and these sizes neither set has to hold, and their difference says how far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Exponents:
    nu: float
    omega: float
    name: str

    def abscissa(self, size: np.ndarray, ratio: np.ndarray) -> np.ndarray:
        """f L^-(omega + 1/nu), against which T* is a straight line."""
        f = (1 - ratio**-self.omega) / (ratio ** (1 / self.nu) - 1)
        return f * size ** -(self.omega + 1 / self.nu)


# Fytas and Martin-Mayor, Phys. Rev. Lett. 110, 227201 (2013); Hasenbusch, Phys. Rev. B 82, 174433 (2010)
RANDOM_FIELD = Exponents(1.38, 0.52, "zero-temperature fixed point")
PURE = Exponents(0.63002, 0.832, "pure Ising fixed point")


@dataclass(frozen=True)
class Assumption:
    """What psflip-analysis assumes to extrapolate crossings (analysis/models/critical_exponents.hpp)."""

    leading: Exponents
    other: Exponents | None  # the line next to it in the figure
    words: str
    alternatives: str  # half the spread of the limit over them is its systematic error


IN_FIELD = Assumption(
    RANDOM_FIELD,
    PURE,
    "ω = 0.52, ν = 1.38 of the zero-temperature fixed point",
    "ω = 0.52(11), ν = 1.38(10) and ω = 0.832, ν = 0.63 of the pure model",
)
WITHOUT_FIELD = Assumption(
    PURE,
    None,
    "ω = 0.832, ν = 0.63002 of the pure model",
    "ω = 0.832(6), or, if it is larger, the change by a second correction to scaling, L^(−2ω) (from four pairs on)",
)


def assumption(h: float) -> Assumption:
    """At h = 0 the model is the pure one."""
    return IN_FIELD if h else WITHOUT_FIELD


@dataclass(frozen=True)
class Line:
    """T* = limit + slope x."""

    exponents: Exponents
    limit: float
    slope: float

    def at(self, size: np.ndarray, ratio: float) -> np.ndarray:
        return self.limit + self.slope * self.exponents.abscissa(size, np.full(size.shape, ratio))


def extrapolated(crossings: pd.DataFrame) -> pd.DataFrame:
    """The crossings of one observable that psflip-analysis extrapolates: those in equilibrium where two are, else all."""
    pairs = crossings[np.isfinite(crossings["L2"])]
    settled = pairs[pairs["equilibrated"] == 1]
    return settled if len(settled) >= 2 else pairs


def in_equilibrium(crossings: pd.DataFrame) -> pd.DataFrame:
    """The crossings of one observable between slots that all passed the equilibration test."""
    return crossings[crossings["equilibrated"] == 1]


def line(crossings: pd.DataFrame, exponents: Exponents) -> Line | None:
    """Through the crossings of one observable that the analysis extrapolates, weighted with their errors; two at least.
    Its statistical error, which the sizes that pairs share correlate, is the analysis' to say."""
    rows = extrapolated(crossings)
    if len(rows) < 2:
        return None
    size, ratio = rows["L1"].to_numpy(float), (rows["L2"] / rows["L1"]).to_numpy(float)
    slope, limit = np.polyfit(exponents.abscissa(size, ratio), rows["T_crossing"], 1, w=1 / rows["error"])
    return Line(exponents, float(limit), float(slope))
