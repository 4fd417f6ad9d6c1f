"""Checks of the parts of tempering that a schema cannot express."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workflows.methods.sharing import SHARING
from workflows.study.error import Mistake
from workflows.study.per_size import check_multiple, check_window, count_for_size, for_size, link_slots_for

MOST_SLOTS = 256


def _intervals(part: dict[str, Any], size: int) -> tuple[int, int]:
    """Sweeps between two exchange rounds and between two measurements."""
    interval = count_for_size(part["exchange_interval"], size)
    return interval, count_for_size(part.get("measure_interval", interval), size)


def check_intervals(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    for size in part["L"]:
        interval, measured = _intervals(part, size)
        yield from check_multiple(f"{place}.measure_interval", measured, size, "exchange_interval", interval)


def check_sweeps(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    for size in part["L"]:
        sweeps, units = count_for_size(part["sweeps"], size), _intervals(part, size)
        for name, unit in zip(("exchange_interval", "measure_interval"), units):
            if unit == units[0] and name == "measure_interval":
                continue
            yield from check_multiple(f"{place}.sweeps", sweeps, size, name, unit)


def check_bins(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    for size in part["L"]:
        measurements = count_for_size(part["sweeps"], size) // _intervals(part, size)[1]
        if measurements < 2 ** (int(part["bins"]) - 1):
            words = f"is {part['bins']}, too many for {measurements} measurements at L = {size}; take fewer"
            yield Mistake(f"{place}.bins", words)


def check_blocks(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    for size in part["L"]:
        samples, block = (count_for_size(part.get(key, 1), size) for key in ("samples", "block_samples"))
        if block > 1 and samples // block < 16:
            yield Mistake(
                f"{place}.block_samples",
                f"is {block} at L = {size}, which leaves {samples // block} blocks;"
                f" take {max(1, samples // 16)} or fewer, because an equilibration test needs 16 blocks",
            )


def check_slots(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """A list of all slots, or their ends and how those between are found."""
    if not isinstance(part["T"], list):
        if "adapt" not in part:
            words = "has two ends only; add adapt, which finds the slots between, or list all of them in T"
            yield Mistake(f"{place}.T", words)
        return
    if "adapt" in part:
        words = "lists all slots, so nothing is adapted; remove adapt, or give T as from and to"
        yield Mistake(f"{place}.T", words)
    if len(part["T"]) > MOST_SLOTS:
        yield Mistake(f"{place}.T", f"lists {len(part['T'])} slots, more than {MOST_SLOTS}; remove some")


def check_ends(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    if isinstance(part["T"], list):
        return
    for size in part["L"]:
        ends = [for_size(part["T"][end], size) for end in ("from", "to")]
        named = f"at L = {size} " if isinstance(part["T"]["to"], dict) else ""
        yield from check_window(f"{place}.T", *ends, named)


def check_trials(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """Adaptation runs that end with slots for which there is room."""
    if "adapt" not in part or isinstance(part["T"], list):
        return
    keys = ("slots", "trials", "insertions", "sweeps")
    for size in part["L"]:
        slots, trials, insertions, sweeps = (count_for_size(part["adapt"][key], size) for key in keys)
        interval = count_for_size(part["exchange_interval"], size)
        yield from check_multiple(f"{place}.adapt.sweeps", sweeps, size, "exchange_interval", interval)
        slots += trials * insertions
        if slots > MOST_SLOTS:
            words = f"ends with {slots} slots at L = {size}, more than {MOST_SLOTS}; take fewer trials or insertions"
            yield Mistake(f"{place}.adapt", words)


def check_longer_sizes(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    for size in part.get("longer", {}):
        if size not in map(str, part["L"]):
            words = f"has an entry for {size}, which is not in L; remove it or add the L"
            yield Mistake(f"{place}.longer", words, at=f"{place}.longer.{size}")


def check_longer_packs(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    """Extended runs of the slowest packs of 32 samples of every shard."""
    for size in _longer(part):
        packs, times = (int(part["longer"][str(size)][key]) for key in ("packs", "times"))
        shard, at = count_for_size(part["shard_samples"], size), f"{place}.longer.{size}"
        if shard % 32 or packs >= shard // 32:
            yield Mistake(
                f"{place}.longer",
                f"at L = {size} requests {packs} packs of 32 samples of each shard, but shard_samples is {shard};"
                " take a multiple of 32 with more packs, or more sweeps for all",
                at,
            )
        if times & (times - 1):
            yield Mistake(f"{place}.longer", f"at L = {size} requests {times} times the sweeps; take a power of 2", at)


def check_longer_bins(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    for size in _longer(part):
        sweeps, unit = count_for_size(part["sweeps"], size), _intervals(part, size)[1] * 2 ** (int(part["bins"]) - 1)
        if sweeps % unit:
            yield Mistake(
                f"{place}.longer",
                f"at L = {size} needs sweeps that are a multiple of {unit}, so that every bin is as long as all before"
                f" it, not {sweeps}; take {max(1, round(sweeps / unit)) * unit}",
                f"{place}.longer.{size}",
            )


def check_longer_spins(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    for size in _longer(part):
        if "spins" in part.get("save", []):
            words = f"at L = {size} leaves configurations of different ages, which save cannot show; remove spins"
            yield Mistake(f"{place}.longer", words, f"{place}.longer.{size}")


def check_link_slots(place: str, part: dict[str, Any]) -> Iterator[Mistake]:
    slots = part.get("link_overlap_slots", [])
    for size in slots if isinstance(slots, dict) else []:
        if size not in map(str, part["L"]):
            words = f"has an entry for {size}, which is not in L; remove it or add the L"
            yield Mistake(f"{place}.link_overlap_slots", words, at=f"{place}.link_overlap_slots.{size}")
    for size in part["L"] if "adapt" in part or isinstance(part["T"], list) else []:
        most = max(link_slots_for(part, size), default=0)
        if most >= _slots(part, size):
            words = f"names slot {most}, but L = {size} has {_slots(part, size)}, numbered from 0 (the coldest)"
            words += "; name others"
            yield Mistake(f"{place}.link_overlap_slots", words)


def _slots(part: dict[str, Any], size: int) -> int:
    """Temperature slots of the simulations of an L."""
    if isinstance(part["T"], list):
        return len(part["T"])
    slots, trials, insertions = (count_for_size(part["adapt"][key], size) for key in ("slots", "trials", "insertions"))
    return slots + trials * insertions


def _longer(part: dict[str, Any]) -> list[int]:
    """The sizes some of whose runs are extended."""
    return [size for size in part["L"] if str(size) in part.get("longer", {})]


CHECKS = (
    *SHARING,
    check_intervals,
    check_sweeps,
    check_bins,
    check_blocks,
    check_slots,
    check_ends,
    check_trials,
    check_longer_sizes,
    check_longer_packs,
    check_longer_bins,
    check_longer_spins,
    check_link_slots,
)
