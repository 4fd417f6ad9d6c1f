"""The Nishimori line of random bonds, e^(-2/T) = p / (1 - p), on which some results are exact.

H. Nishimori, Prog. Theor. Phys. 66 (1981) 1169, for J = -1 with probability p, else +1, and no field."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workflows.study.study import Part

FEWEST_POINTS = 4  # of a line along which crossings are looked for: parabolas through three would leave nothing to test


def nishimori_temperature(p: float) -> float:
    """In units of J / k_B, for 0 < p < 1/2."""
    return 2 / math.log((1 - p) / p)


def nishimori_slot(part: Part) -> float | None:
    """The temperature slot of a part of exchange Monte Carlo that lies on the line; None without one."""
    if part.p is None or part.h or not 0 < part.p < 0.5:
        return None
    wanted = nishimori_temperature(part.p)
    slots = next(iter(part.runs.values())).options.get("slots", ())
    return next((t for t in slots if math.isclose(t, wanted, rel_tol=1e-6)), None)


def nishimori_lines(parts: Iterable[Part]) -> dict[str, list[Part]]:
    """The parts of every entry of a study that follows the line with p, by its name, in the order of p."""
    found: dict[str, list[Part]] = {}
    for part in parts:
        if "p" in part.swept and nishimori_slot(part) is not None:
            found.setdefault(part.source, []).append(part)
    lines = {name: sorted(points, key=lambda part: part.p or 0.0) for name, points in found.items()}
    return {name: points for name, points in lines.items() if _is_one_line(points)}


def _is_one_line(points: list[Part]) -> bool:
    """Enough values of p, each once: parts of several seeds are several lines, which are not joined."""
    return len({part.p for part in points}) == len(points) >= FEWEST_POINTS
