"""How mistakes in a study file are told."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# Lines of mistakes that are printed.
MOST_SHOWN = 20


class StudyError(ValueError):
    """A study file that cannot be run; the text is one sentence for each mistake: what, why, remedy."""


def answered(main: Callable[[], int | None]) -> int:
    """Runs a program; its exit code. A StudyError is told as it is, with the code 2."""
    try:
        return main() or 0
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2


@dataclass(frozen=True)
class Mistake:
    """One sentence about a place of a study, such as `parts[0].T`. It stands in the line of `at`, by default of the place."""

    place: str
    words: str  # the sentence behind the place
    at: str | None = None
    key: str | None = None  # that the place lacks, or that is unknown
    is_surplus: bool = False  # the key is unknown; no other check depends on it
    is_told: bool = False  # by another mistake: not shown
    is_whole: bool = False  # the words are a sentence without a place

    @staticmethod
    def of(sentence: str) -> Mistake:
        """A mistake from a sentence that begins with a place of a study, if any."""
        found = re.match(r"((?:parts|critical|benchmarks|laboratory|measured)\b[\w.\[\]]*) (.*)", sentence, re.DOTALL)
        return Mistake(found[1], found[2]) if found else Mistake("", sentence, is_whole=True)

    @property
    def sentence(self) -> str:
        return self.words if self.is_whole else f"{self.place or 'the study'} {self.words}"

    def line(self, lines: Mapping[str, int]) -> int:
        """The line of its place, or of the nearest place around it that the file has; 0 where no lines are known."""
        place = self.place if self.at is None else self.at
        if self.is_whole and not place:
            return 0
        while place and place not in lines:
            place = re.sub(r"(\.|\[|^)[^.\[]*$", "", place)
        return lines.get(place, 0)


def inside(place: str, step: str | int) -> str:
    """The place of an entry of a list or of the value of a key."""
    if isinstance(step, int):
        return f"{place}[{step}]"
    word = step if re.fullmatch(r"[\w-]{1,60}", step) else shown(step)
    return f"{place}.{word}" if place else word


def shown(value: Any) -> str:
    """A value in a sentence: one short line."""
    text = value if isinstance(value, str) else ""
    text = repr(text[:80]) if text else repr(value)
    return text if len(text) <= 80 else f"{text[:60]}..."


def bare(text: str) -> str:
    """Text in a sentence as a user wrote it, without quotes: one short line."""
    return shown(text).strip("'")


def refusal(mistakes: Iterable[Mistake], file: str = "", lines: Mapping[str, int] | None = None) -> StudyError:
    """The error that tells all mistakes, in the order of the lines of the file, each after FILE:LINE."""
    shown_ones = [mistake for mistake in mistakes if not mistake.is_told]
    ordered = sorted(
        ((mistake.line(lines or {}), mistake.sentence) for mistake in shown_ones), key=lambda pair: pair[0]
    )
    told = list(dict.fromkeys(told_at(file, line, sentence) for line, sentence in ordered))
    if len(told) == 1:
        return StudyError(told[0])
    rest = f"and {len(told) - MOST_SHOWN} more; " if len(told) > MOST_SHOWN else ""
    return StudyError("\n".join([*told[:MOST_SHOWN], f"{rest}{len(told)} mistakes; correct them and run again"]))


def is_count(line: str) -> bool:
    """Whether a line of a refusal is the last one of several, which counts the mistakes."""
    return line.endswith(" mistakes; correct them and run again")


def told_at(file: str, line: int, sentence: str) -> str:
    place = f"{file}:{line}" if line else file
    return f"{place}: {sentence}" if place else sentence


def nearest(word: Any, known: list[str]) -> str:
    """The end of a sentence about an unknown word: the nearest known one, or all of them."""
    close = difflib.get_close_matches(str(word)[:80], known, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(known)}"
