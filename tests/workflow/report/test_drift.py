"""The drift of crossings, against synthetic ones with known limit, and the analysis' extrapolation of the same table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT, Workspace
from workflows.models.rfim3d.drift import PURE, RANDOM_FIELD, Exponents, line


def crossings(limit: float, slope: float, exponents: Exponents) -> pd.DataFrame:
    """Pairs 4, 8; 8, 16; 16, 24 and the row of infinite size."""
    pairs = np.array([[4.0, 8.0], [8.0, 16.0], [16.0, 24.0]])
    T = limit + slope * exponents.abscissa(pairs[:, 0], pairs[:, 1] / pairs[:, 0])
    rows = pd.DataFrame({"L1": pairs[:, 0], "L2": pairs[:, 1], "T_crossing": T, "error": [0.01, 0.003, 0.02]})
    limit_row = pd.DataFrame({"L1": [4.0], "L2": [np.inf], "T_crossing": [9.0], "error": [1.0]})
    return pd.concat([rows, limit_row], ignore_index=True).assign(equilibrated=1.0)


@pytest.mark.parametrize("exponents", [RANDOM_FIELD, PURE], ids=lambda e: e.name)
def test_the_line_through_crossings_on_it_ends_at_their_limit(exponents: Exponents) -> None:
    found = line(crossings(3.85, 2.5, exponents), exponents)
    assert found is not None
    assert found.limit == pytest.approx(3.85, abs=1e-10) and found.slope == pytest.approx(2.5, abs=1e-9)
    assert found.at(np.array([8.0]), 2.0)[0] == pytest.approx(crossings(3.85, 2.5, exponents)["T_crossing"].iloc[1])


def test_the_crossing_of_a_finite_size_scaling_form_is_on_the_line() -> None:
    """R(T, L) = R* + a (T - Tc) L^(1/nu) + b L^-omega, solved for R(T, L) = R(T, sL)."""
    limit, a, b = 3.85, -0.7, 0.4
    for exponents in (RANDOM_FIELD, PURE):
        T = []
        for first, second in ((8, 16), (16, 24)):
            shift = b * (first**-exponents.omega - second**-exponents.omega)
            T.append(limit + shift / (a * (second ** (1 / exponents.nu) - first ** (1 / exponents.nu))))
        table = pd.DataFrame({"L1": [8.0, 16.0], "L2": [16.0, 24.0], "T_crossing": T, "error": 0.01, "equilibrated": 1})
        assert line(table, exponents).limit == pytest.approx(limit, abs=1e-10)


def test_one_pair_of_sizes_has_no_limit() -> None:
    assert line(crossings(3.85, 2.5, PURE).head(1), PURE) is None


def test_a_crossing_out_of_equilibrium_does_not_bend_the_line_of_two_that_are_in_it() -> None:
    table = crossings(3.85, 2.5, RANDOM_FIELD)
    table.loc[2, ["T_crossing", "equilibrated"]] = [4.5, 0.0]
    assert line(table, RANDOM_FIELD).limit == pytest.approx(3.85, abs=1e-10)
    table.loc[1, "equilibrated"] = np.nan  # unknown; now only one is known to be in equilibrium, so all are drawn
    assert line(table, RANDOM_FIELD).limit > 3.9


def test_the_line_ends_where_the_analysis_extrapolates(finished: Workspace) -> None:
    for path in (finished.results() / "tables" / "field").glob("crossing_*.csv"):
        table = pd.read_csv(path)
        found = line(table, RANDOM_FIELD)
        infinite = table[~np.isfinite(table["L2"])]
        assert (found is None) == (len(infinite) == 0), "two sizes have one crossing and no limit"


def test_the_systematic_error_of_a_published_limit_is_half_the_spread_over_exponents() -> None:
    """The published crossings: the limit and the spread of the table are those of the lines through them."""
    for name in ("U4", "xi_over_L"):
        table = pd.read_csv(ROOT / "results" / "published" / "rfim3d" / "tables" / "field" / f"crossing_{name}.csv")
        last = table[~np.isfinite(table["L2"])].iloc[0]
        sets = [RANDOM_FIELD, PURE] + [Exponents(nu, omega, "") for nu in (1.28, 1.48) for omega in (0.41, 0.63)]
        limits = [line(table, exponents).limit for exponents in sets]
        assert last["T_crossing"] == pytest.approx(limits[0], abs=1e-8)
        assert last["error_systematic"] == pytest.approx((max(limits) - min(limits)) / 2, abs=1e-8)
    assert np.isnan(pd.read_csv(ROOT / "results/published/rfim3d/tables/field/crossing_U4.csv")["value"].iloc[-1])
