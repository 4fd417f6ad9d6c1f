"""Checks a study file and prints its results folder: python -m workflows.study FILE."""

from __future__ import annotations

import sys
from pathlib import Path

from workflows.study.error import StudyError
from workflows.study.study import open_file


def main() -> int:
    try:
        print(open_file(Path(sys.argv[1])).root)
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
