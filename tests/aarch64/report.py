"""Counts the tests of tests/aarch64/run and compares small jobs with those of the x86 program. Writes aarch64.json.

python tests/aarch64/report.py OUTPUT X86_PSFLIP TEST...
"""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "equality"))

from same_datasets import JOBS, content

# Of these jobs psflip-analysis makes tables: one of each method.
TABLES = [
    "ea3d relaxation --L 6 --T 1.1,2.5 --sweeps 100 --samples 0:128 --seed 5",
    "ising2d equilibrium --L 6 --T 2.2,2.3 --sweeps 240 --measure-interval 3 --bins 4 --samples 0:64 --seed 5",
    "rfim3d tempering --L 4 --h 1 --T 3.4,3.8,4.3,5 --sweeps 80 --exchange-interval 2 --bins 4 --samples 0:64 --seed 5",
]


def first_line(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def tests_of(file: Path) -> dict[str, Any]:
    """Numbers of tests of one program. A program that crashed has written no file."""
    if not file.is_file():
        return {"passed": 0, "failed": ["the program ended before its last test"], "skipped": 0}
    found = [test | {"name": f"{suite['name']}.{test['name']}"} for suite in json.loads(file.read_text())["testsuites"]
             for test in suite["testsuite"]]  # fmt: skip
    ran = [test for test in found if test["status"] == "RUN"]
    skipped = [test for test in ran if test["result"] == "SKIPPED"]
    failed = [test["name"] for test in ran if "failures" in test]
    return {"passed": len(ran) - len(failed) - len(skipped), "failed": failed, "skipped": len(skipped)}


def digest_of(program: str, job: str, file: Path) -> str:
    """Of all axes, datasets and attributes that do not tell when, where and by which program."""
    found = content(program, job, file)
    file.unlink()
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def table_of(program: str, job: str, file: Path) -> list[str]:
    """The cells of the CSV file with all observables and errors, made by the psflip-analysis next to psflip."""
    analysis, reduced, table = str(Path(program).with_name("psflip-analysis")), f"{file}.reduced", f"{file}.csv"
    for command in (
        [program, *job.split(), "--output", str(file)],
        [analysis, "reduce", str(file), "--output", reduced],
        [analysis, "combine", reduced, "--output", table],
    ):
        subprocess.run(command, capture_output=True, check=True)
    cells = Path(table).read_text().replace("\n", ",").split(",")
    for name in (str(file), reduced, table):
        Path(name).unlink()
    return cells


def distance(one: str, other: str) -> float:
    """Relative difference of two cells; infinite unless both are numbers or the same text."""
    if one == other:
        return 0
    try:
        x, y = float(one), float(other)
    except ValueError:
        return math.inf
    return abs(x - y) / max(abs(x), abs(y))


def compared_tables(job: str, x86: str, aarch64: str, file: Path) -> dict[str, Any]:
    """Doubles may be rounded otherwise on aarch64, so the last of the ten digits of a cell may differ."""
    cells = [table_of(program, job, file) for program in (x86, aarch64)]
    largest = max(map(distance, *cells)) if len(cells[0]) == len(cells[1]) else math.inf
    print(f"tables differ by {largest:.1e}: psflip {job}", flush=True)
    return {"job": job, "equal": largest < 1e-8, "largest_relative_difference": largest, "cells": len(cells[0])}


def compared(job: str, x86: str, aarch64: str, file: Path) -> dict[str, Any]:
    digests = {"x86": digest_of(x86, job, file), "aarch64": digest_of(aarch64, job, file)}
    equal = digests["x86"] == digests["aarch64"]
    print(f"{'equal' if equal else 'DIFFERENT'}: psflip {job}", flush=True)
    sha256 = digests["x86"] if equal else digests
    return {"job": job, "equal": equal, "sha256": sha256}


def main() -> int:
    output, x86, names = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    aarch64 = str(output / "psflip")
    tests = {name: tests_of(output / "tests" / f"{name}.json") for name in names}
    # The x86 program takes its widest words, unless the job names 64 bits.
    jobs = [job for job in JOBS if "--word-bits 256" not in job and "--word-bits 512" not in job]
    report = {
        "compiler": first_line("aarch64-linux-gnu-g++", "--version"),
        "emulator": first_line("qemu-aarch64", "--version"),
        "psflip": {
            name: subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
            for name, program in (("aarch64", aarch64), ("x86", x86))
        },
        "tests": tests,
        "jobs": [compared(job, x86, aarch64, output / "job.h5") for job in jobs],
        "tables": [compared_tables(job, x86, aarch64, output / "job.h5") for job in TABLES],
    }
    (output / "aarch64.json").write_text(json.dumps(report, indent=1) + "\n")
    equal = [[job["equal"] for job in report[part]] for part in ("jobs", "tables")]
    passed = sum(test["passed"] for test in tests.values())
    print(
        f"{passed} tests passed; {sum(equal[0])} of {len(jobs)} jobs have equal datasets, {sum(equal[1])} of", end=" "
    )
    print(f"{len(TABLES)} equal tables up to rounding: {output / 'aarch64.json'}")
    good = all(test["passed"] and not test["failed"] for test in tests.values())
    return 0 if good and all(equal[0] + equal[1]) else 1


if __name__ == "__main__":
    sys.exit(main())
