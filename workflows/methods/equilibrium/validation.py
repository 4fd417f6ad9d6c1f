"""Checks of the parts of equilibrium that a schema cannot express."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workflows.methods.sharing import SHARING
from workflows.study.error import Mistake
from workflows.study.per_size import check_multiple, count_for_size


def check_bins(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """Every bin has the same number of measurements."""
    unit = int(part["measure_interval"] * part["bins"])
    for size in part["L"]:
        sweeps = count_for_size(part["sweeps"], size)
        yield from check_multiple(f"{place}.sweeps", sweeps, size, "measure_interval x bins", unit)


CHECKS = (*SHARING, check_bins)
