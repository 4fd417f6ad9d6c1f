"""Functions that a reader can hold in mind: at most 60 lines, kernels of the GPU 100."""

from __future__ import annotations

from pathlib import Path

import lizard
import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_FUNCTION, LONGEST_KERNEL = 60, 100
CPP = {".hpp", ".cpp", ".ipp", ".cu", ".cuh"}


def too_long(name: str, text: str) -> list[str]:
    """Functions of a file, `NAME:LINE FUNCTION: LINES`, that are longer than allowed. A function that is marked
    __global__ or __device__ is a kernel or a part of one."""
    lines = text.splitlines()
    found = []
    for function in lizard.analyze_file.analyze_source_code(
        "file" + (".py" if name.endswith(".py") else ".cpp"), text
    ).function_list:
        head = "\n".join(lines[max(0, function.start_line - 4) : function.start_line + 1])
        limit = LONGEST_KERNEL if "__global__" in head or "__device__" in head else LONGEST_FUNCTION
        if function.length > limit:
            found.append(f"{name}:{function.start_line} {function.name}: {function.length}")
    return found


def test_a_function_that_is_too_long_is_found() -> None:
    body = "  x += 1;\n" * 60
    assert too_long("a.cpp", f"int f(int x) {{\n{body}  return x;\n}}\n") == ["a.cpp:1 f: 63"]
    assert too_long("a.cpp", f"__global__ void f(int x) {{\n{body}}}\n") == []
    assert too_long("a.py", "def f(x):\n" + "    x += 1\n" * 60 + "    return x\n") == ["a.py:1 f: 62"]


@pytest.mark.slow
def test_no_function_is_too_long() -> None:
    wrong = []
    for room in ("engine", "analysis", "workflows", "tests"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in CPP | {".py"}:
                wrong += too_long(str(path.relative_to(ROOT)), path.read_text())
    assert not wrong, "\n".join(wrong)
