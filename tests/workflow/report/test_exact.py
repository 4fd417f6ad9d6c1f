"""The exact results of the report against tables of their own: enumeration, Onsager's integral, exact relaxation."""

from __future__ import annotations

import math

import pytest

import conftest  # noqa: F401  (puts the package workflows on the path)
from workflows.methods.relaxation.exact import first_sweep_energy
from workflows.models.ising2d import exact

CRITICAL = exact.CRITICAL_TEMPERATURE
TORUS = [
    # L, T, energy, specific heat (Kaufman's formula in another program, checked there by enumeration for L <= 4)
    (4, 2.5, -1.379116482259, 0.812515229440),
    (8, 2.5, -1.222320643251, 1.100475889362),
    (32, 2.5, -1.107291660978, 0.885812501066),
    (4, CRITICAL, -1.565623787638, 0.783266825929),
    (8, CRITICAL, -1.491589107440, 1.145559239894),
    (64, CRITICAL, -1.423938389833, 2.192211393141),
    (256, CRITICAL, -1.416644954197, 2.879786255203),
]


@pytest.mark.parametrize(("size", "temperature", "energy", "heat"), TORUS)
def test_torus_agrees_with_the_table(size: int, temperature: float, energy: float, heat: float) -> None:
    assert exact.torus(size, temperature) == pytest.approx((energy, heat), abs=2e-11)


def test_torus_agrees_with_enumeration_of_four_by_four() -> None:
    temperature = 2.2
    weights, energies, squares = 0.0, 0.0, 0.0
    for state in range(1 << 16):
        spin = [1 - 2 * (state >> site & 1) for site in range(16)]
        energy = -sum(spin[s] * (spin[s // 4 * 4 + (s + 1) % 4] + spin[(s + 4) % 16]) for s in range(16))
        weight = math.exp(-(energy + 32) / temperature)
        weights, energies, squares = weights + weight, energies + weight * energy, squares + weight * energy**2
    mean = energies / weights
    heat = (squares / weights - mean**2) / (16 * temperature**2)
    assert exact.torus(4, temperature) == pytest.approx((mean / 16, heat), abs=1e-11)


def test_specific_heat_is_the_slope_of_the_energy() -> None:
    for size, temperature in [(8, 2.0), (32, 2.3), (64, CRITICAL), (128, 3.0)]:
        step = 1e-5
        slope = (exact.torus(size, temperature + step)[0] - exact.torus(size, temperature - step)[0]) / (2 * step)
        assert exact.torus(size, temperature)[1] == pytest.approx(slope, rel=1e-6)


def test_magnetization_agrees_with_yang() -> None:
    assert exact.spontaneous_magnetization(1 / 0.45) == pytest.approx(0.749322612532, abs=1e-12)
    assert exact.spontaneous_magnetization(1 / 0.6) == pytest.approx(0.973608667440, abs=1e-12)
    assert exact.spontaneous_magnetization(2.3) == 0.0


def test_first_sweep_agrees_with_the_closed_form_table() -> None:
    for beta, energy in [(0.2, -0.5976561793), (0.5, -1.0589771581), (0.9, -1.1775462186), (1 / 1.1019, -1.1783368729)]:
        assert first_sweep_energy(1 / beta) == pytest.approx(energy, abs=1e-10)
