"""How a mistake in a study file is told."""

from __future__ import annotations

import difflib
from typing import Any


class StudyError(ValueError):
    """A study file that cannot be run; the text is one sentence: what, why, remedy."""


def nearest(word: Any, known: list[str]) -> str:
    """The end of a sentence about an unknown word: the nearest known one, or all of them."""
    close = difflib.get_close_matches(str(word), known, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(known)}"
