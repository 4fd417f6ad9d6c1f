"""Checks of the parts of ising2d that a schema cannot express."""

from __future__ import annotations

from typing import Any

from workflows.study.per_size import check_multiple


def check_part(place: str, part: dict[str, Any], size: int, sweeps: int) -> None:
    """StudyError unless every bin has the same number of measurements."""
    unit = part["measure_interval"] * part["bins"]
    check_multiple(f"{place}.sweeps", sweeps, size, "measure_interval x bins", unit)
