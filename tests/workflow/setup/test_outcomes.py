"""Python tests of one file share a process; each still has a test of ctest with its own outcome."""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

import pytest

from conftest import ROOT

RUN, TELL = ROOT / "tests" / "workflow" / "pytest.sh", ROOT / "tests" / "workflow" / "tell_outcome.sh"
# Indented here, because ctest takes each line of this file that begins with def as a test.
FILE = textwrap.dedent(
    """\
    import pytest

    def test_right():
        pass

    def test_wrong():
        print("said before")
        assert 1 + 1 == 3

    def test_absent():
        pytest.skip("no such program")

    @pytest.mark.parametrize("value", [1, 2, 3])
    def test_cases(value):
        if value == 1:
            pytest.skip("not this one")
        assert value != 2

    @pytest.mark.slow
    def test_slow():
        pass
    """
)


def run(folder: Path, text: str) -> int:
    path = folder / "test_file.py"
    path.write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    return subprocess.run([RUN, "--outcomes", folder / "outcomes", path], capture_output=True).returncode


def tell(folder: Path, name: str) -> tuple[int, str]:
    told = subprocess.run([TELL, folder / "outcomes" / name], capture_output=True, text=True)
    return told.returncode, told.stdout


def test_each_function_of_a_file_has_an_outcome_of_its_own(tmp_path: Path) -> None:
    assert run(tmp_path, FILE) == 0
    assert tell(tmp_path, "test_right") == (0, "passed\n")
    code, said = tell(tmp_path, "test_wrong")
    assert code == 1 and "assert (1 + 1) == 3" in said and "said before" in said
    code, said = tell(tmp_path, "test_absent")
    assert code == 77 and "no such program" in said
    code, said = tell(tmp_path, "test_cases")
    assert code == 1 and "test_cases[2]" in said and "assert 2 != 2" in said


def test_a_test_that_did_not_run_fails(tmp_path: Path) -> None:
    assert run(tmp_path, FILE) == 0
    code, said = tell(tmp_path, "test_slow")
    assert code == 1 and "pytest ran no such test" in said
    # Outcomes of an earlier run are gone, and a file that cannot be imported fails as a whole.
    assert run(tmp_path, "import no_such_module\n") not in (0, 77)
    assert tell(tmp_path, "test_right")[0] == 1


@pytest.mark.parametrize("cases, code", [((1, 1), 77), ((1, 3), 0), ((3, 3), 0)])
def test_a_function_is_skipped_if_all_its_cases_are(tmp_path: Path, cases: tuple[int, int], code: int) -> None:
    assert run(tmp_path, FILE.replace("[1, 2, 3]", str(list(cases)))) == 0
    assert tell(tmp_path, "test_cases")[0] == code
