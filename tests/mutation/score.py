"""Prints the share of mutants that the quick tests killed, and the others with what was found about each.

usage: python tests/mutation/score.py OUTCOMES VERDICTS
OUTCOMES: the table outcomes.csv of run_mutants.py. VERDICTS: a table with the columns file, line, change, verdict and
reason, one row for each mutant that was not killed. The verdict is `equivalent` (no input can show a difference) or
`gap`.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path
from typing import NoReturn

KILLED = ("killed", "timeout")
VERDICTS = ("equivalent", "gap")


def refuse(what: str) -> NoReturn:
    print(f"score: {what}; give the outcomes of run_mutants.py and the verdicts", file=sys.stderr)
    sys.exit(2)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def key(row: dict[str, str]) -> tuple[str, str, str]:
    return row["file"], row["line"], row["change"]


def judged(outcomes: list[dict[str, str]], verdicts: list[dict[str, str]]) -> list[dict[str, str]]:
    """The mutants that were not killed, with their verdicts."""
    known = {key(row): row for row in verdicts}
    left = [row for row in outcomes if row["outcome"] not in KILLED]
    for row in left:
        verdict = known.get(key(row))
        if verdict is None or verdict["verdict"] not in VERDICTS:
            refuse(f"{row['file']}:{row['line']} ({row['change']}) has no verdict")
    return [row | known[key(row)] for row in left]


def report(outcomes: list[dict[str, str]], verdicts: list[dict[str, str]]) -> str:
    left = judged(outcomes, verdicts)
    equivalent = sum(row["verdict"] == "equivalent" for row in left)
    killed, counted = len(outcomes) - len(left), len(outcomes) - equivalent
    lines = [
        f"{len(outcomes)} mutants, {equivalent} of them equivalent to the original; "
        f"{killed} of the other {counted} killed ({100 * killed / counted:.1f} %).",
        "",
        "| operator | mutants | killed |",
        "|---|---|---|",
    ]
    drawn = Counter(row["operator"] for row in outcomes)
    noticed = Counter(row["operator"] for row in outcomes if row["outcome"] in KILLED)
    lines += [f"| {name} | {drawn[name]} | {noticed[name]} |" for name in sorted(drawn)]
    lines += ["", "| place | change | verdict | reason |", "|---|---|---|---|"]
    for row in sorted(left, key=lambda row: (row["verdict"], row["file"], int(row["line"]))):
        change = row["change"].replace("|", "\\|")
        lines.append(f"| {row['file']}:{row['line']} | {change} | {row['verdict']} | {row['reason']} |")
    return "\n".join(lines)


def main() -> None:
    given = [Path(argument) for argument in sys.argv[1:]]
    missing = [path for path in given if not path.is_file()]
    if len(given) != 2 or missing:
        refuse(f"{missing[0]} is no file" if missing else "two tables are wanted")
    print(report(rows_of(given[0]), rows_of(given[1])))


if __name__ == "__main__":
    main()
