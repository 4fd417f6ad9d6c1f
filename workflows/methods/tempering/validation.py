"""Checks of the parts of tempering that a schema cannot express."""

from __future__ import annotations

from typing import Any

from workflows.methods.sharing import check_sharing
from workflows.study.error import StudyError
from workflows.study.per_size import check_multiple, check_window, count_for_size, for_size


def check_part(place: str, part: dict[str, Any], size: int, sweeps: int) -> None:
    """StudyError if intervals, bins, slots, extended runs or shared words do not fit together at this L."""
    check_sharing(place, part, size)
    interval, bins = count_for_size(part["exchange_interval"], size), part["bins"]
    measured = count_for_size(part.get("measure_interval", interval), size)
    check_multiple(f"{place}.measure_interval", measured, size, "exchange_interval", interval)
    _check_slots(place, part, size, interval)
    samples, block = (count_for_size(part.get(key, 1), size) for key in ("samples", "block_samples"))
    if block > 1 and samples // block < 16:
        raise StudyError(
            f"{place}.block_samples is {block} at L = {size}, which leaves {samples // block} blocks;"
            f" take {max(1, samples // 16)} or fewer, because an equilibration test needs 16 blocks"
        )
    check_multiple(f"{place}.sweeps", sweeps, size, "exchange_interval", interval)
    check_multiple(f"{place}.sweeps", sweeps, size, "measure_interval", measured)
    if sweeps // measured < 2 ** (bins - 1):
        raise StudyError(
            f"{place}.bins is {bins}, too many for {sweeps // measured} measurements at L = {size}; take fewer"
        )
    if str(size) in part.get("longer", {}):
        _check_longer(f"{place}.longer at L = {size}", part, size, sweeps, measured)


def _check_slots(place: str, part: dict[str, Any], size: int, interval: int) -> None:
    """A list of all slots, or their ends and how those between are found."""
    if isinstance(part["T"], list):
        if "adapt" in part:
            raise StudyError(
                f"{place}.T lists all slots, so nothing is adapted; remove adapt, or give T as from and to"
            )
        if len(part["T"]) > 256:
            raise StudyError(f"{place}.T lists {len(part['T'])} slots, more than 256; remove some")
        return
    if "adapt" not in part:
        raise StudyError(
            f"{place}.T has two ends only; add adapt, which finds the slots between, or list all of them in T"
        )
    ends = [for_size(part["T"][end], size) for end in ("from", "to")]
    check_window(f"{place}.T at L = {size}" if isinstance(part["T"]["to"], dict) else f"{place}.T", *ends)
    trials = {key: count_for_size(part["adapt"][key], size) for key in ("slots", "trials", "insertions", "sweeps")}
    check_multiple(f"{place}.adapt.sweeps", trials["sweeps"], size, "exchange_interval", interval)
    slots = trials["slots"] + trials["trials"] * trials["insertions"]
    if slots > 256:
        raise StudyError(
            f"{place}.adapt ends with {slots} slots at L = {size}, more than 256; take fewer trials or insertions"
        )


def check_longer_sizes(place: str, part: dict[str, Any]) -> None:
    for size in part.get("longer", {}):
        if int(size) not in part["L"]:
            raise StudyError(f"{place}.longer has an entry for {size}, which is not in L; remove it or add the L")


def _check_longer(where: str, part: dict[str, Any], size: int, sweeps: int, measured: int) -> None:
    """Extended runs of the slowest packs of 32 samples of every shard."""
    packs, times = (part["longer"][str(size)][key] for key in ("packs", "times"))
    shard = count_for_size(part["shard_samples"], size)
    if shard % 32 or packs >= shard // 32:
        raise StudyError(
            f"{where} requests {packs} packs of 32 samples of each shard, but shard_samples is {shard};"
            " take a multiple of 32 with more packs, or more sweeps for all"
        )
    if times & (times - 1):
        raise StudyError(f"{where} requests {times} times the sweeps; take a power of 2")
    unit = measured * 2 ** (part["bins"] - 1)
    if sweeps % unit:
        raise StudyError(
            f"{where} needs sweeps that are a multiple of {unit}, so that every bin is as long as all before it,"
            f" not {sweeps}; take {max(1, round(sweeps / unit)) * unit}"
        )
    if "spins" in part.get("save", []):
        raise StudyError(f"{where} leaves configurations of different ages, which save cannot show; remove spins")
