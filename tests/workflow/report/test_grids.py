"""Comparison of grids of temperatures."""

from __future__ import annotations

import math

import pytest
from scipy.special import erfc

from workflows.methods.tempering.grids import slots_needed


def test_twice_as_many_equal_distances_have_the_rate_of_half_the_distance() -> None:
    assert slots_needed(erfc(1.0), 11, erfc(0.5) * (1 - 1e-9)) == 21
    assert slots_needed(0.2, 11, 0.2) == 11


@pytest.mark.parametrize(("measured", "slots", "wanted"), [(0.152, 20, 0.228), (0.197, 8, 0.260)])
def test_the_number_of_slots_is_that_of_measured_grids_up_to_one(measured: float, slots: int, wanted: float) -> None:
    """results/published/rfim3d/NOTEBOOK.md: at L = 16 0.228 with 24 equally spaced slots, at L = 8 0.260 with 9."""
    assert abs(slots_needed(measured, slots, wanted) - {20: 24, 8: 9}[slots]) <= 1


def test_grids_without_any_exchange_say_nothing() -> None:
    assert math.isnan(slots_needed(0.0, 10, 0.2))
