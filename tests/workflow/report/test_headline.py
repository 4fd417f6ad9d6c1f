"""Tests of comparisons: the promised rate of false alarms also with few blocks, and the errors that a number shows."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from workflows.models.ising2d import exact
from workflows.models.ising2d.summary import all_points, torus_numbers
from workflows.report.report import few_blocks
from workflows.statistics.headline import (
    FALSE_ALARM_RATE,
    FEWEST_BLOCKS,
    Headline,
    holm,
    judge_together,
    published,
    warn_of_few_blocks,
)
from workflows.statistics.tails import chi2_of_tail, chi2_tail, f_tail, student_tail
from workflows.tables.notation import with_error

STUDIES, BLOCKS, COMPARISONS = 200, 8, 12


def synthetic_study(random: np.random.Generator) -> list[Headline]:
    """Comparisons of means of Gaussian blocks with their true values, in every second case with a reference that has an
    error of the same size."""
    numbers = []
    for place in range(COMPARISONS):
        blocks = random.normal(size=BLOCKS)
        error = blocks.std(ddof=1) / math.sqrt(BLOCKS)
        reference_error = 1 / math.sqrt(BLOCKS) if place % 2 else 0.0
        reference = random.normal(scale=reference_error) if place % 2 else 0.0
        numbers.append(Headline(f"{place}", blocks.mean(), error, reference, reference_error, blocks=BLOCKS).judged())
    judge_together("all", numbers)
    return numbers


def synthetic_studies() -> list[list[Headline]]:
    random = np.random.default_rng(2026)
    return [synthetic_study(random) for _ in range(STUDIES)]


def test_of_200_studies_with_eight_blocks_no_more_have_a_false_alarm_than_promised() -> None:
    studies = synthetic_studies()
    alarms = sum(any(number.verdict == "differs" for number in numbers) for numbers in studies)
    most = stats.binom.ppf(0.999, STUDIES, FALSE_ALARM_RATE)
    assert alarms <= most, "promised in at most 1 % of the studies"
    three_errors = sum(any(abs(number.pull) >= 3 for number in numbers) for numbers in studies)
    assert three_errors > 2 * most, "which a limit of three errors for each comparison does not keep"


def test_probabilities_are_uniform_where_nothing_differs() -> None:
    student = [number.p for numbers in synthetic_studies() for number in numbers[::2]]
    assert stats.kstest(student, "uniform").pvalue > 0.001
    gaussian = [2 * stats.norm.sf(abs(number.pull)) for numbers in synthetic_studies() for number in numbers[::2]]
    small = [np.sum(np.array(p) < 0.01) for p in (student, gaussian)]
    most = stats.binom.ppf(0.999, len(student), 0.01)
    assert small[0] <= most < small[1], "with a normal distribution too many are small"


def test_what_does_differ_is_found_among_many_that_agree() -> None:
    numbers = synthetic_study(np.random.default_rng(1))
    numbers.append(Headline("off", 1.0, 0.1, 0.0, 0.0, blocks=64).judged())
    judge_together("all", numbers)
    assert [number.name for number in numbers if number.verdict == "differs"] == ["off"]
    assert {number.family for number in numbers} == {"all"}
    assert all(number.p_family >= number.p for number in numbers)


def test_the_correction_is_that_of_holm() -> None:
    assert holm(np.array([0.04, 0.01, 0.02])) == pytest.approx([0.04, 0.03, 0.04])
    assert holm(np.array([0.9, 0.6])) == pytest.approx([1, 1])


def test_the_probability_is_that_of_student_and_tends_to_that_of_gauss() -> None:
    assert Headline("", 3, 1, 0, 0, blocks=8).judged().p == pytest.approx(2 * stats.t.sf(3, 7))
    # Welch and Satterthwaite: equal errors, one without limit of its degrees of freedom.
    assert Headline("", 3, 1, 0, 1, blocks=8).judged().p == pytest.approx(2 * stats.t.sf(3 / math.sqrt(2), 28))
    assert Headline("", 3, 1e-3, 0, 1, blocks=8).judged().p == pytest.approx(2 * stats.norm.sf(3), rel=1e-3)


def test_a_systematic_error_counts_and_is_shown_in_a_bracket_of_its_own() -> None:
    number = Headline("", 1.3, 0.03, 1.0, 0.0, error_systematic=0.04, blocks=100).judged()
    assert number.pull == pytest.approx(6)
    assert (
        with_error(3.7852, 0.0096, 0.0342) == "3.7852(96)(342)"
        and with_error(0.9139, 0.0039, 0.0031) == "0.9139(39)(31)"
    )
    assert with_error(2.26913, 0.00022, 0.000001) == "2.26913(22)(1)", "rounded up, for it is not zero"
    assert with_error(1.5, 0.1, 0.0) == "1.50(10)(0)" and with_error(1.5, 0.1, None) == "1.50(10)"
    assert with_error(12.5, 1.5, 2.5) == "12.5(1.5)(2.5)" and with_error(12.5, 0.5, 2.5) == "12.50(50)(2.50)"


def test_an_effective_number_is_shown_next_to_the_literature_and_is_no_comparison() -> None:
    number = published("", 7.5, 0.1, "ea3d_z_critical", verdict="effective", blocks=8)
    judge_together("all", [number])
    assert number.pull and number.p is None and number.family is None and number.verdict == "effective"


def test_few_blocks_are_warned_of() -> None:
    numbers = [Headline("", 1, 0.1, 1, 0, note="old", blocks=count).judged() for count in (8, FEWEST_BLOCKS)]
    numbers.append(Headline("", 1, 0.1, 1, 0).judged())
    warn_of_few_blocks(numbers)
    assert numbers[0].note == "old; warning: only 8 blocks, so the error itself is uncertain by 27 %"
    assert numbers[1].note == "old" and "number of blocks is unknown" in numbers[2].note
    table = pd.DataFrame({"blocks": [8, 12, 16, 4], "error": [0.1, 0.1, 0.1, math.nan]})
    assert few_blocks(table).startswith("Warning: 2 of 4 rows of the table of observables have fewer than 16")
    assert few_blocks(table[2:]) == ""


def test_many_points_with_few_blocks_are_no_alarm_as_a_whole() -> None:
    random = np.random.default_rng(5)
    pulls = stats.t.rvs(BLOCKS - 1, size=(STUDIES, 60), random_state=random)
    together = [all_points(2 * stats.t.sf(np.abs(row), BLOCKS - 1)) for row in pulls]
    assert stats.kstest(together, "uniform").pvalue > 0.001
    assert np.mean(stats.chi2.sf((pulls**2).sum(axis=1), 60) < 0.001) > 0.05, "a χ² of the pulls is one"


def test_points_of_the_torus_are_judged_by_their_blocks() -> None:
    row = {"L": 8, "T": 2.5, "error": 0.01, "blocks": 8, "equilibrated": True}
    rows = [row | {"observable": "e", "value": exact.torus(8, 2.5)[0] + 0.05}]
    few = torus_numbers(pd.DataFrame(rows))
    many = torus_numbers(pd.DataFrame(rows).assign(blocks=512))
    assert [number.blocks for number in few] == [8, 8]
    assert few[1].pull == many[1].pull and few[1].p > 100 * many[1].p
    assert few[0].value == many[0].value, "χ² itself is that of the pulls"


def test_tails_of_distributions_are_those_of_scipy_stats() -> None:
    values = np.array([0, np.inf, np.nan, *np.logspace(-6, 3, 50)])
    p = np.array([0, 1, np.nan, *np.logspace(-300, -1e-9, 50)])
    for dof in (1, 2, 7.5, 127):
        np.testing.assert_allclose(chi2_tail(values, dof), stats.chi2.sf(values, dof), rtol=1e-12)
        np.testing.assert_allclose(chi2_of_tail(p, dof), stats.chi2.isf(p, dof), rtol=1e-12)
        np.testing.assert_allclose(f_tail(values, dof, 9), stats.f.sf(values, dof, 9), rtol=1e-12)
    for dof in (0, 1, 7.5, np.inf, np.nan):
        np.testing.assert_allclose(student_tail(values, dof), stats.t.sf(values, dof), rtol=1e-12)
