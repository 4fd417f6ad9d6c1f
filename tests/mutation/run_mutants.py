"""Which mutants of engine and analysis the quick tests notice. README.md in this directory says how it works.

usage: python tests/mutation/run_mutants.py FOLDER [OPTION...] [-- OPTION OF CMAKE...]
FOLDER keeps the copy, its build and what is known so far: the same command continues after an interruption.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

import quick_tests
from copy_of_tree import ROOT, Mutant, build, copy_tree, draw, load, save, sources
from quick_tests import QuickTest

COLUMNS = ("number", "file", "line", "operator", "change", "outcome", "by", "tests_run")


def make_copy(folder: Path, options: argparse.Namespace) -> list[Mutant]:
    """The mutants of a finished build in FOLDER."""
    drawn, built = folder / "drawn.json", folder / "built.json"
    if built.exists():
        return load(built)
    if not drawn.exists():
        copy_tree(folder, options.without)
        files = sources(ROOT, options.rooms, "*.cpp" if options.units else "*.[ch]pp")
        save(drawn, draw(files, options.seed, options.count))
    mutants = build(folder, load(drawn), options.cmake, options.jobs, options.targets)
    save(built, mutants)
    return mutants


def record_one(folder: Path, test: QuickTest) -> tuple[QuickTest, str]:
    name = "".join(letter if letter.isalnum() else "_" for letter in test.name)[:200]
    return test, quick_tests.record(test, folder / "records" / name)


def known_tests(folder: Path, jobs: int, pattern: str) -> list[QuickTest]:
    """The tests that pass without a mutant, with what they reach. New tests of the build are added."""
    chosen = re.compile(pattern)
    path = folder / "tests.json"
    known = [QuickTest(**one) for one in json.loads(path.read_text())] if path.exists() else []
    names = {test.name for test in known}
    listed = quick_tests.tests_of(folder / "build")
    new = [test for test in listed if test.name not in names and (test.sets_up or chosen.search(test.name))]
    (folder / "records").mkdir(exist_ok=True)
    for test in [test for test in new if test.sets_up]:
        known.append(record_one(folder, test)[0])
    with ProcessPoolExecutor(jobs) as pool:
        for test, outcome in pool.map(partial(record_one, folder), [test for test in new if not test.sets_up]):
            if outcome == "passed":
                known.append(test)
            else:
                print(f"not used, {outcome} without a mutant: {test.name}", flush=True)
    path.write_text(json.dumps([asdict(test) for test in known], indent=1))
    return known


def judge_one(tests: list[QuickTest], mutant: Mutant) -> tuple[Mutant, tuple[str, str, int]]:
    return mutant, quick_tests.judge(mutant.number, tests)


def judge_all(folder: Path, mutants: list[Mutant], tests: list[QuickTest], jobs: int) -> None:
    """Writes one row for each mutant to outcomes.csv as soon as it is known."""
    path = folder / "outcomes.csv"
    rows = {int(row["number"]): row for row in csv.DictReader(path.open())} if path.exists() else {}
    left = [mutant for mutant in mutants if mutant.number not in rows]
    with path.open("a", newline="") as file, ProcessPoolExecutor(jobs) as pool:
        writer = csv.writer(file, lineterminator="\n")
        if not rows:
            writer.writerow(COLUMNS)
        for mutant, (outcome, by, count) in pool.map(partial(judge_one, tests), left):
            place = mutant.place
            writer.writerow((mutant.number, mutant.file, place.line, place.operator, place.change, outcome, by, count))
            file.flush()


def look_again(folder: Path, options: argparse.Namespace) -> None:
    """Takes new tests into the copy, and forgets the outcomes of the mutants that were not killed."""
    for path in (ROOT / "tests").rglob("*"):
        name = path.relative_to(ROOT)
        if path.is_file() and not str(name).startswith(tuple(f"tests/{room}/" for room in options.without)):
            old = folder / name
            if not old.exists() or old.read_bytes() != path.read_bytes():
                old.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, old)
    mutants = load(folder / "built.json")
    build(folder, mutants, options.cmake, options.jobs, options.targets)
    path = folder / "outcomes.csv"
    rows = list(csv.DictReader(path.open()))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in rows if row["outcome"] in ("killed", "timeout"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without", nargs="*", default=[], help="directories of tests that are left out")
    parser.add_argument("--units", action="store_true", help="draw from .cpp files only")
    parser.add_argument("--rooms", nargs="*", default=["engine", "analysis"], help="directories of the sources")
    parser.add_argument("--targets", nargs="*", default=[], help="what is built, and so which tests can run")
    parser.add_argument("--tests", default="", metavar="REGEX", help="use only tests with such names")
    parser.add_argument("--again", action="store_true", help="take new tests and judge the survivors again")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end], argparse.Namespace(cmake=sys.argv[end + 1 :]))
    folder = options.folder.resolve()
    if folder.is_relative_to(ROOT):
        print(f"mutants: {folder} is inside the repository, which must not change; name one outside", file=sys.stderr)
        sys.exit(2)
    folder.mkdir(parents=True, exist_ok=True)
    if options.again:
        look_again(folder, options)
    mutants = make_copy(folder, options)
    tests = known_tests(folder, options.jobs, options.tests)
    judge_all(folder, mutants, tests, options.jobs)


if __name__ == "__main__":
    main()
