"""Prints which lines of engine/io and of the checks of studies run under their tests and mutated files:
python tests/faults/coverage.py [--mutations 4000] [--studies 20000]

Builds engine/io for gcov in build-coverage/. The lines of a child process that crashes are not counted."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build-coverage"
PROGRAMS = ["test_labelled_file", "fuzz_files"]


def run(*command: object) -> None:
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True, stdout=subprocess.PIPE)


def counts_of(data: list[Path]) -> dict[str, dict[int, int]]:
    """How often each line of each source ran."""
    counts: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    command = ["gcov", "--json-format", "--stdout", *map(str, data)]
    told = subprocess.run(command, cwd=BUILD, check=True, stdout=subprocess.PIPE).stdout
    for line in told.splitlines():
        for file in json.loads(line)["files"]:
            name = str((BUILD / file["file"]).resolve().relative_to("/"))
            for entry in file["lines"]:
                counts["/" + name][entry["line_number"]] += entry["count"]
    return counts


def table(counts: dict[str, dict[int, int]]) -> str:
    rows = []
    total = ran = 0
    for path, lines in sorted(counts.items()):
        if not path.startswith(f"{ROOT}/engine/io/"):
            continue
        missing = [number for number, count in sorted(lines.items()) if count == 0]
        total, ran = total + len(lines), ran + len(lines) - len(missing)
        share = 100 * (1 - len(missing) / len(lines))
        shown = ", ".join(map(str, missing)) or "none"
        rows.append(f"{str(Path(path).relative_to(ROOT)):48} {share:5.1f} %  not run: {shown}")
    return "\n".join([*rows, f"{'engine/io':48} {100 * ran / total:5.1f} %  {ran} of {total} lines"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=4000, help="of files")
    parser.add_argument("--studies", type=int, default=20_000)
    arguments = parser.parse_args()
    run("cmake", "--preset", "default", "-B", BUILD, "-DPSFLIP_COVERAGE=ON", "-DPSFLIP_CUDA=OFF")
    run("ninja", "-C", BUILD, *PROGRAMS)
    folder = BUILD / "engine" / "io"
    for old in folder.rglob("*.gcda"):
        old.unlink()
    run(BUILD / "tests" / "test_labelled_file")
    run(BUILD / "tests" / "fuzz_files", "--mutations", arguments.mutations)
    print(table(counts_of(sorted(folder.rglob("*.gcda")))))
    studies = ROOT / "tests" / "workflow" / "plan" / "fuzz_studies.py"
    subprocess.run([sys.executable, studies, str(arguments.studies)], check=True)


if __name__ == "__main__":
    main()
