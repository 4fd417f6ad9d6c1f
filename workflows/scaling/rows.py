"""Timings on 1, 2, ... GPUs or cores, from files of tests/mpi/scaling, psflip-lab gpus and psflip-lab exchange."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from workflows.study.error import StudyError

REFERENCES = Path(__file__).resolve().parents[1] / "references" / "scaling.yaml"
METHODS = {"ea3d": "relaxation", "ising2d": "equilibrium", "rfim3d": "tempering"}  # of files that do not name it
DIMENSIONS = {"ea3d": 3, "ising2d": 2, "rfim3d": 3}
LABORATORY = "laboratory"


@dataclass(frozen=True)
class Row:
    """One timing on `gpus` processors together. ps/flip is that of all of them."""

    file: str
    device: str
    commit: str  # of psflip
    program: str  # psflip, or a variant and a memory of the laboratory
    model: str
    method: str
    scaling: str
    gpus: int
    L: int
    details: tuple[tuple[str, Any], ...]  # options that name the problem, next to L
    base: tuple[str, ...]  # what a row shares with its row on one processor
    ps_per_flip: float
    efficiency: float | None
    on_gpus: bool

    @property
    def flips_per_ns(self) -> float:
        return 1e3 / self.ps_per_flip

    def detail(self, key: str) -> Any:
        return dict(self.details).get(key)


@dataclass(frozen=True)
class Overlap:
    """Half sweeps of ea3d in slabs, in seconds: complete, without neighbours, and the messages alone."""

    file: str
    gpus: int
    L: int
    packs: int
    complete: float
    without_neighbours: float
    messages: float
    bytes: float

    @property
    def hidden(self) -> float:
        """The share of the time of messages in which the GPU updates spins."""
        return 1 - (self.complete - self.without_neighbours) / self.messages


@dataclass(frozen=True)
class Origin:
    """Where the numbers of a file come from."""

    file: str
    device: str
    driver: str
    commit: str
    command: str


@dataclass(frozen=True)
class Paper:
    """A scaling of a paper."""

    name: str
    scaling: str
    source: str
    flips_per_ns: dict[int, float]

    def efficiencies(self) -> dict[int, float]:
        one = self.flips_per_ns[1]
        return {gpus: value / (gpus * one) for gpus, value in self.flips_per_ns.items()}


@dataclass(frozen=True)
class Measurements:
    rows: list[Row]
    overlaps: list[Overlap]
    origins: list[Origin]


def papers() -> list[Paper]:
    content = yaml.safe_load(REFERENCES.read_text(encoding="utf-8"))["scalings"]
    return [Paper(one["name"], one["scaling"], one["source"], one["flips_per_ns"]) for one in content]


def exchange_efficiency() -> dict[str, Any]:
    return yaml.safe_load(REFERENCES.read_text(encoding="utf-8"))["exchange_efficiency"]


def commit_of(content: dict[str, Any]) -> str:
    """The first seven digits of the commit that wrote a file."""
    return content["git_commit"][:7]


def of_psflip(path: Path, content: dict[str, Any]) -> list[Row]:
    """A file of tests/mpi/scaling. Files before psflip 0.3 name neither jobs nor methods."""
    rows = []
    for case in content["cases"]:
        options = dict(case["options"])
        details = tuple((key, options[key]) for key in ("samples", "slots", "exchange-interval") if key in options)
        method = case.get("method", METHODS[case["model"]])
        rows.append(
            Row(path.name, content["device"], commit_of(content), "psflip", case["model"], method, case["scaling"],
                case["ranks"], options["L"], details, (path.name, case.get("job", case["model"])), case["ps_per_flip"],
                case.get("efficiency"), content["backend"] == "cuda")
        )  # fmt: skip
    return rows


def of_laboratory(path: Path, content: dict[str, Any]) -> list[Row]:
    """A file of psflip-lab gpus."""
    return [
        Row(path.name, content["gpu"], commit_of(content), f"{row['variant']}, {row['memory']}", "ising2d", LABORATORY,
            row["scaling"], row["gpus"], row["L"], (("rows", row["rows"]),), (path.name, row["variant"], row["memory"]),
            row["ps_per_flip"], row.get("efficiency"), True)
        for row in content["table"]
        if "gpus" in row
    ]  # fmt: skip


def overlaps_of(path: Path, content: dict[str, Any]) -> list[Overlap]:
    """A file of psflip-lab exchange --device cuda."""
    return [
        Overlap(path.name, row["ranks"], row["L"], row["packs"], row["seconds_of_half_sweep"],
                row["seconds_without_neighbours"], row["seconds_of_messages"], row["bytes_of_half_sweep"])
        for row in content["table"]
        if "seconds_without_neighbours" in row
    ]  # fmt: skip


def origin_of(path: Path, content: dict[str, Any]) -> Origin:
    device = content.get("device") or content.get("gpu") or content.get("machine", "")
    return Origin(path.name, device, content.get("driver") or "not recorded", commit_of(content), content["command"])


def read(paths: Iterable[Path]) -> Measurements:
    """All timings of the files. Throws StudyError for a file that is not one of these programs."""
    rows: list[Row] = []
    overlaps: list[Overlap] = []
    origins: list[Origin] = []
    for path in paths:
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if "cases" in content:
                rows += of_psflip(path, content)
            else:
                rows += of_laboratory(path, content)
                overlaps += overlaps_of(path, content)
            origins.append(origin_of(path, content))
        except (KeyError, TypeError, ValueError) as error:
            raise StudyError(
                f"{path}: not a file of tests/mpi/scaling, psflip-lab gpus or psflip-lab exchange ({error!r}); "
                "write it by one"
            ) from None
    return Measurements(rows, overlaps, origins)


def groups_of(rows: list[Row], scaling: str) -> list[list[Row]]:
    """The rows of one scaling by what they share with their row on one processor, which comes first; each has several
    numbers of processors, increasing."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(row.base, []).append(row)
    groups = []
    for mine in found.values():
        several = sorted((row for row in mine if row.scaling == scaling and row.gpus > 1), key=lambda row: row.gpus)
        if several and all(row.efficiency is not None for row in several):
            groups.append([*(row for row in mine if row.gpus == 1), *several])
    return groups


def size_of(row: Row) -> str:
    return f"{row.L}^{DIMENSIONS[row.model]}" if row.model == "ising2d" else f"L = {row.L}"


def title_of(group: list[Row]) -> str:
    """What a group of one scaling shares, in words."""
    first, last = group[0], group[-1]
    if first.method == LABORATORY:
        each = "" if last.scaling == "strong" else " for each GPU"
        return f"{first.program} memory, {first.L}^2{each}"
    sizes = list(dict.fromkeys(size_of(row) for row in group))
    words = [first.model + (" tempering" if (first.model, first.method) == ("ea3d", "tempering") else "")]
    words.append(sizes[0] + "".join(f", {size.removeprefix('L = ')}" for size in sizes[1:]))
    for key, unit in (("slots", "slots"), ("samples", "samples")):
        values = list(dict.fromkeys(row.detail(key) for row in group))
        if values != [None] and values != [1]:
            words.append(f"{', '.join(str(value) for value in values)} {unit}")
    if first.detail("exchange-interval"):
        words.append(f"E = {first.detail('exchange-interval')}")
    return ", ".join(words) + (", shards" if last.scaling == "shards" else "")
