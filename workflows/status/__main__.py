"""The state of a study, from a second shell too: python -m workflows.status FILE [--json].

Reads files only: takes no lock and writes nothing. Exit codes: 0 complete, 1 not complete, 2 bad input."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from workflows.status.show import as_json, errors, steps, table
from workflows.status.state import Reader
from workflows.study.error import StudyError
from workflows.study.study import open_study
from workflows.study.validation import read_study


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="./study status", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="a study file")
    parser.add_argument("--json", action="store_true", help="for programs")
    arguments = parser.parse_args()
    try:
        study = open_study(read_study(arguments.file))
    except StudyError as error:
        print(error, file=sys.stderr)
        return 2
    state = Reader(study).read()
    if arguments.json:
        print(json.dumps(as_json(study.name, state), indent=1))
    else:
        print("\n".join([*table(state), steps(state), *(f"error: {error}" for error in errors(state))]))
    return 0 if state.complete else 1


if __name__ == "__main__":
    sys.exit(main())
