"""Numbers of a study that hold for all linear sizes or are given for each, and checks of single numbers."""

from __future__ import annotations

from workflows.study.error import StudyError


def for_size(value: float | dict[str, float], size: int) -> float:
    """The number that holds for a linear size, where a study gives one number or one for each L."""
    return value[str(size)] if isinstance(value, dict) else value


def count_for_size(value: int | dict[str, int], size: int) -> int:
    """The same for a count; a schema takes 4096.0 for an integer too."""
    return int(for_size(value, size))


def check_multiple(where: str, count: int, size: int, name: str, unit: int) -> None:
    if count % unit:
        raise StudyError(
            f"{where} is {count} at L = {size}, not a multiple of {name} = {unit};"
            f" take {max(1, round(count / unit)) * unit}"
        )


def check_window(place: str, first: float, last: float) -> None:
    if not first < last:
        raise StudyError(f"{place} ends at {last}, not after its start; give from < to")
