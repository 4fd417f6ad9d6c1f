"""Checks of the parts of ea3d that a schema cannot express."""

from __future__ import annotations

from typing import Any

from workflows.study.error import StudyError
from workflows.study.per_size import count_for_size, for_size


def check_part(place: str, part: dict[str, Any], size: int, sweeps: int) -> None:
    """StudyError if samples that share a machine word would be split between shards or jackknife blocks."""
    shard = count_for_size(part["shard_samples"], size)
    if shard % 32:
        raise StudyError(f"{place}.shard_samples is {shard}, not a multiple of 32; 32 samples share a machine word")
    if "block_samples" in part:
        check_blocks(place, part, for_size(part["block_samples"], size), size)


def check_blocks(place: str, part: dict[str, Any], samples: int, size: int) -> None:
    """A block of the jackknife never splits samples that share random numbers."""
    if part["random"] == "shared" and samples % 32:
        raise StudyError(
            f"{place}.block_samples is {samples} at L = {size}, not a multiple of 32; 32 samples share their random numbers"
        )
