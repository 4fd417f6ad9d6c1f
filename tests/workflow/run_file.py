"""Runs pytest and keeps the outcome of each test function, for the tests of ctest that tell it (CMakeLists.txt).

usage: run_file.py FOLDER ARGUMENTS_OF_PYTEST...
Writes FOLDER/test_NAME: passed, failed or skipped, then what pytest says. The exit code tells whether pytest could run
the file at all, because a test of ctest without its fixture would not run, and not fail.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

# Of the cases of one function the worst counts; it is skipped if all of them are.
ORDER = ("skipped", "passed", "failed")


class Outcomes:
    """A plugin of pytest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.outcomes: dict[str, str] = {}
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.outcome == "passed":
            return
        name = report.nodeid.split("::", 1)[1].split("[")[0]
        self.outcomes[name] = max(self.outcomes.get(name, "skipped"), report.outcome, key=ORDER.index)
        path = self.folder / name
        said = path.read_text().partition("\n")[2] if path.exists() else ""
        if report.outcome != "passed":
            said += "\n".join([report.nodeid, str(report.longreprtext), *(text for _, text in report.sections), ""])
        path.write_text(f"{self.outcomes[name]}\n{said}")


def main() -> int:
    code = int(pytest.main(sys.argv[2:], plugins=[Outcomes(Path(sys.argv[1]))]))
    return 0 if code == pytest.ExitCode.TESTS_FAILED else code


if __name__ == "__main__":
    sys.exit(main())
