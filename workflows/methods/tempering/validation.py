"""Checks of the parts of rfim3d that a schema cannot express."""

from __future__ import annotations

from typing import Any

from workflows.study.error import StudyError
from workflows.study.per_size import check_multiple, check_window, count_for_size, for_size


def check_part(place: str, part: dict[str, Any], size: int, sweeps: int) -> None:
    """StudyError if intervals, bins, slots or extended runs do not fit together at this L."""
    interval, bins = count_for_size(part["exchange_interval"], size), part["bins"]
    measured = count_for_size(part.get("measure_interval", interval), size)
    check_multiple(f"{place}.measure_interval", measured, size, "exchange_interval", interval)
    ends = [for_size(part["T"][end], size) for end in ("from", "to")]
    check_window(f"{place}.T at L = {size}" if isinstance(part["T"]["to"], dict) else f"{place}.T", *ends)
    samples, block = (count_for_size(part.get(key, 1), size) for key in ("samples", "block_samples"))
    if block > 1 and samples // block < 16:
        raise StudyError(
            f"{place}.block_samples is {block} at L = {size}, which leaves {samples // block} blocks;"
            f" take {max(1, samples // 16)} or fewer, because an equilibration test needs 16 blocks"
        )
    trials = {key: count_for_size(part["adapt"][key], size) for key in ("slots", "trials", "insertions", "sweeps")}
    check_multiple(f"{place}.sweeps", sweeps, size, "exchange_interval", interval)
    check_multiple(f"{place}.sweeps", sweeps, size, "measure_interval", measured)
    check_multiple(f"{place}.adapt.sweeps", trials["sweeps"], size, "exchange_interval", interval)
    if sweeps // measured < 2 ** (bins - 1):
        raise StudyError(
            f"{place}.bins is {bins}, too many for {sweeps // measured} measurements at L = {size}; take fewer"
        )
    slots = trials["slots"] + trials["trials"] * trials["insertions"]
    if slots > 256:
        raise StudyError(
            f"{place}.adapt ends with {slots} slots at L = {size}, more than 256; take fewer trials or insertions"
        )
    if str(size) in part.get("longer", {}):
        _check_longer(f"{place}.longer at L = {size}", part, size, sweeps, measured)


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
