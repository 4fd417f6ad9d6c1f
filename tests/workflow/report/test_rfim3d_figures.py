"""The figures of the random-field Ising model show as curves, and in full, only what is in equilibrium."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from workflows.figures.cubics import pieces
from workflows.models.rfim3d.drift import in_equilibrium
from workflows.models.rfim3d.figures import longest, surroundings


def slots(passed: list[bool], slope_error: float = 0.01) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Values T^2 with their slopes at T = 3, 3.1, ..."""
    T = 3 + 0.1 * np.arange(len(passed))
    common = {"L": 8, "T": T, "equilibrated": pd.array(passed, dtype="boolean")}
    return pd.DataFrame(common | {"value": T**2, "error": 0.01}), pd.DataFrame(
        common | {"value": 2 * T, "error": slope_error}
    )


def test_curves_join_neighbouring_slots_in_equilibrium_only() -> None:
    found = list(pieces(*slots([True, True, False, True, True, True])))
    assert [(round(grid[0], 6), round(grid[-1], 6)) for grid, _ in found] == [(3.0, 3.1), (3.3, 3.4), (3.4, 3.5)]
    for grid, values in found:
        assert values == pytest.approx(grid**2)


def test_slopes_whose_errors_would_bend_a_curve_by_more_than_the_errors_of_its_ends_make_none() -> None:
    assert len(list(pieces(*slots([True] * 3, slope_error=0.5)))) == 2
    assert not list(pieces(*slots([True] * 3, slope_error=0.6)))


def crossings(equilibrated: list[int]) -> pd.DataFrame:
    rows = {
        "L1": [4.0, 8.0, 4.0],
        "L2": [8.0, 16.0, np.inf],
        "T_crossing": [3.3, 9.0, 1.0],
        "equilibrated": equilibrated,
    }
    return pd.DataFrame(rows)


def test_what_is_not_in_equilibrium_sets_no_range() -> None:
    rows, _ = slots([True, True, True, False])
    rows.loc[3, "value"] = 1000.0
    temperatures, values = surroundings(rows, crossings([1, 0, 0]))
    assert temperatures == pytest.approx((3.0, 3.6))
    assert values == pytest.approx((0.95 * 9.0, 1.05 * 3.2**2))


def test_without_any_verdict_everything_is_shown() -> None:
    rows, _ = slots([False] * 4)
    assert surroundings(rows, crossings([0, 0, 0]))[0] == pytest.approx((3.0, 9.3))
    assert surroundings(rows, pd.DataFrame())[0] == pytest.approx((2.7, 3.6))


def test_a_short_run_over_the_whole_range_gives_way_to_the_slots_of_the_crossings() -> None:
    whole, _ = slots([False] * 10)
    curves = whole[whole["T"].between(3.25, 3.65)].assign(value=1.0)
    other = whole.assign(L=16)
    found = longest(pd.concat([whole, curves, other]), curves)
    assert len(found[found["L"] == 8]) == 10 and (found["value"] == 1.0).sum() == len(curves) == 4
    assert len(found[found["L"] == 16]) == 10, "a size without curves keeps all it has"


def test_the_drift_is_drawn_through_crossings_in_equilibrium() -> None:
    assert list(in_equilibrium(crossings([1, 0, 1]))["L1"]) == [4.0, 4.0]
