"""The high-temperature series of the 2D Heisenberg model by the finite-lattice method (de Neef and Enting, J. Phys. A 10, 801, 1977).

ln z per site is the sum over rectangles of what their partition functions have beyond those of smaller rectangles. A rectangle is
built row by row: a row of two or three sites has rotationally invariant states (l1, l2, l3), in which a bond between rows is
diagonal and a bond within a row has 3j and 6j symbols.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import factorial, sqrt

import numpy as np
import pytest

from workflows.laboratory.blocks import references

TERMS, MOST_L = 12, 5  # powers of K below TERMS; a bond with l has K^l at least
Series = np.ndarray


def times(a: Series, b: Series) -> Series:
    return np.convolve(a, b)[:TERMS]


def logarithm(z: Series) -> Series:
    """Of a series that begins with 1."""
    result = np.zeros(TERMS)
    for n in range(1, TERMS):
        result[n] = z[n] - sum(k * result[k] * z[n - k] for k in range(1, n)) / n
    return result


@cache
def bond(degree: int) -> Series:
    """Modified spherical Bessel function i_l(K) of this degree l: exp(K cos) is the sum of (2 l + 1) i_l P_l(cos)."""
    result, term = np.zeros(TERMS), 1 / np.prod(np.arange(1.0, 2 * degree + 2, 2))
    for k in range((TERMS - degree + 1) // 2):
        result[degree + 2 * k] = term
        term /= 2 * (k + 1) * (2 * degree + 2 * k + 3)
    return result


def is_triangle(a: int, b: int, c: int) -> bool:
    return abs(a - b) <= c <= a + b


def triangle(a: int, b: int, c: int) -> float:
    return factorial(a + b - c) * factorial(a - b + c) * factorial(b + c - a) / factorial(a + b + c + 1)


@cache
def three_j(a: int, b: int, c: int) -> float:
    """With m = 0."""
    if (a + b + c) % 2 or not is_triangle(a, b, c):
        return 0.0
    g = (a + b + c) // 2
    return (-1) ** g * sqrt(triangle(a, b, c)) * factorial(g) / (factorial(g - a) * factorial(g - b) * factorial(g - c))


@cache
def six_j(a: int, b: int, c: int, d: int, e: int, f: int) -> float:
    """Racah's formula."""
    triples = (a, b, c), (a, e, f), (d, b, f), (d, e, c)
    if not all(is_triangle(*triple) for triple in triples):
        return 0.0
    pairs = a + b + d + e, b + c + e + f, a + c + d + f
    total = 0.0
    for t in range(max(map(sum, triples)), min(pairs) + 1):
        below = [factorial(t - sum(triple)) for triple in triples] + [factorial(pair - t) for pair in pairs]
        total += (-1) ** t * factorial(t + 1) / float(np.prod(below))
    return total * sqrt(float(np.prod([triangle(*triple) for triple in triples])))


def reduced(degree: int, k: int, m: int) -> float:
    return (-1) ** degree * sqrt((2 * degree + 1) * (2 * m + 1)) * three_j(degree, k, m)


STATES = [s for s in product(range(MOST_L + 1), repeat=3) if sum(s) % 2 == 0 and is_triangle(*s)]


@cache
def bond_of_row(first: int) -> list[tuple[int, int, Series]]:
    """Elements of exp(K s s') between sites `first` and `first` + 1; the other site keeps its l."""
    found = []
    other = 2 if first == 0 else 0
    for i, into in enumerate(STATES):
        for j, out in enumerate(STATES):
            if into[other] != out[other]:
                continue
            a, b, degree = into[first], into[first + 1], into[other]
            c, d = out[first], out[first + 1]
            total = np.zeros(TERMS)
            for k in range(MOST_L + 1):
                element = (-1) ** (c + b + degree) * six_j(a, b, degree, d, c, k) * reduced(a, k, c) * reduced(b, k, d)
                total += (2 * k + 1) * element * bond(k)
            if np.any(total):
                found.append((i, j, total))
    return found


def applied(elements: list[tuple[int, int, Series]], vector: Series) -> Series:
    result = np.zeros_like(vector)
    for i, j, value in elements:
        result[i] += times(value, vector[j])
    return result


def z_of_rows(rows: int, width: int) -> Series:
    """Partition function of rows of two or three sites, free boundaries; two sites are three whose last has no bonds."""
    vector = np.zeros((len(STATES), TERMS))
    vector[STATES.index((0, 0, 0)), 0] = 1
    for row in range(rows):
        for i, state in enumerate(STATES):
            for degree in state[:width] if row > 0 else ():
                vector[i] = times(bond(degree), vector[i])
        for first in range(width - 1):
            vector = applied(bond_of_row(first), vector)
    return vector[STATES.index((0, 0, 0))]


def log_z(a: int, b: int) -> Series:
    """Of a x b sites."""
    a, b = min(a, b), max(a, b)
    return (b - 1) * logarithm(bond(0)) if a == 1 else logarithm(z_of_rows(b, a))


@cache
def beyond_smaller(a: int, b: int) -> Series:
    """Of a rectangle with sides of a and b bonds; from K^(2 a + 2 b) on."""
    result = log_z(a + 1, b + 1)
    for i, j in product(range(a + 1), range(b + 1)):
        if (i, j) not in ((0, 0), (a, b)):
            result = result - (a - i + 1) * (b - j + 1) * beyond_smaller(i, j)
    return result


def log_z_per_site(bonds: int) -> Series:
    """Right below K^(2 bonds + 2)."""
    sides = [side for side in product(range(bonds + 1), repeat=2) if 0 < sum(side) <= bonds]
    return sum((beyond_smaller(min(side), max(side)) for side in sides), np.zeros(TERMS))


def test_two_traversals_of_a_rectangle_of_spins_have_the_same_partition_function() -> None:
    assert z_of_rows(3, 2) == pytest.approx(z_of_rows(2, 3), abs=1e-14)


def test_a_square_of_spins_has_the_partition_function_of_closed_graphs() -> None:
    inverse = np.zeros(TERMS)
    inverse[0] = 1
    for n in range(1, TERMS):
        inverse[n] = -sum(bond(0)[k] * inverse[n - k] for k in range(1, n + 1))
    graphs = np.zeros(TERMS)
    for degree in range(3):
        u = times(bond(degree), inverse)
        graphs += (2 * degree + 1) * times(times(u, u), times(u, u))
    assert beyond_smaller(1, 1) == pytest.approx(logarithm(graphs), abs=1e-14)


def test_the_series_of_the_energy_is_that_of_finite_lattices() -> None:
    found = log_z_per_site(5)
    coefficients = references()["heisenberg"]["series"]["coefficients"]
    assert [-n * found[n] for n in range(2, 12, 2)] == pytest.approx(coefficients, abs=1e-12)


def test_larger_rectangles_do_not_change_lower_orders_of_the_series() -> None:
    two, three, four = (log_z_per_site(bonds)[6] for bonds in (2, 3, 4))
    assert three == pytest.approx(four, abs=1e-14) and two != pytest.approx(three, abs=1e-5)
