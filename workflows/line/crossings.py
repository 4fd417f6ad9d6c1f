"""Curves of a coupling against p and where those of two sizes cross, with errors over the samples that points share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

DEGREE = 2  # of the polynomials in p


@dataclass(frozen=True)
class Curve:
    """A coupling of one size at all p. `deviations` [block, p]: their products summed over blocks are the covariance."""

    L: int
    p: np.ndarray
    value: np.ndarray
    deviations: np.ndarray
    equilibrated: bool

    @property
    def error(self) -> np.ndarray:
        return np.sqrt(np.sum(self.deviations**2, axis=0))

    @property
    def centre(self) -> float:
        return float(np.mean(self.p))

    @property
    def weights(self) -> np.ndarray:
        """[coefficient, p]: the fitted polynomial in p - centre is these times the values."""
        design = np.vander(self.p - self.centre, DEGREE + 1, increasing=True)
        return np.linalg.pinv(design / self.error[:, None]) / self.error

    @property
    def coefficients(self) -> np.ndarray:
        return self.weights @ self.value

    @property
    def coefficient_deviations(self) -> np.ndarray:
        """[block, coefficient]."""
        return self.deviations @ self.weights.T

    def fitted(self, p: np.ndarray) -> np.ndarray:
        return np.polynomial.polynomial.polyval(p - self.centre, self.coefficients)

    @property
    def dof(self) -> int:
        return len(self.p) - DEGREE - 1

    @property
    def chi2(self) -> float:
        """Of the fit, with the covariance of the points. The fit has weights of its own, so that its residuals have a
        covariance without full rank, whose pseudo-inverse gives chi^2 with `dof` degrees of freedom."""
        residual = self.value - self.fitted(self.p)
        design = np.vander(self.p - self.centre, DEGREE + 1, increasing=True)
        deviations = self.deviations - self.coefficient_deviations @ design.T
        return float(residual @ np.linalg.pinv(deviations.T @ deviations, rcond=1e-8, hermitian=True) @ residual)


@dataclass(frozen=True)
class Crossing:
    L1: int
    L2: int
    p: float
    error: float
    value: float  # of the coupling there
    value_error: float
    blocks: int  # the smaller number of both sizes
    equilibrated: bool


def root(coefficients: np.ndarray) -> np.ndarray:
    """The root of c0 + c1 x + c2 x^2 nearest to 0, for each row; NaN without one."""
    c0, c1, c2 = np.moveaxis(coefficients, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # With c0 above it is stable for small c2, and the sign picks the root of smaller modulus.
        return -2 * c0 / (c1 + np.copysign(np.sqrt(c1**2 - 4 * c0 * c2), c1))


def crossing(one: Curve, two: Curve) -> Crossing | None:
    """None if the fitted curves do not cross between the ends of p, also where a block is left out.

    Sizes are independent: the deviations of each go through the fits and the root alone, and variances are added."""
    if not np.array_equal(one.p, two.p):
        return None
    difference = two.coefficients - one.coefficients
    x = float(root(difference))
    low, high = one.p[0] - one.centre, one.p[-1] - one.centre
    if not low < x < high:
        return None
    mean = (one.coefficients + two.coefficients) / 2
    value = float(np.polynomial.polynomial.polyval(x, mean))
    variance, value_variance = 0.0, 0.0
    for curve, sign in ((one, -1), (two, 1)):
        change = curve.coefficient_deviations
        roots = root(difference + sign * change)
        moved = mean + change / 2
        values = moved[:, 0] + moved[:, 1] * roots + moved[:, 2] * roots**2
        variance += float(np.sum((roots - x) ** 2))
        value_variance += float(np.sum((values - value) ** 2))
    if not math.isfinite(variance):
        return None
    blocks = min(len(one.deviations), len(two.deviations))
    passed = one.equilibrated and two.equilibrated
    return Crossing(one.L, two.L, one.centre + x, math.sqrt(variance), value, math.sqrt(value_variance), blocks, passed)


def pairs(sizes: list[int]) -> list[tuple[int, int]]:
    """Neighbouring sizes, and all L, 2 L, whose curves cross under a larger angle; sizes ascending."""
    return sorted({*zip(sizes, sizes[1:]), *((size, 2 * size) for size in sizes if 2 * size in sizes)})
