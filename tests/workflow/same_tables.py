#!/usr/bin/env python3
"""Tells whether two versions of psflip-analysis write the same files from the same measurements.

    python tests/workflow/same_tables.py OLD NEW RESULTS

OLD and NEW are executables, RESULTS is the directory of a study with shards/RUN/*.h5. Both reduce every run; combine,
series, dynamics, critical, crossing and compare then run on all sums for which they may work. Tables must have the same
bytes and exit codes must be equal. Messages may differ: the wording of a refusal is no result. Reduced files must have
the same axes, datasets and attributes; NEW may add attributes, because a definition may be added to a file without a
change of its numbers. NEW must also make the same tables from the sums of OLD. Exit code 1 and one line for each
difference if there is any.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

CRITICAL = ["--clock", "0.1,0.15,0.2", "--omega", "1.12", "--degree", "1,2"]
CRITICAL += ["--together", "0.1,0.15", "--xi-min", "1,2"]
DYNAMICS = ["--fit-from", "16", "--fit-to", "4096", "--scan"]
# The attributes that tell the jobs of one table apart from others, as `identity` in analysis/ensemble/ensemble.cpp.
JOB = ("model", "seed", "start", "replicas", "sweeps", "measure_interval", "h", "longer_packs")


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code and the bytes of its tables by name."""

    code: int
    tables: dict[str, bytes]


def run(program: Path, folder: Path, command: Iterable[str], outputs: dict[str, str]) -> Outcome:
    """Runs a command in `folder`; `outputs` maps options to the names of the files that they write there."""
    options = [word for pair in outputs.items() for word in pair]
    done = subprocess.run([program, *command, *options], cwd=folder, capture_output=True, check=False)
    paths = [folder / name for name in outputs.values() if not name.endswith(".h5")]
    tables = {path.name: path.read_bytes() for path in paths if path.exists()}
    for path in paths:
        path.unlink(missing_ok=True)
    return Outcome(done.returncode, tables)


def reduce_all(program: Path, results: Path, folder: Path) -> dict[str, Outcome]:
    """One reduced file for each run of the study, in `folder`."""
    folder.mkdir()
    outcomes = {}
    for shards in sorted(path for path in (results / "shards").iterdir() if path.is_dir()):
        files = [str(path.resolve()) for path in sorted(shards.glob("*.h5"))]
        if files:
            output = {"--output": f"{shards.name}.h5"}
            outcomes[f"reduce {shards.name}"] = run(program, folder, ["reduce", *files], output)
    return outcomes


def equal(old: object, new: object) -> bool:
    """The same type, shape and bits."""
    one, other = np.asarray(old), np.asarray(new)
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def attribute_differences(old: h5py.AttributeManager, new: h5py.AttributeManager, where: str) -> Iterator[str]:
    """Attributes of `old` that `new` lacks or has with another value. Links between axes are not compared."""
    for name in sorted(set(old) - {"DIMENSION_LIST", "REFERENCE_LIST"}):
        if name not in new:
            yield f"{where}: the attribute {name} is gone"
        elif not (old[name] == new[name] if isinstance(old[name], str) else equal(old[name], new[name])):
            yield f"{where}: the attribute {name} was {old[name]}, is {new[name]}"


def file_differences(old: Path, new: Path) -> Iterator[str]:
    """What differs between two reduced files."""
    with h5py.File(old) as one, h5py.File(new) as other:
        yield from attribute_differences(one.attrs, other.attrs, new.name)
        for name in sorted(set(one) ^ set(other)):
            yield f"{new.name}: only one file has {name}"
        for name in sorted(set(one) & set(other)):
            yield from attribute_differences(one[name].attrs, other[name].attrs, f"{new.name}/{name}")
            if not equal(one[name][()], other[name][()]):
                yield f"{new.name}: {name} has other values"


def groups(folder: Path) -> dict[tuple[str, ...], list[tuple[int, str]]]:
    """Sizes and names of the reduced files of each kind of job."""
    found: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for path in sorted(folder.glob("*.h5")):
        with h5py.File(path) as file:
            job = tuple(str(file.attrs.get(name)) for name in JOB)
            found.setdefault(job, []).append((int(file.attrs["L"]), path.name))
    return found


def commands(folder: Path, results: Path) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Every command on the reduced files in `folder` and the options that name its tables."""
    for (model, *_), members in groups(folder).items():
        names = [name for _, name in sorted(members)]
        table = {"--output": "table.csv"}
        for size in sorted({size for size, _ in members}):
            mine = [name for L, name in members if L == size]
            yield ["combine", *mine], table
            if model == "rfim3d":
                for pair in itertools.permutations(mine, 2):
                    yield ["compare", *pair], table
        for observable in ("U4", "xi_over_L"):
            yield ["crossing", *names, "--observable", observable], table
        yield ["critical", *names, *CRITICAL], table | {"--readings": "readings.csv"}
        for name in names:
            yield ["dynamics", name, *DYNAMICS], table
        if model == "ising2d":
            for name in names:
                yield ["series", str(next((results / "shards" / Path(name).stem).glob("*.h5")).resolve())], table


def differences(old: Path, new: Path, results: Path, scratch: Path) -> tuple[list[str], int, int]:
    """All differences, the number of commands compared, and how many of these wrote a table."""
    ours, theirs = reduce_all(new, results, scratch / "new"), reduce_all(old, results, scratch / "old")
    found = [f"{name}: another exit code" for name in theirs if theirs[name] != ours[name]]
    for path in sorted((scratch / "old").glob("*.h5")):
        if (scratch / "new" / path.name).exists():
            found += file_differences(path, scratch / "new" / path.name)
    compared, wrote = len(theirs), 0
    for command, outputs in commands(scratch / "old", results):
        wanted = run(old, scratch / "old", command, outputs)
        for sums in ("old", "new"):
            if wanted != run(new, scratch / sums, command, outputs):
                found.append(f"{' '.join(command)}: another table or exit code from {sums} sums")
        compared, wrote = compared + 1, wrote + bool(wanted.tables)
    return found, compared, wrote


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, what in (("old", "executable"), ("new", "executable"), ("results", "directory of a study")):
        parser.add_argument(name, type=Path, help=what)
    arguments = parser.parse_args()
    if not (arguments.results / "shards").is_dir():
        parser.error(f"{arguments.results} has no directory shards; give the results of a study with its measurements")
    with tempfile.TemporaryDirectory() as scratch:
        old, new = arguments.old.resolve(), arguments.new.resolve()
        found, compared, wrote = differences(old, new, arguments.results, Path(scratch))
    print("\n".join([*found, f"{compared} commands compared, {wrote} wrote tables, {len(found)} differences"]))
    return 1 if found or wrote == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
