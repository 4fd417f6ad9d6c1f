"""The tags that keep the random numbers of different systems apart (docs/randomness.md, section Key)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from workflows.study.error import StudyError

PRESETS = Path(__file__).resolve().parents[2] / "engine" / "models" / "presets.def"
MASK = (1 << 64) - 1


@cache
def model_numbers() -> dict[str, int]:
    """The numbers of the models in the tags, as the registry of the engine states them."""
    lines = re.findall(r"^PSFLIP_PRESET\((\w+), (\d+),", PRESETS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: int(number) for name, number in lines}


def _splitmix64(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def system_tag(model: str, size: int, temperature: float) -> int:
    """24 bits that stand for a model at one linear size and one temperature in units of J / k_B."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", 1 / temperature))
    return _splitmix64((_splitmix64(bits) + (model_numbers()[model] << 32) + size) & MASK) >> 40


def require_own_numbers(systems: Iterable[tuple[str, int, float]]) -> None:
    """StudyError when two different systems (model, L, T) of one seed have the same tag and so the same random numbers."""
    seen: dict[int, tuple[str, int, float]] = {}
    for system in systems:
        other = seen.setdefault(system_tag(*system), system)
        if other != system:
            one, two = (f"{model} at L = {size}, T = {t}" for model, size, t in (other, system))
            raise StudyError(
                f"{one} and {two} would use the same random numbers (their 24-bit tags are equal,"
                " docs/randomness.md); change one of the temperatures in a later digit"
            )
