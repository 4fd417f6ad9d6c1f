"""Entries of a study of the laboratory: the checks of their keys, the command lines of psflip-lab, what a machine lacks for them."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from workflows.study.error import Mistake

PROGRAM = "build/bin/psflip-lab"
# Keys of an entry that are no options of psflip-lab.
OWN_KEYS = ("seed", "command", "file", "ranks")
GPU_GENERATORS = ("mtgp32",)
# Commands that are modules of Python: the option that names the file to write.
MODULES = {"numba_ising2d": "--json", "temperature_grids": "--json"}
NEED_NUMBA = ("numba_ising2d",)
# Open MPI starts nothing for root, who owns containers, without these variables.
LAUNCHER = "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n"

Schema = dict[str, Any]


def commands(schema: Schema) -> list[str]:
    """The commands that an entry may name: definitions of the schema that require one."""
    return [name for name, rule in schema["$defs"].items() if "command" in rule.get("required", [])]


def with_commands(schema: Schema, content: Any) -> Schema:
    """The schema with the definition of the command of every entry of this study."""
    known, entries = commands(schema), content.get("laboratory")
    schema["properties"]["laboratory"]["items"]["properties"]["command"]["enum"] = known
    if isinstance(entries, list):
        whole = schema["properties"]["laboratory"]["items"]
        schema["properties"]["laboratory"]["prefixItems"] = [
            schema["$defs"][entry["command"]] if isinstance(entry, dict) and entry.get("command") in known else whole
            for entry in entries
        ]
    return schema


def relations(content: Any, found: list[Mistake]) -> Iterator[Mistake]:
    """What a schema cannot express, for entries without mistakes of their own."""
    entries, files = content.get("laboratory"), dict[str, int]()
    spoiled = {mistake.place.partition(".")[0] for mistake in found}
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        place = f"laboratory[{index}]"
        if place in spoiled or "laboratory" in spoiled:
            continue
        yield from _options(place, entry)
        stem = Entry.of(entry).stem
        if stem in files:
            yield Mistake(place, f"has the file {stem}.json of laboratory[{files[stem]}]; give it a key 'file'")
        files.setdefault(stem, index)


def _box(place: str, entry: dict[str, Any]) -> Iterator[Mistake]:
    """Boxes of sites, such as 32x8x8: each side is even and at least L, or divides L an even number of times."""
    sides = [int(side) for side in entry.get("tile", "32x8x8").split("x")]
    for size in entry.get("L", []):
        for side in (min(side, size) for side in sides):
            if side < 2 or side % 2 or (side < size and size % (2 * side)):
                yield Mistake(
                    f"{place}.tile" if "tile" in entry else f"{place}.L",
                    f"has the side {side}, which is even and divides L = {size} an even number of times or is at least L; "
                    "give such a one",
                )


def _grids(place: str, entry: dict[str, Any]) -> Iterator[Mistake]:
    low, high = entry.get("T", [2.8, 4.7])
    if not low < high:
        yield Mistake(f"{place}.T", f"goes from {low:g} to {high:g}; give the coldest temperature first")
    if entry["command"] == "temperature_grids" and entry.get("dense", 13) <= entry.get("sparse", 5):
        yield Mistake(f"{place}.dense", f"is {entry.get('dense', 13)}, no more than the slots of sparse; give more")


def _options(place: str, entry: dict[str, Any]) -> Iterator[Mistake]:
    if entry["command"] == "field_tiles":
        if entry.get("device") == "cuda" and entry.get("generator", "lcg64") not in ("lcg64", "philox"):
            yield Mistake(f"{place}.generator", f"is {entry['generator']}; boxes on a GPU have lcg64 and philox")
        yield from _box(place, entry)
        yield from _grids(place, entry)
        return
    if entry["command"] == "temperature_grids":
        yield from _grids(place, entry)
        return
    names = entry.get("generator", [])
    for name in GPU_GENERATORS:
        if name in names and entry.get("device") != "cuda":
            yield Mistake(f"{place}.generator", f"has {name}, which runs on a GPU only; give device: cuda")
    if "float_fast" in entry.get("precision", []) and entry.get("device") != "cuda":
        yield Mistake(f"{place}.precision", "has float_fast, which runs on a GPU only; give device: cuda")
    for tile in entry.get("tile", []):
        for size in (size for size in entry["L"] if size % (2 * tile)) if "L" in entry else ():
            yield Mistake(
                f"{place}.tile",
                f"has {tile}, which does not divide L = {size} an even number of times; give one that does",
            )
    if entry["command"] == "tempering" and "beta" in entry and entry["beta"][0] >= entry["beta"][1]:
        yield Mistake(
            f"{place}.beta", f"is {entry['beta']}; give the smallest and then the largest inverse temperature"
        )
    if entry.get("order") == "symmetric":
        for hits in (hits for hits in entry.get("hits", [1]) if hits % 2):
            yield Mistake(f"{place}.hits", f"has {hits}; the symmetric order measures in the middle, give even numbers")
    for size in entry.get("L", []) if "bitwise" in entry.get("layout", []) else []:
        if size & (size - 1):
            yield Mistake(
                f"{place}.L",
                f"has {size}, and the layout bitwise has powers of two only; give them an entry of their own",
            )


def has_gpu() -> bool:
    """The same question as in ./study: a device of the driver, which is there in containers too."""
    return bool(glob.glob("/dev/nvidia[0-9]*"))


@dataclass(frozen=True)
class Entry:
    """One run of psflip-lab."""

    seed: str
    command: str
    stem: str  # of its file
    options: tuple[tuple[str, Any], ...]
    ranks: int = 1

    @staticmethod
    def of(content: dict[str, Any]) -> Entry:
        words = [content["seed"], content["command"], *([content["file"]] if "file" in content else [])]
        options = tuple((key, value) for key, value in content.items() if key not in OWN_KEYS)
        return Entry(content["seed"], content["command"], "_".join(words), options, content.get("ranks", 1))

    @property
    def arguments(self) -> str:
        """Behind the name of the program, except the file."""
        words = [] if self.command in MODULES else [self.command]
        for key, value in self.options:
            if value is True:
                words.append(f"--{key}")
            elif value is not False:
                text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
                words.append(f"--{key} {text}")
        return " ".join(words)

    @property
    def program(self) -> str:
        """What the rule starts, in the root of the repository."""
        if self.command in MODULES:
            return f"python -m workflows.laboratory.{self.command}"
        return f"{LAUNCHER} {self.ranks} {PROGRAM}" if self.ranks > 1 else PROGRAM

    @property
    def output(self) -> str:
        """The option that names the file to write."""
        return MODULES.get(self.command, "--output")

    @property
    def line(self) -> str:
        """For the reader, who types it in the environment: ./study shell."""
        program = self.program.replace(LAUNCHER, "mpirun -n").replace(PROGRAM, "psflip-lab")
        return f"{program} {self.arguments} {self.output} {self.stem}.json".replace("  ", " ")

    @property
    def missing(self) -> str:
        """What this machine lacks for the entry; empty if it can run."""
        if dict(self.options).get("device") == "cuda" and not has_gpu():
            return "needs a GPU"
        if self.command in NEED_NUMBA and not find_spec("numba"):
            return "needs Numba"
        if self.ranks > 1 and not shutil.which("mpirun"):
            return "needs mpirun"
        return f"needs {self.ranks} cores" if self.ranks > len(os.sched_getaffinity(0)) else ""
