"""Numbers of a study that hold for all linear sizes or are given for each, and checks of single numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workflows.study.error import Mistake


def for_size(value: float | dict[str, float], size: int) -> float:
    """The number that holds for a linear size, where a study gives one number or one for each L."""
    return value[str(size)] if isinstance(value, dict) else value


def count_for_size(value: int | dict[str, int], size: int) -> int:
    """The same for a count; a schema takes 4096.0 for an integer too."""
    return int(for_size(value, size))


def link_slots_for(part: dict[str, Any], size: int) -> list[int]:
    """The slots of a part, increasing, with sums of the link overlap at a linear size: one list, or one for some L."""
    slots = part.get("link_overlap_slots", [])
    return sorted(map(int, slots.get(str(size), []) if isinstance(slots, dict) else slots))


def check_multiple(place: str, count: int, size: int, name: str, unit: int) -> Iterator[Mistake]:
    if count % unit:
        take = max(1, round(count / unit)) * unit
        yield Mistake(place, f"is {count} at L = {size}, not a multiple of {name} = {unit}; take {take}")


def check_window(place: str, first: float, last: float, size: str = "") -> Iterator[Mistake]:
    """`size`: words that name the L for which the window is, where there is one for each."""
    if not first < last:
        yield Mistake(place, f"{size}ends at {last}, not after its start; give from < to")
