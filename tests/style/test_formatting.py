"""C++ and CUDA are formatted by clang-format 14; other versions break some lines elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP = {".hpp", ".cpp", ".ipp", ".cu", ".cuh"}
# The virtual environment has version 14.0.6, Debian 12 too.
CLANG_FORMAT = shutil.which(
    "clang-format", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
)


def unformatted(files: list[Path]) -> str:
    """Messages of clang-format on lines that it would change; empty if there are none."""
    assert CLANG_FORMAT, "clang-format is missing; ./study test installs it"
    command = [CLANG_FORMAT, f"--style=file:{ROOT}/.clang-format", "--dry-run", "--Werror", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_a_file_that_is_not_formatted_is_found(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_text("int f(int x) { return x; }\n")
    assert unformatted([file]) == ""
    file.write_text("int f( int x )\n{ return x; }\n")
    assert "a.cpp:1:7: error: code should be clang-formatted" in unformatted([file])


def test_every_cpp_file_is_formatted() -> None:
    version = subprocess.run([CLANG_FORMAT or "", "--version"], capture_output=True, text=True, check=True).stdout
    assert "version 14." in version
    files = [path for room in ("engine", "analysis", "tests") for path in (ROOT / room).rglob("*")]
    messages = unformatted(sorted(path for path in files if path.suffix in CPP))
    assert not messages, f"{messages}\nclang-format -i FILE repairs it"
