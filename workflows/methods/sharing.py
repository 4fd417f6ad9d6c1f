"""Checks of parts whose samples or sites share machine words and random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workflows.study.error import Mistake
from workflows.study.per_size import count_for_size


def check_sites(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """Whether sites can share words."""
    if part.get("packing") != "sites":
        return
    for size in part["L"]:
        if size % 64:
            words = f"is 'sites', but L = {size} is not a multiple of 64; 32 sites of one parity of a row share a word"
            yield Mistake(f"{place}.packing", words)
    if part.get("h"):
        words = f"is 'sites', but h = {part['h']:g}; sites share words without a field only, remove one of the two"
        yield Mistake(f"{place}.packing", words)


def check_words(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """Samples that share a word are not split between shards."""
    if "random" not in part:  # a model without random bonds
        return
    for size in part["L"]:
        shard = count_for_size(part["shard_samples"], size)
        if shard % 32:
            yield Mistake(
                f"{place}.shard_samples", f"is {shard}, not a multiple of 32; 32 samples share a machine word"
            )


def check_blocks(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """Samples that share random numbers are not split between jackknife blocks."""
    if part.get("random") != "shared":
        return
    for size in part["L"]:
        block = count_for_size(part.get("block_samples", 32), size)
        if block % 32:
            words = f"is {block} at L = {size}, not a multiple of 32; 32 samples share their random numbers"
            yield Mistake(f"{place}.block_samples", words)


def check_bonds(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """Samples share random numbers only where their couplings make them different."""
    if "random" not in part:
        return
    is_ferromagnet, is_shared = part.get("couplings") == "ferromagnet", part["random"] == "shared"
    if part["p"] != 0.5 and is_ferromagnet:
        words = f"is {part['p']:g}, but all bonds of couplings 'ferromagnet' are +1; remove one of the two"
        yield Mistake(f"{place}.p", words)
    elif part["p"] in (0, 1) and is_shared:
        words = f"is {part['p']:g}, so samples differ by their random numbers alone; add random: independent"
        yield Mistake(f"{place}.p", words)
    elif is_ferromagnet and is_shared:
        words = "is 'ferromagnet', whose samples differ by their random numbers alone; add random: independent"
        yield Mistake(f"{place}.couplings", words)


SHARING = (check_sites, check_words, check_blocks, check_bonds)
