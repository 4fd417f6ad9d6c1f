"""Prints the ratios of times that psflip demands of itself: python -m workflows.benchmark.ratios FILE...

A job of psflip bench over its neighbour on the same machine (`ratios` of workflows/references/speed.yaml). Exit code 1 if
one is missed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from workflows.benchmark.jobs import judged_ratios, read_jobs
from workflows.study.error import StudyError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("benchmarks", nargs="+", type=Path)
    try:
        rows = judged_ratios(read_jobs(parser.parse_args().benchmarks))
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{'job':38} {'over':36} {'ratio':>6} {'must':>5} {'goal':>5}  verdict, machine")
    for row in rows:
        value = "-" if row["value"] is None else f"{row['value']:.3f}"
        line = f"{row['job']:38} {row['neighbour']:36} {value:>6} {row['must']:5} {row.get('goal', '-'):>5}"
        print(f"{line}  {row['verdict']}, {row['machine']}")
    return 1 if any(row["verdict"] == "missed" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
