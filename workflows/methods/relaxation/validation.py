"""Checks of the parts of relaxation that a schema cannot express."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workflows.methods.sharing import SHARING
from workflows.study.error import Mistake
from workflows.study.per_size import count_for_size


def check_fit(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """A fit ends with the run."""
    if "fit" not in part:
        return
    last, sweeps = part["fit"]["to"], min(count_for_size(part["sweeps"], size) for size in part["L"])
    if last > sweeps:
        yield Mistake(f"{place}.fit", f"ends at {last}, after the last sweep {sweeps}; end it earlier")


CHECKS = (*SHARING, check_fit)
