"""Checks of the parts of relaxation that a schema cannot express."""

from __future__ import annotations

from typing import Any

from workflows.methods.sharing import check_sharing
from workflows.study.error import StudyError


def check_part(place: str, part: dict[str, Any], size: int, sweeps: int) -> None:
    """StudyError if samples that share a word would be split, or if a fit goes beyond the last sweep."""
    check_sharing(place, part, size)
    if "fit" in part and part["fit"]["to"] > sweeps:
        raise StudyError(f"{place}.fit ends at {part['fit']['to']}, after the last sweep {sweeps}; end it earlier")
