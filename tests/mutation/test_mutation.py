"""The tool itself: which places it finds, what its copy of a source does, and how it judges a mutant."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import quick_tests
import score
from copy_of_tree import ROOT, Mutant, broken, draw, sources
from places import Place, mutated, places_of
from quick_tests import QuickTest, judge, record

HEADER = str(Path(__file__).resolve().parent / "mutant.hpp")
PROGRAM = """\
#include <cstdio>
#include <vector>

int pieces(const std::vector<int>& lengths, int least) {
  int count = 0;
  for (int length : lengths)
    if (length >= least && length != 9) count += length - least * 2;
  return count;
}

int main() {
  std::printf("%d\\n", pieces({3, 9, 10}, 3));
}
"""


def changes(text: str) -> list[tuple[str, str]]:
    return [(place.operator, place.change) for place in places_of(text)]


def test_each_operator_finds_its_places_and_takes_whole_operands() -> None:
    found = {place.change: place.form for place in places_of("void f() {\n  if (a - b + g(c, d) < -e) x.y(z);\n}\n")}
    assert found["+ to -"] == "(psflip_mutant(@) ? (a - b - g(c, d)) : (a - b + g(c, d)))"
    assert found["- to +"] == "(psflip_mutant(@) ? (a + b) : (a - b))"
    assert found["< to <="] == "(psflip_mutant(@) ? (a - b + g(c, d) <= -e) : (a - b + g(c, d) < -e))"
    assert found["negated if"] == "psflip_mutant(@) != static_cast<bool>(a - b + g(c, d) < -e)"
    assert found["deleted"] == "{ if (!psflip_mutant(@)) { x.y(z); } }"
    logic = places_of("bool f() {\n  return a || b && c || d;\n}\n")
    assert logic[0].form == "(psflip_mutant(@) ? ((a) && (b && c)) : (a || b && c))"


def test_texts_types_and_what_the_compiler_evaluates_are_no_places() -> None:
    assert changes('void f() {\n  throw Error("a < b", 3);\n}\n') == []
    assert changes("constexpr int a = b + 1;\nstatic_assert(a < 4);\nusing A = std::array<int, 4>;\n") == []
    assert changes("void f(const std::vector<int>& a, int&& b) {\n  int c[2 * n];\n}\n") == []
    assert changes("struct A {\n  A(const B& b);\n};\n") == []
    assert changes("#if A + B < 3\n#endif\n// a < b\n") == []


@pytest.mark.slow
def test_a_copy_holds_all_mutants_and_one_variable_switches_them(tmp_path: Path) -> None:
    places = {place.change: place for place in places_of(PROGRAM)}
    chosen = {number: places[change] for number, change in enumerate(["* to /", "9 to 9 + 1", "3 to 3 + 1"])}
    text = mutated(PROGRAM, chosen, HEADER)
    assert text.count("\n") == PROGRAM.count("\n") + 2
    (tmp_path / "program.cpp").write_text(text)
    program = tmp_path / "program"
    subprocess.run(["g++", "-std=c++20", tmp_path / "program.cpp", "-o", program], check=True)

    def says(**variables: str) -> str:
        return subprocess.run([program], env=os.environ | variables, capture_output=True, text=True).stdout

    assert says() == "1\n"  # 3 - 6 + 10 - 6
    assert says(PSFLIP_MUTANT="0") == "11\n"  # 3 - 1 + 10 - 1
    assert says(PSFLIP_MUTANT="1") == "5\n"  # the lengths are 3, 10, 10
    assert says(PSFLIP_MUTANT="2") == "2\n"  # only 10 is at least 4
    says(PSFLIP_MUTANT_RECORD=str(tmp_path / "reached"))
    assert sorted((tmp_path / "reached").read_text().split()) == ["0", "1", "2"]


@pytest.mark.slow
def test_a_seed_draws_the_same_places_and_these_do_not_overlap() -> None:
    files = sources(ROOT)
    drawn = draw(files, 5, 300)
    assert drawn == draw(files, 5, 300) != draw(files, 6, 300)
    assert len(drawn) == 300 and len({(mutant.file, mutant.place.line) for mutant in drawn}) == 300
    assert not [mutant for mutant in drawn if "/cuda/" in mutant.file or "/laboratory/" in mutant.file]
    for one in drawn:
        for other in drawn:
            if one.number < other.number and one.file == other.file:
                assert one.place.end <= other.place.start or other.place.end <= one.place.start


@pytest.mark.slow
def test_an_error_of_the_compiler_is_blamed_on_the_mutant_of_its_line(tmp_path: Path) -> None:
    drawn = draw(sources(ROOT), 5, 30)
    last = drawn[-1]
    log = f"/copy/build/include/room/{last.file}:{last.place.line}:9: error: no match for 'operator-'\n"
    (tmp_path / "originals").symlink_to(ROOT)
    blamed = broken(log, tmp_path, drawn)
    assert last.number in blamed and len(blamed) < 4


def shell(name: str, script: str) -> QuickTest:
    return QuickTest(name, ["sh", "-c", script], "/", {}, [], 77)


def test_a_mutant_is_killed_by_a_failure_or_by_a_test_that_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick_tests, "SPARE", 0)
    reach = 'if [ "$PSFLIP_MUTANT_RECORD" ]; then printf "1\\n2\\n3\\n" >"$PSFLIP_MUTANT_RECORD"; fi; '
    notices = shell("notices", reach + '[ "$PSFLIP_MUTANT" != 1 ]')
    loops = shell("loops", reach + 'if [ "$PSFLIP_MUTANT" = 2 ]; then while :; do :; done; fi')
    skips = shell("skips", reach + "exit 77")
    other = shell("other", "exit 1")
    assert [record(test, tmp_path / "reached") for test in (notices, loops, skips, other)] == [
        "passed",
        "passed",
        "skipped",
        "failed",
    ]
    assert notices.reached == [1, 2, 3] and other.reached == []
    tests = [notices, loops, skips, other]
    assert judge(1, tests)[:2] == ("killed", "notices")
    assert judge(2, tests)[:2] == ("timeout", "loops")
    assert judge(3, tests) == ("survived", "", 3)
    assert judge(4, tests) == ("unreached", "", 0)


def row(number: int, outcome: str) -> dict[str, str]:
    return {"file": "a.cpp", "line": str(number), "operator": "logic", "change": "&& to ||", "outcome": outcome}


def test_the_score_leaves_out_equivalent_mutants_and_wants_a_verdict_for_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcomes = [row(1, "killed"), row(2, "timeout"), row(3, "survived"), row(4, "unreached")]
    verdicts = [row(3, "") | {"verdict": "equivalent", "reason": "none"}]
    with pytest.raises(SystemExit, match="^2$"):
        score.report(outcomes, verdicts)
    assert "score: a.cpp:4 (&& to ||) has no verdict; " in capsys.readouterr().err
    verdicts.append(row(4, "") | {"verdict": "gap", "reason": "not tested"})
    text = score.report(outcomes, verdicts)
    assert "1 of them equivalent to the original; 2 of the other 3 killed (66.7 %)" in text
    assert "| a.cpp:4 | && to \\|\\| | gap | not tested |" in text


def test_drawn_mutants_are_stored_and_read_again(tmp_path: Path) -> None:
    from copy_of_tree import load, save

    mutants = [Mutant(3, "a.cpp", Place(1, "logic", 2, 9, "form", "&& to ||"))]
    save(tmp_path / "stored.json", mutants)
    assert load(tmp_path / "stored.json") == mutants
