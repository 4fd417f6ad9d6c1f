"""Limits and exponents at a transition, one chi^2 of correlated values, crossings along the Nishimori line, on made-up data."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import conftest  # noqa: F401  (puts the package workflows on the path)
from workflows.line.crossings import Curve, crossing, pairs
from workflows.methods.tempering.exponents import exponents
from workflows.methods.tempering.summary import largest_tail
from workflows.statistics.headline import LITERATURE, student_p
from workflows.statistics.size_limit import size_limit, size_limits
from workflows.study.nishimori import nishimori_temperature

SIZES = (8, 12, 16, 24, 32)
OMEGA = LITERATURE["ising3d_omega"]["value"]


def at_transition(values: list[float], error: float, T: float = 4.511523256) -> pd.DataFrame:
    rows = [
        {"L": L, "T": T, "observable": "U4", "value": value, "error": error, "blocks": 512, "equilibrated": True}
        for L, value in zip(SIZES, values)
    ]
    return pd.DataFrame(rows).astype({"equilibrated": "boolean"})


def test_the_limit_at_a_transition_is_found_with_its_error() -> None:
    random, pulls, chi2 = np.random.default_rng(5), [], []
    for _ in range(400):
        values = [1.6 - 0.28 * L**-OMEGA + random.normal(0, 0.002) for L in SIZES]
        fit = size_limit(at_transition(values, 0.002), "ising3d", "U4")
        assert fit is not None
        if fit.L_min == 8:
            pulls.append((fit.value - 1.6) / fit.error)
            chi2.append(fit.chi2)
    assert len(pulls) > 360 and abs(np.mean(pulls)) < 0.2 and 0.88 < np.std(pulls) < 1.12
    assert 2.3 < np.mean(chi2) < 3.3, "three degrees of freedom, cut at Q = 0.05"


def test_the_systematic_error_covers_a_second_correction() -> None:
    """-0.26 L^-omega - 0.16 L^(-2 omega) from L = 8 to 32 moves the limit of a fit with one correction by 0.0021."""
    random, beyond = np.random.default_rng(9), 0
    exact = np.array([1.6036 - 0.26 * L**-OMEGA - 0.16 * L ** (-2 * OMEGA) for L in SIZES])
    fit = size_limit(at_transition(list(exact), 0.001), "ising3d", "U4")
    assert fit is not None and fit.L_min == 8 and fit.error < 0.002
    assert fit.value - 1.6036 == pytest.approx(fit.error_systematic, rel=1e-6) and 0.0015 < fit.error_systematic < 0.003
    for _ in range(200):
        fit = size_limit(at_transition(list(exact + random.normal(0, 0.001, len(SIZES))), 0.001), "ising3d", "U4")
        assert fit is not None
        beyond += abs(fit.value - 1.6036) > 3 * np.hypot(fit.error, fit.error_systematic)
    assert beyond <= 4, "one in fifty"


def test_small_sizes_that_do_not_fit_are_left_out_and_unsettled_ones_do_not_enter() -> None:
    exact = [1.6 - 0.28 * L**-OMEGA for L in SIZES]
    fit = size_limit(at_transition([exact[0] + 0.1, *exact[1:]], 0.002), "ising3d", "U4")
    assert fit is not None and fit.L_min == 12 and fit.dof == 2 and fit.value == pytest.approx(1.6)
    table = at_transition(exact, 0.002)
    table.loc[2:, "equilibrated"] = False
    assert size_limits(table, "ising3d") == []
    assert size_limits(at_transition(exact, 0.002, T=4.52), "ising3d") == [], "another temperature"
    assert size_limits(at_transition(exact, 0.002), "ising2d") == [], "no published exponent of corrections"


@pytest.mark.parametrize("correlation", [0.0, -0.8, 1.0])
def test_the_chi2_of_correlated_pairs_is_significant_no_more_often_than_its_probability_says(
    correlation: float,
) -> None:
    random = np.random.default_rng(6)
    one = random.normal(size=(4000, 4))
    two = correlation * one + np.sqrt(1 - correlation**2) * random.normal(size=(4000, 4))
    p = student_p(np.concatenate([one, two], axis=1), np.inf)
    tails = np.array([largest_tail(row, 4) for row in p])
    assert np.mean(tails < 0.05) < 0.061 and np.mean(tails < 0.01) < 0.015
    if abs(correlation) == 1:
        assert np.mean(tails < 0.05) > 0.04, "the bound is reached"


def made_up_curve(random: np.random.Generator, L: int, slope: float) -> Curve:
    """A coupling 1.1 + slope x + 5 x^2, x = p - 0.11, whose points share samples: their correlation is 0.8."""
    p = np.array([0.095, 0.102, 0.1092, 0.117, 0.125])
    shared, own = random.normal(size=(400, 1)), random.normal(size=(400, 5))
    samples = np.sqrt(0.8) * shared + np.sqrt(0.2) * own
    deviations = (samples - samples.mean(axis=0)) * 0.2 / 400
    value = 1.1 + slope * (p - 0.11) + 5 * (p - 0.11) ** 2 + 0.2 * samples.mean(axis=0)
    return Curve(L, p, value, deviations, equilibrated=True)


def test_a_crossing_of_points_that_share_samples_has_the_right_error() -> None:
    random, pulls, chi2, values = np.random.default_rng(7), [], [], []
    for _ in range(400):
        one, two = made_up_curve(random, 8, 4.0), made_up_curve(random, 16, 7.0)
        found = crossing(one, two)
        if found is None:
            continue
        pulls.append((found.p - 0.11) / found.error)
        values.append((found.value - 1.1) / found.value_error)
        chi2.append(one.chi2)
    assert len(pulls) > 380 and abs(np.median(pulls)) < 0.2
    for deviations in (pulls, values):
        assert 0.61 < np.mean(np.abs(deviations) < 1) < 0.76 and np.mean(np.abs(deviations) < 2) > 0.92
    assert 1.7 < np.mean(chi2) < 2.35, "two degrees of freedom"


def test_sizes_that_cross_are_neighbours_and_doubles_and_curves_that_do_not_cross_have_no_row() -> None:
    assert pairs([8, 12, 16, 24]) == [(8, 12), (8, 16), (12, 16), (12, 24), (16, 24)]
    random = np.random.default_rng(8)
    one, two = made_up_curve(random, 8, 4.0), made_up_curve(random, 16, 7.0)
    assert crossing(one, Curve(16, two.p, two.value + 1, two.deviations, True)) is None
    assert crossing(one, Curve(16, two.p + 0.001, two.value, two.deviations, True)) is None


def test_the_published_multicritical_point_lies_on_the_line() -> None:
    known = LITERATURE["nishimori_point_ea2d"]
    assert abs(nishimori_temperature(LITERATURE["ea2d_p_multicritical"]["value"]) - known["value"]) < known["error"]


GLASS = SimpleNamespace(model="ea3d", published=True, family="glass")
T_CRITICAL = LITERATURE["ea3d_T_critical"]["value"]


def at_slots(size: int, shift: float = 0.0, equilibrated: bool = True) -> pd.DataFrame:
    """Slopes that grow as L^(1/2.5) and q^2 that falls as L^-(1 - 0.4) at T_c, six slots, relative errors of 1 %."""
    rows = []
    for T in np.array([0.7, 0.86, 1.02, 1.13, 1.3, 1.7]) + shift:
        x = (T - T_CRITICAL) * size**0.4
        for name, value in (
            ("U4_slope", 0.4 * size**0.4 * np.exp(-0.2 * x**2)),
            ("xi_over_L_slope", -0.36 * size**0.4 * np.exp(-0.3 * x)),
            ("q2", size**-0.6 * np.exp(-0.5 * x)),
        ):
            rows.append(
                {"L": size, "T": T, "observable": name, "value": value, "error": 0.01 * abs(value), "blocks": 64}
            )
    return pd.DataFrame(rows).assign(equilibrated=equilibrated).astype({"equilibrated": "boolean"})


def test_exponents_follow_from_quotients_of_sizes_at_the_transition() -> None:
    table = pd.concat([at_slots(4), at_slots(8, 0.02), at_slots(16, -0.01, equilibrated=False)], ignore_index=True)
    found = {number.name.removeprefix("glass: "): number for number in exponents(table, GLASS)}
    assert len(found) == 9, "two neighbouring pairs and the widest, three observables"
    for symbol in ("ξ/L", "U₄"):
        number = found[f"ν from the slopes of {symbol} at T_c, L = 4, 8"]
        assert number.value == pytest.approx(2.5, rel=0.02) and number.verdict == "effective" and number.p is None
        assert number.error == pytest.approx(np.hypot(0.01, 0.01) / np.log(2) * number.value**2, rel=0.1)
    eta = found["η from [⟨q²⟩] at T_c, L = 4, 8"]
    assert eta.value == pytest.approx(-0.4, abs=0.01) and eta.error == pytest.approx(0.02, rel=0.1) and eta.blocks == 64
    # d ln q^2 / dT is -0.5 L^0.4, and T_c has an error.
    shift = 0.5 * (8**0.4 - 4**0.4) / np.log(2) * LITERATURE["ea3d_T_critical"]["error"]
    assert eta.error_systematic == pytest.approx(shift, rel=0.1)
    assert found["η from [⟨q²⟩] at T_c, L = 8, 16"].verdict == found["η from [⟨q²⟩] at T_c, L = 4, 16"].verdict
    assert found["η from [⟨q²⟩] at T_c, L = 4, 16"].verdict == "not in equilibrium"


def test_exponents_need_slots_on_both_sides_and_a_published_transition() -> None:
    table = pd.concat([at_slots(4), at_slots(8, 0.3)], ignore_index=True)
    assert exponents(table, GLASS) == [], "one slot below T_c"
    table = pd.concat([at_slots(4), at_slots(8)], ignore_index=True)
    assert len(exponents(table, GLASS)) == 3
    assert exponents(table, SimpleNamespace(model="rfim3d", published=True, family="")) == []
    assert exponents(table, SimpleNamespace(model="ea3d", published=False, family="")) == []
