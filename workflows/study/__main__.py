"""Checks a study file and prints its results folder: python -m workflows.study FILE.

With --programs behind FILE it prints the programs that the study needs besides psflip and psflip-analysis."""

from __future__ import annotations

import sys
from pathlib import Path

from workflows.study.error import StudyError
from workflows.study.study import open_file


def main() -> int:
    try:
        study = open_file(Path(sys.argv[1]))
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2
    print(" ".join(study.programs) if "--programs" in sys.argv[2:] else study.root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
