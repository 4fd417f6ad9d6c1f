"""Checks of the parts of equilibrium that a schema cannot express."""

from __future__ import annotations

from typing import Any

from workflows.methods.sharing import check_sharing
from workflows.study.per_size import check_multiple


def check_part(place: str, part: dict[str, Any], size: int, sweeps: int) -> None:
    """StudyError if samples that share a word would be split, or unless every bin has the same number of measurements."""
    check_sharing(place, part, size)
    unit = part["measure_interval"] * part["bins"]
    check_multiple(f"{place}.sweeps", sweeps, size, "measure_interval x bins", unit)
