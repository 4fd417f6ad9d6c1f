"""The tags that keep the random numbers of different systems apart (docs/randomness.md, section Key)."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import NamedTuple

from workflows.study.error import StudyError
from workflows.study.presets import presets

MASK = (1 << 64) - 1


class System(NamedTuple):
    """A system with random numbers of its own: a model at one linear size and one temperature in units of J / k_B, or at those
    of all slots of a grid."""

    model: str
    size: int
    temperatures: tuple[float, ...]
    h: float | None = None  # strength of a field, J being 1; None: there is none
    p: float = 0.5  # probability of J = -1 of random bonds


def _splitmix64(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def _bits(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def _trajectory_hash(system: System) -> int:
    """Of one beta alone; with several, a field or p other than 1/2 of J, h, -p and all beta."""
    betas = [1 / temperature for temperature in system.temperatures]
    if len(betas) == 1 and system.h is None and system.p == 0.5:
        return _bits(betas[0])
    values = (1.0, system.h or 0.0, *([-system.p] if system.p != 0.5 else []), *betas)
    x = 0
    for value in values:
        x = _splitmix64(x ^ _bits(value))
    return x


def system_tag(system: System) -> int:
    """24 bits that stand for a system."""
    number = presets()[system.model].number
    return _splitmix64((_splitmix64(_trajectory_hash(system)) + (number << 32) + system.size) & MASK) >> 40


def require_own_numbers(systems: Iterable[System]) -> None:
    """StudyError when two different systems of one seed have the same tag and so the same random numbers."""
    seen: dict[int, System] = {}
    for system in systems:
        other = seen.setdefault(system_tag(system), system)
        if other != system:
            one, two = (
                f"{some.model} at L = {some.size}, T = {', '.join(map(str, some.temperatures))}"
                for some in (other, system)
            )
            raise StudyError(
                f"{one} and {two} would use the same random numbers (their 24-bit tags are equal,"
                " docs/randomness.md); change one of the temperatures in a later digit"
            )
