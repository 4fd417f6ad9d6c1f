"""One measured number compared with an exact or published one, and the test of all comparisons of a model together."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from workflows.statistics.literature import references
from workflows.statistics.tails import student_tail

LITERATURE = references()
NOT_IN_EQUILIBRIUM = "not in equilibrium"  # the verdict of a number that is shown and not quoted
FALSE_ALARM_RATE = 0.01  # probability that all agree in truth and any comparison of a family is said to differ, at most
FEWEST_BLOCKS = 16  # below, a number carries a warning: its error has a relative error of 18 % or more


@dataclass
class Headline:
    """One measured number and its reference.

    `error`, `error_systematic` and `reference_error` are one standard error in units of `value`. `blocks` is the number
    of jackknife blocks behind `error`, the smallest of all data sets that enter. `p` is the two-sided probability of a
    deviation as large as this or larger, `p_family` the same after the correction for all comparisons of `family`.
    """

    name: str
    value: float
    error: float | None = None
    reference: float | None = None
    reference_error: float | None = None
    source: str | None = None
    pull: float | None = None
    verdict: str | None = None
    note: str | None = None
    error_systematic: float | None = None
    blocks: int | None = None
    p: float | None = None
    p_family: float | None = None
    family: str | None = None

    def judged(self) -> Headline:
        """With the pull, its probability and the verdict of this comparison alone. A verdict that is there already, such
        as `effective`, stays: such a number is no comparison and has no probability."""
        if self.reference is not None and self.error and math.isfinite(self.error) and math.isfinite(self.value):
            self.pull = (self.value - self.reference) / total_error(self)
            if self.verdict is None and self.p is None:
                self.p = student_p(self.pull, degrees_of_freedom(self))
        if self.verdict is None and self.p is not None:
            self.p_family, self.verdict = self.p, verdict_of(self.p)
        return self

    def remark(self, text: str) -> None:
        self.note = f"{self.note}; {text}" if self.note else text


def total_error(number: Headline) -> float:
    """Statistical, systematic and reference error in quadrature."""
    return math.hypot(number.error or 0.0, number.error_systematic or 0.0, number.reference_error or 0.0)


def degrees_of_freedom(number: Headline) -> float:
    """Of the total error, by Welch and Satterthwaite: blocks - 1 for the statistical error, no limit for the others and
    for a number of blocks that is unknown."""
    if number.blocks is None or not number.error:
        return math.inf
    return (number.blocks - 1) * (total_error(number) / number.error) ** 4


def student_p(pull: float | np.ndarray, dof: float | np.ndarray) -> float | np.ndarray:
    """Two-sided probability of a deviation of `pull` errors or more, the error having `dof` degrees of freedom."""
    p = 2 * student_tail(np.abs(pull), dof)
    return float(p) if np.ndim(p) == 0 else p


def verdict_of(p_family: float) -> str:
    return "agrees" if p_family >= FALSE_ALARM_RATE else "differs"


def holm(p: np.ndarray) -> np.ndarray:
    """Adjusted probabilities: S. Holm, Scand. J. Stat. 6 (1979) 65. Valid however the comparisons depend on each other."""
    order = np.argsort(p)
    steps = (len(p) - np.arange(len(p))) * p[order]
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(steps))
    return adjusted


def judge_together(family: str, numbers: Iterable[Headline]) -> None:
    """Gives those of the numbers that are comparisons the verdict that holds for the family."""
    compared = [number for number in numbers if number.p is not None]
    if compared:
        for number, p in zip(compared, holm(np.array([number.p for number in compared]))):
            number.family, number.p_family, number.verdict = family, float(p), verdict_of(p)


def warn_of_few_blocks(numbers: Iterable[Headline]) -> None:
    """Adds a remark to numbers whose error comes from few blocks or from an unknown number of them."""
    for number in numbers:
        if number.blocks is not None and number.blocks < FEWEST_BLOCKS:
            uncertain = 100 / math.sqrt(2 * max(1, number.blocks - 1))
            number.remark(
                f"warning: only {number.blocks} blocks, so the error itself is uncertain by {uncertain:.0f} %"
            )
        elif number.blocks is None and number.p is not None and number.error:
            number.remark("warning: the number of blocks is unknown, so the error is taken as exact")


def published(name: str, value: float, error: float, key: str, note: str | None = None, **more: object) -> Headline:
    """A number compared with the literature. `more`: other fields of Headline."""
    known = LITERATURE[key]
    return Headline(name, value, error, known["value"], known["error"], known["source"], note=note, **more).judged()
