"""One measured number beside an exact or published one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tables import references

LITERATURE = references()
NOT_IN_EQUILIBRIUM = "not in equilibrium"  # the verdict of a number that is shown and not quoted


@dataclass
class Headline:
    """One measured number and what it is compared with."""

    name: str
    value: float
    error: float | None = None
    reference: float | None = None
    reference_error: float | None = None
    source: str | None = None
    pull: float | None = None
    verdict: str | None = None
    note: str | None = None

    def judged(self) -> Headline:
        """With the deviation in standard errors and the verdict that follows from it."""
        if self.reference is not None and self.error:
            self.pull = (self.value - self.reference) / math.hypot(self.error, self.reference_error or 0.0)
            self.verdict = self.verdict or of_pull(self.pull)
        return self


def of_pull(pull: float) -> str:
    size = abs(pull)
    return "agrees" if size < 2 else "agrees within 3 errors" if size < 3 else "differs"


def published(name: str, value: float, error: float, key: str, note: str | None = None) -> Headline:
    known = LITERATURE[key]
    return Headline(name, value, error, known["value"], known["error"], known["source"], note=note).judged()
