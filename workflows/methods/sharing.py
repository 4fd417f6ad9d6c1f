"""Checks of parts whose samples or sites share machine words and random numbers."""

from __future__ import annotations

from typing import Any

from workflows.study.error import StudyError
from workflows.study.per_size import count_for_size, for_size


def check_sharing(place: str, part: dict[str, Any], size: int) -> None:
    """StudyError if samples that share a word would be split between shards or jackknife blocks, if they share random numbers
    where they must not, or if sites cannot share words."""
    if part.get("packing") == "sites" and size % 64:
        raise StudyError(
            f"{place}.packing is 'sites', but L = {size} is not a multiple of 64; 32 sites of one parity of a row share a word"
        )
    if part.get("packing") == "sites" and part.get("h"):
        raise StudyError(
            f"{place}.packing is 'sites', but h = {part['h']:g}; sites share words without a field only, remove one of the two"
        )
    if "random" not in part:  # a model without random bonds
        return
    shard = count_for_size(part["shard_samples"], size)
    if shard % 32:
        raise StudyError(f"{place}.shard_samples is {shard}, not a multiple of 32; 32 samples share a machine word")
    block = for_size(part.get("block_samples", 32), size)
    if part["random"] == "shared" and block % 32:
        raise StudyError(
            f"{place}.block_samples is {block} at L = {size}, not a multiple of 32; 32 samples share their random numbers"
        )
    if part["p"] != 0.5 and part.get("couplings") == "ferromagnet":
        raise StudyError(
            f"{place}.p is {part['p']:g}, but all bonds of couplings 'ferromagnet' are +1; remove one of the two"
        )
    if part["p"] in (0, 1) and part["random"] == "shared":
        raise StudyError(
            f"{place}.p is {part['p']:g}, so samples differ by their random numbers alone; add random: independent"
        )
    if part.get("couplings") == "ferromagnet" and part["random"] == "shared":
        raise StudyError(
            f"{place}.couplings is 'ferromagnet', whose samples differ by their random numbers alone; add random: independent"
        )
