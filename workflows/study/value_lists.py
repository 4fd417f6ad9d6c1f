"""Values of the keys of a part: numbers that YAML reads as text, intervals with a step or a count, beta instead of T."""

from __future__ import annotations

import math
import re
from typing import Any

from workflows.study.error import StudyError, bare, inside
from workflows.study.error import shown as quoted
from workflows.study.per_size import check_window

MOST_VALUES = 10_000  # of one interval and of one part, far more than a study can have; stops a step that is mistyped
DIGITS = 12  # significant ones of a value of an interval, so that 0.1 + 2 * 0.1 is 0.3
SCIENTIFIC = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)[eE][+-]?\d+")
# Keys of a part whose values are words, where 1e4 is a name.
WORDS = {"name", "model", "method", "start", "random", "couplings", "packing", "save", "measure", "zip", "sweep"}
INTEGERS = {
    "L",
    "seed",
    "samples",
    "shard_samples",
    "grown_from",
    "sweeps",
    "measure_interval",
    "exchange_interval",
    "bins",
    "replicas",
    "block_samples",
    "fit",
    "adapt",
    "longer",
    "link_overlap_slots",
}


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shown(value: float) -> str:
    """A number as short as it is known: 0.5, 1, 3e-05."""
    return f"{value:.{DIGITS}g}" if is_number(value) else str(value)


def with_numbers(key: str, value: Any) -> Any:
    """The value of a key in which `1e4`, text to YAML 1.1, is a number; an integer where the key counts something and
    the number is one exactly. Whatever is no number stays for the schema to refuse."""
    if key in WORDS:
        return value
    if isinstance(value, dict):
        return {name: with_numbers(key, item) for name, item in value.items()}
    if isinstance(value, list):
        return [with_numbers(key, item) for item in value]
    if isinstance(value, str) and SCIENTIFIC.fullmatch(value) and math.isfinite(float(value)):
        value = float(value)
    if isinstance(value, float) and key in INTEGERS and value.is_integer():
        return int(value)
    return value


def listed(place: str, key: str, value: Any) -> Any:
    """A list from one number or from an interval; anything else stays as it is."""
    if is_number(value):
        return [value]
    is_interval = isinstance(value, dict) and {"step", "count"} & value.keys()
    return with_numbers(key, spread(place, value)) if is_interval else value


def spread(place: str, interval: dict[str, Any]) -> list[float]:
    """The values of `{from, to, step}` or `{from, to, count}`, both ends among them.

    Those between the ends are from + i * step, rounded to 12 significant digits; the last step has to end within 1e-9 `to`
    of `to`. StudyError if it does not, or if keys or values are no interval.
    """
    how = "step" if "step" in interval else "count"
    if interval.keys() != {"from", "to", how} or not all(map(is_number, interval.values())):
        given = ", ".join(f"{key}: {value}" for key, value in interval.items())
        raise StudyError(
            f"{place} is {bare(f'{{{given}}}')}; give numbers for from, to and step, or for from, to and count"
        )
    first, last, unit = interval["from"], interval["to"], interval[how]
    for mistake in check_window(place, first, last):
        raise StudyError(mistake.sentence)
    if unit <= 0 or how == "count" and (unit < 2 or unit != int(unit)):
        remedy = "a positive step" if how == "step" else "an integer of at least 2"
        raise StudyError(f"{place}.{how} is {shown(unit)}; give {remedy}")
    steps = (last - first) / unit if how == "step" else unit - 1
    if steps >= MOST_VALUES:
        raise StudyError(f"{place} has more than {MOST_VALUES} values; take a larger step or a smaller count")
    number = max(1, round(steps))
    if how == "step" and abs(first + number * unit - last) > 1e-9 * abs(last):
        near = [shown(first + whole * unit) for whole in (math.floor(steps), math.floor(steps) + 1) if whole]
        raise StudyError(
            f"{place} does not reach {shown(last)} from {shown(first)} in steps of {shown(unit)}; end at {' or '.join(near)}"
        )
    step = unit if how == "step" else (last - first) / number
    return [float(first), *(float(f"{first + i * step:.{DIGITS}g}") for i in range(1, number)), float(last)]


def temperatures_of(place: str, beta: Any) -> Any:
    """T = 1 / beta of a list, or of the two ends of a grid of slots, of which the larger beta is the colder one."""
    if isinstance(beta, list):
        return [_inverse(f"{place}[{index}]", value) for index, value in enumerate(beta)]
    if isinstance(beta, dict) and beta.keys() == {"from", "to"}:
        ends = {"from": "to", "to": "from"}
        return {end: _inverse(f"{place}.{other}", beta[other]) for end, other in ends.items()}
    raise StudyError(f"{place} is {quoted(beta)}; give a list of inverse temperatures in units of 1/J, or from and to")


def _inverse(place: str, beta: Any) -> Any:
    if isinstance(beta, dict):  # one for each L
        return {size: _inverse(inside(place, size), value) for size, value in beta.items()}
    if not is_number(beta) or not beta > 0:
        raise StudyError(f"{place} is {quoted(beta)}; an inverse temperature is a positive number")
    return 1 / beta
