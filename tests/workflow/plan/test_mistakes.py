"""All mistakes of a study are told at once, each after FILE:LINE; files that are no studies end in one sentence."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fuzz_studies
from conftest import ROOT, Workspace
from workflows.study.error import StudyError
from workflows.study.reading import read_document, read_json
from workflows.study.study import open_file

SMOKE = (ROOT / "config" / "smoke.yaml").read_text()


def refused(folder: Path, data: str | bytes) -> list[str]:
    """The lines that refuse a file with this content, without its path."""
    path = folder / "study.yaml"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(StudyError) as error:
        open_file(path)
    return [line.removeprefix(str(path)) for line in str(error.value).splitlines()]


def changed(*changes: tuple[str, str]) -> str:
    text = SMOKE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_all_mistakes_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = changed(
        ("T: [1.1]", "T: [0]"),
        ("samples: 128 ", "samples: 100 "),
        ("sweeps: 2048 ", "sweps: 2048 "),
        ("seed: 7", "seed: 010"),
        ("rfim3d", "rfim4d"),
        ("crossing: {from: 2.0", "crossing: {from: 2.4"),
    )
    assert [line[:60] for line in refused(tmp_path, text)] == [
        ":4: seed is 010, a number of base 8 for some readers of YAML;"[:60],
        ":12: parts[0] has the unknown key 'sweps'; did you mean 'sweeps'?"[:60],
        ":16: parts[0].crossing holds 1 of the temperatures, but needs 3; widen it"[:60],
        ":20: parts[1].T[0] is 0, not above 0; a temperature is a positive number"[:60],
        ":21: parts[1].samples is 100 at L = 4, not a multiple of shard_samples"[:60],
        ":28: parts[2].model is 'rfim4d', not one of ea3d, ising2d, rfim3d"[:60],
        "6 mistakes; correct them and run again",
    ]


def test_one_mistake_is_one_line_and_hides_no_other(tmp_path: Path) -> None:
    assert refused(tmp_path, changed(("L: [8, 16]", "L: [8, 15]"))) == [
        ":8: parts[0].L[1] is 15, not a multiple of 2; a checkerboard update needs an even L of at least 4"
    ]
    text = changed(("longer: {6:", "longer: {8:"), ("slots: 4 ", "slots: {4: 4} "))
    assert [line[:45] for line in refused(tmp_path, text)] == [
        ":34: parts[2].adapt.slots says nothing about ",
        ":42: parts[2].longer has an entry for 8, which"[:45],
        "2 mistakes; correct them and run again",
    ]


def test_twenty_mistakes_are_told_and_the_others_counted(tmp_path: Path) -> None:
    told = refused(tmp_path, changed(("T: [1.1]", f"T: {list(range(-30, 0))}")))
    assert len(told) == 21 and told[-1] == "and 10 more; 30 mistakes; correct them and run again"


NO_STUDIES: list[tuple[bytes, str]] = [
    (SMOKE.replace("Smoke", "Stra\xdfe").encode("latin-1"), ":3: not UTF-8 text; save the file as UTF-8"),
    (SMOKE.encode("utf-16"), ":1: not UTF-8 text"),
    (SMOKE.encode("utf-16-le"), ":1: not text (character 0x0)"),
    (bytes(range(256)), ":1: not text (character 0x0)|:2: not UTF-8 text"),
    (b"", ":1: the study is empty, not a mapping"),
    (b"title: !!int x", ":1: the tag 'tag:yaml.org,2002:int' says the type of a value"),
    (b"title: !!python/object/apply:os.abort []", ":1: the tag 'tag:yaml.org,2002:python/object/apply:os.abort' says"),
    (b"seed: " + b"9" * 6000, ":1: seed is 999"),
    (b"\n? [a, b]\n: 1\n", ":2: a key is a list or a mapping"),
    (b"parts: &a [*a]", ":1: *a stands for a value that contains it"),
    (b"parts: *b", ":1: *b stands for nothing before it"),
    (b"[" * 10_000, ":1: the study has more than 20 levels"),
    (b"{a: " * 10_000, ":1: the study has more than 20 levels"),
    (b"- " * 10_000, ":1: the study has more than 20 levels"),
    (b"a0: &a0 [x, x]\n" + b"".join(b"a%d: &a%d [*a%d, *a%d]\n" % (i, i, i - 1, i - 1) for i in range(1, 30)), "more than 10000 entries"),
    (b"[" + b"1," * 150_000 + b"1]", ":1: the study has more than 10000 entries"),
    (b"[" + b"1," * 1_500_000 + b"1]", ": has more than 0.4 MB; give a smaller file"),
    (b"a: 1\n---\na: 2\n", ":2: a second document begins"),
    (b'title: "\\U99999999"', ": not YAML (unreadable text)"),
    (b"name: [smoke", ":1: not YAML"),
    (b"name: a\ntitle: a\nseed: 1\nparts: 7\n", ":4: parts is 7, not a list"),
    (b"name: a\ntitle: a\nseed: 1\nparts: {0: 1}\n", ":4: parts is {'0': 1}, not a list"),
]  # fmt: skip


def test_a_file_that_is_no_study_ends_in_a_sentence(tmp_path: Path) -> None:
    for data, sentence in NO_STUDIES:
        told = refused(tmp_path, data)
        assert any(part in told[0] for part in sentence.split("|")), (data[:40], told)


def test_a_number_is_what_it_says_or_refused(tmp_path: Path) -> None:
    for text, sentence in [
        ("1:30", "a number of base 60 for some readers of YAML"),
        ("010", "a number of base 8 "),
        ("0x10", "a number of base 16 "),
        ("0b1", "a number of base 2 "),
        ("yes", 'true for some readers of YAML; write true, or "yes" for text'),
        ("1e400", "beyond double precision"),
        ("1e-400", "below double precision"),
        ("1234567890123456789", "an integer of 19 digits; give at most 18"),
    ]:
        assert [
            f":4: seed is {text}, {sentence}" in line
            for line in refused(tmp_path, f"{changed(('seed: 7', f'seed: {text}'))}")
        ] == [True]
    path = tmp_path / "numbers.yaml"
    path.write_text("[1e4, 1E+2, 1e-2, 1.0e4, 10000.0, 1_000, -0, +7, .5, 2020-13-45, '010', 12e, ~, True, 0.1]")
    content = read_document(path).content
    assert content == [10000, 100, 0.01, 10000.0, 10000.0, 1000, 0, 7, 0.5, "2020-13-45", "010", "12e", None, True, 0.1]
    assert [type(number) for number in content[:6]] == [int, int, float, float, float, int]
    path.write_text(changed(("seed: 7", "seed: 1e4"), ("title: Smoke study", "title: 2020-13-45")))
    study = open_file(path)
    assert (study.seed, study.title) == (10_000, "2020-13-45")


def test_a_sentence_about_an_interval_is_one_line(tmp_path: Path) -> None:
    for key, escaped in [(r"\n", r"\n"), (r"\u2028", r"\u2028"), (r"\e", r"\x1b")]:
        told = refused(tmp_path, changed(("T: [1.1]", f'T: {{"{key}": 1, to: 2, count: 3}}')))
        assert told == [
            f":20: parts[1].T is {{{escaped}: 1, to: 2, count: 3}}; give numbers for from, to and step, or for from, to and count"
        ]


def test_a_sentence_about_a_sweep_is_one_short_line(tmp_path: Path) -> None:
    name, place = '"' + r"\n" + "x" * 900 + '"', ":20: parts[1].T"
    texts = [
        ("T: [1.1]", f"T: [1.1]\n    p: [0.1, 0.2]\n    zip: {name}", ":22: parts[1].zip is"),
        ("T: [1.1]", f"beta: {name}", ":20: parts[1].beta is"),
        ("T: [1.1]", f"beta: [{name}]", ":20: parts[1].beta[0] is"),
        ("T: [1.1]", f"T: {{p: {{0.1: [1], {name}: [2]}}}}\n    p: [0.1, 0.2]", f"{place} has an entry for p = "),
        ("T: [1.1]", f"T: {{p: {{0.1: [1]}}}}\n    p: [0.1, {name}]", f"{place} says nothing about p = "),
        ("T: [1.1]", f"T: {{{name}: {{h: {{0: 1}}}}}}", ": parts[1].T."),
    ]
    for old, new, start in texts:
        told = refused(tmp_path, changed((old, new)))
        assert len(told) < 4 and any(line.startswith(start) for line in told), told
        assert all(len(line) < 300 for line in told), told


def test_a_key_is_given_once_whether_as_a_number_or_as_text(tmp_path: Path) -> None:
    told = refused(tmp_path, changed(("sweeps: 2048 ", 'sweeps: {8: 2048, "8": 2048, 16: 2048} ')))
    assert told == [":12: parts[0].sweeps.8 is given twice, also in line 12; keep one of them"]
    told = refused(tmp_path, changed(("    T: [1.1]", "    L: [8]")))
    assert told[1] == ":20: parts[1].L is given twice, also in line 19; keep one of them"


def test_names_are_short_and_of_one_line(tmp_path: Path) -> None:
    told = refused(tmp_path, changed(("name: smoke", r'name: "smoke\n"'), ("name: ising", f"name: {'a' * 300}")))
    assert told[0] == r":2: name is 'smoke\n'; use lower-case letters, digits, - and _"
    assert ":6: parts[0].name is 'aaa" in told[1] and "300 characters; give at most 150" in told[1] and len(told) == 3


def test_devices_and_large_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "large.json").write_bytes(b"[" * 30_000_000)
    (tmp_path / "deep.json").write_bytes(b"[" * 1_000_000)
    os.mkfifo(tmp_path / "pipe")
    for name in ("/dev/zero", str(tmp_path), str(tmp_path / "pipe")):
        with pytest.raises(
            StudyError, match=r"^[^\n]*cannot be read \(a folder or a device\); give the path of a file$"
        ):
            open_file(Path(name))
    files = ["/dev/zero", "large.json", "deep.json", "none.json"]
    paths = ", ".join(str(tmp_path / file) for file in files)
    told = refused(tmp_path, f"name: speed\ntitle: Speed\nbenchmarks: [{paths}]\n")
    assert [line.split("; ")[0].rpartition("/")[2] for line in told] == [
        "zero: cannot be read (a folder or a device)",
        "large.json: has more than 20 MB",
        "deep.json: not JSON",
        "none.json: cannot be read (No such file or directory)",
        "4 mistakes",
    ]


def test_the_program_and_the_snakefile_tell_the_same(workspace: Workspace) -> None:
    """With the exit code 2 of the program, and without a traceback."""
    path = workspace.folder / "config" / "smoke.yaml"
    path.write_text(changed(("seed: 7", "seed: 1:30"), ("T: [1.1]", "T: [0]")))
    command = [sys.executable, "-m", "workflows.study", "config/smoke.yaml"]
    checked = subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 2 and len(checked.stderr.splitlines()) == 3
    assert all(re.match(r"config/smoke.yaml:\d+: ", line) for line in checked.stderr.splitlines()[:2])
    process = workspace.start("smoke", "--dry-run")
    assert checked.stderr in process.communicate()[0] and process.returncode != 0


@pytest.mark.slow
def test_braces_in_a_title_reach_the_record(workspace: Workspace) -> None:
    title = "{study} {0} {wildcards.run} {{x}} 'y' \\"
    study = workspace.study() | {"title": title}
    workspace.write_study(study)
    workspace.run("smoke", "--until", "record_study")
    assert read_json(workspace.results() / "study.json", "run again")["title"] == title


def test_mutated_studies_are_read_as_they_say_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    found = set()
    for data in fuzz_studies.inputs(300, seed=7):
        path.write_bytes(data)
        found.add(fuzz_studies.outcome(path))
    assert found == {"accepted", "one mistake", "several mistakes"}


@pytest.mark.slow
def test_thirty_seconds_of_mutated_studies_are_read_as_they_say_or_refused(tmp_path: Path) -> None:
    path, end = tmp_path / "study.yaml", time.monotonic() + 30
    for data in fuzz_studies.inputs(10**9, seed=8):
        path.write_bytes(data)
        try:
            fuzz_studies.outcome(path)
        except Exception as error:
            raise AssertionError(f"{error!r} of {data!r}") from error
        if time.monotonic() > end:
            break
