"""same_machine_code on small made-up listings, with a stand-in for cuobjdump that prints the files as they are."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("same_machine_code")
ADD = ["IADD3 R1, R2, R3, RZ ;  /* 0x0000000302017210 */", "EXIT ;  /* 0x000000000000794d */"]
SUBTRACT = ["IADD3 R1, R2, -R3, RZ ;  /* 0x8000000302017210 */", "EXIT ;  /* 0x000000000000794d */"]


def kernel(name: str, code: list[str], registers: int = 8) -> tuple[str, str]:
    """What cuobjdump -sass and -res-usage print of a kernel."""
    lines = [f"        /*{16 * k:04x}*/    {line}" for k, line in enumerate(code)]
    return "\n".join(
        [f"\t\tFunction : {name}", *lines]
    ), f" Function {name}:\n  REG:{registers} STACK:0 CONSTANT[0]:560"


def build(folder: Path, **objects: list[tuple[str, str]]) -> Path:
    """A build folder of which each object file holds the given kernels."""
    folder.mkdir()
    for name, kernels in objects.items():
        (folder / f"{name}.cu.o").touch()
        (folder / f"{name}.cu.o-sass").write_text("\n".join(["\tcode for sm_90", *(code for code, _ in kernels)]))
        (folder / f"{name}.cu.o-res-usage").write_text("\n".join(usage for _, usage in kernels))
    return folder


def compare(tmp_path: Path, *arguments: object, program: str = 'cat "$2$1"') -> subprocess.CompletedProcess[str]:
    tool = tmp_path / "cuobjdump"
    tool.write_text(f"#!/bin/sh\n{program}\n")
    tool.chmod(0o755)
    command = [str(SCRIPT), *map(str, arguments)]
    environment = os.environ | {"CUOBJDUMP": str(tool)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_renamed_and_moved_kernels_are_the_same(tmp_path: Path) -> None:
    call = ["CALL.REL.NOINC `(_Z3oldv) ;  /* 0x0000000000007944 */", *ADD]
    renamed = ["CALL.REL.NOINC   `(_Z5newerv) ; /* 0x0000000000007944 */", *ADD]
    old = build(tmp_path / "old", a=[kernel("_Z1av", ADD), kernel("_Z1bv", SUBTRACT)], b=[kernel("_Z1cv", call)])
    new = build(tmp_path / "new", c=[kernel("_Z1xv", renamed)], d=[kernel("_Z1yv", SUBTRACT), kernel("_Z1zv", ADD)])
    done = compare(tmp_path, old, new)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 kernels compared (3 different codes)" in done.stdout


def test_another_instruction_is_found_and_named(tmp_path: Path) -> None:
    old = build(tmp_path / "old", a=[kernel("_Z1av", ADD), kernel("_Z1bv", ADD)])
    new = build(tmp_path / "new", a=[kernel("_Z1av", ADD), kernel("_Z1bv", SUBTRACT)])
    done = compare(tmp_path, old, new)
    assert done.returncode == 1
    assert "only in the new build: a.cu.o: _Z1bv" in done.stdout and "only in the old build" in done.stdout


def test_a_kernel_of_a_header_counts_once_however_many_files_include_it(tmp_path: Path) -> None:
    shared = kernel("_Z1av", ADD)
    old = build(tmp_path / "old", a=[shared], b=[shared, kernel("_Z1bv", SUBTRACT)])
    done = compare(tmp_path, old, build(tmp_path / "new", b=[kernel("_Z1bv", SUBTRACT), shared]))
    assert done.returncode == 0 and "2 kernels compared" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([kernel("_Z1av", ADD)], [kernel("_Z1av", ADD, registers=9)]),
        ([kernel("_Z1av", ADD)], [kernel("_Z1av", ADD[::-1])]),
        ([kernel("_Z1av", ADD)], [kernel("_Z1av", ADD), kernel("_Z1bv", ADD)]),
        ([kernel("_Z1av", ADD), kernel("_Z1bv", SUBTRACT)], [kernel("_Z1av", ADD)]),
    ],
    ids=["registers", "order of instructions", "another kernel of the same code", "a kernel less"],
)
def test_every_other_difference_counts(tmp_path: Path, old: list[tuple[str, str]], new: list[tuple[str, str]]) -> None:
    done = compare(tmp_path, build(tmp_path / "old", a=old), build(tmp_path / "new", a=new))
    assert done.returncode == 1 and "differ; the old build has" in done.stdout, done.stdout + done.stderr


def test_builds_that_cannot_be_compared_are_refused_in_one_sentence(tmp_path: Path) -> None:
    full = build(tmp_path / "full", a=[kernel("_Z1av", ADD)])
    empty, no_code = build(tmp_path / "empty"), build(tmp_path / "no_code", a=[])
    for arguments, program, sentence in [
        ((full,), "", "1 arguments are given"),
        ((full, empty), 'cat "$2$1"', f"{empty} has no CUDA object files"),
        ((no_code, no_code), 'cat "$2$1"', "no object file holds machine code"),
        ((full, full), "echo damaged >&2; exit 1", "fails: damaged"),
    ]:
        done = compare(tmp_path, *arguments, program=program)
        assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1, done.stderr
