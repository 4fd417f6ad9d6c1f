"""Exact results for the +-J spin glass. Energies are per site, k_B = J = 1."""

from __future__ import annotations

import numpy as np
from scipy.special import comb


def first_sweep_energy(temperature: float, neighbours: int = 6) -> float:
    """Mean energy per site of the +-J model after one Metropolis sweep from random spins, any bipartite lattice L > 2.

    In a half sweep a site with n unsatisfied of z bonds flips with p_n = min(1, exp(-2 (z - 2n) / T)); the bonds of
    distinct sites of one parity are independent, so the mean satisfaction a after a half sweep is a binomial sum.
    """
    n = np.arange(neighbours + 1)
    excess = neighbours - 2 * n
    accept = np.minimum(1.0, np.exp(-2.0 * excess / temperature))
    satisfaction = 0.0
    for _ in range(2):
        unsatisfied = 0.5 * (1.0 - satisfaction)
        weight = comb(neighbours, n) * unsatisfied**n * (1.0 - unsatisfied) ** (neighbours - n)
        satisfaction = float(np.sum(weight * excess * (1.0 - 2.0 * accept))) / neighbours
    return -0.5 * neighbours * satisfaction
