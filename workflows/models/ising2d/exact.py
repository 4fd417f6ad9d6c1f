"""Exact results for the two-dimensional Ising model. Energies and specific heats are per site, k_B = J = 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

CRITICAL_TEMPERATURE = 2.0 / math.log(1.0 + math.sqrt(2.0))


def spontaneous_magnetization(temperature: np.ndarray | float) -> np.ndarray:
    """Onsager and Yang: m = (1 - sinh(2/T)^-4)^(1/8) below the critical temperature, 0 above."""
    sinh = np.sinh(2.0 / np.asarray(temperature, dtype=float))
    return np.clip(1.0 - sinh**-4.0, 0.0, None) ** 0.125


@dataclass(frozen=True)
class _Product:
    """A product Z = exp(log) * value with its first two derivatives over K, scaled by the same exp(log)."""

    log: float
    value: float
    first: float
    second: float


def _hyperbolic_product(x: np.ndarray, dx: np.ndarray, ddx: np.ndarray, sign: int) -> _Product:
    """Product of 2 cosh x (sign = 1) or of 2 sinh x (sign = -1) over positive x."""
    log = float(np.sum(x + np.log1p(sign * np.exp(-2.0 * x))))
    slope = np.tanh(x) if sign > 0 else 1.0 / np.tanh(x)
    first = float(np.sum(dx * slope))
    second = float(np.sum(ddx * slope + dx**2 * (1.0 - slope**2)))
    return _Product(log, 1.0, first, second + first**2)


def _modes(index: np.ndarray, n: int, k: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """gamma_l and its derivatives over K for l > 0. cosh gamma - 1 is formed without cancellation at T_c."""
    sinh, cosh = math.sinh(2 * k), math.cosh(2 * k)
    minus_one = (sinh - 1.0) ** 2 / sinh + 2.0 * np.sin(0.5 * math.pi * index / n) ** 2
    c = 1.0 + minus_one
    dc = 2.0 * cosh * (1.0 - 1.0 / sinh**2)
    ddc = 4.0 * sinh - 4.0 / sinh + 8.0 * cosh**2 / sinh**3
    root = np.sqrt(minus_one * (minus_one + 2.0))
    return np.log1p(minus_one + root), dc / root, ddc / root - c * dc**2 / root**3


def _zero_mode(m: int, k: float) -> tuple[float, float, float]:
    """m gamma_0 / 2 and its derivatives. gamma_0 = 2K + ln tanh K changes sign at T_c."""
    sinh, cosh = math.sinh(2 * k), math.cosh(2 * k)
    gamma = 2 * k + math.log(math.tanh(k))
    return 0.5 * m * gamma, 0.5 * m * (2.0 + 2.0 / sinh), -0.5 * m * 4.0 * cosh / sinh**2


def _times_zero_mode(product: _Product, zero: tuple[float, float, float], sign: int) -> _Product:
    """The product times 2 cosh (sign = 1) or 2 sinh (sign = -1) of the zero mode, which may vanish."""
    x, dx, ddx = zero
    scale = abs(x)
    plus, minus = math.exp(x - scale), math.exp(-x - scale)
    value, slope = (plus + minus, plus - minus) if sign > 0 else (plus - minus, plus + minus)
    first, second = dx * slope, ddx * slope + dx**2 * value
    return _Product(
        log=product.log + scale,
        value=value,
        first=first + value * product.first,
        second=second + 2.0 * first * product.first + value * product.second,
    )


def torus(size: int, temperature: float) -> tuple[float, float]:
    """Energy and specific heat of the L x L Ising model with periodic boundaries (Kaufman 1949, Ferdinand-Fisher 1969).

    Z = 1/2 (2 sinh 2K)^(N/2) (Z1 + Z2 + Z3 + Z4), products of 2 cosh and 2 sinh of L gamma_l / 2 over odd and even l.
    """
    k, n = 1.0 / temperature, size
    odd = [0.5 * n * g for g in _modes(np.arange(1, 2 * n, 2), n, k)]
    even = [0.5 * n * g for g in _modes(np.arange(2, 2 * n, 2), n, k)]
    zero = _zero_mode(n, k)
    terms = [_hyperbolic_product(*odd, sign) for sign in (1, -1)]
    terms += [_times_zero_mode(_hyperbolic_product(*even, sign), zero, sign) for sign in (1, -1)]
    top = max(term.log for term in terms)
    weights = [math.exp(term.log - top) for term in terms]
    z, dz, ddz = (
        sum(weight * getattr(term, name) for weight, term in zip(weights, terms))
        for name in ("value", "first", "second")
    )
    sinh, cosh = math.sinh(2 * k), math.cosh(2 * k)
    sites = n * n
    first = sites * cosh / sinh + dz / z
    second = -2.0 * sites / sinh**2 + ddz / z - (dz / z) ** 2
    return -first / sites, k * k * second / sites
