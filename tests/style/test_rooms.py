"""Include paths for each target: a directory that includes what it may not does not compile."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PSFLIP_BUILD", ROOT / "build"))

# A header of each directory that includes nothing of other directories, and the directories that may include it.
HEADERS = {
    "engine/core": "engine/core/platform.hpp",
    "engine/random": "engine/random/acceptance_threshold.hpp",
    "engine/models": "engine/models/model.hpp",
    "engine/methods": "engine/methods/adapted_grid.hpp",
    "engine/driver": "engine/driver/clock.hpp",
    "engine/io": "engine/io/error.hpp",
    "engine/bench": "engine/bench/flip_model.hpp",
    "engine/mpi": "engine/mpi/mpi.hpp",
    "engine/cpu": "engine/cpu/cpu.hpp",
    "engine/app": "engine/app/say.hpp",
    "engine/laboratory": "engine/laboratory/reference/scalar.hpp",
}
BELOW = {
    "engine/io": set(),
    "engine/methods": {"engine/core", "engine/random", "engine/models", "engine/io"},
    "engine/driver": {"engine/core", "engine/random", "engine/models", "engine/io", "engine/methods"},
}
BELOW["engine/cpu"] = BELOW["engine/mpi"] = BELOW["engine/driver"] | {"engine/driver"}
BELOW["engine/laboratory"] = BELOW["engine/cpu"] | {"engine/cpu"}


def options_of(room: str) -> list[str]:
    """Compiler and include paths of a file of the directory."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        target = entry.get("output", "") or entry["command"]
        if f"{room}/CMakeFiles/" in target and entry["file"].endswith((".cpp", "_cxx.cxx")):
            words = shlex.split(entry["command"])
            paths = [word for word in words if word.startswith("-I")]
            paths += [word for pair in zip(words, words[1:], strict=False) if pair[0] == "-isystem" for word in pair]
            return [next(word for word in words if not word.startswith("-") and "ccache" not in word), *paths]
    pytest.skip(f"{room} is not part of this build")


def compiles(room: str, header: str) -> bool:
    compiler, *paths = options_of(room)
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wno-psabi", *paths, "-x", "c++", "-"]
    text = f'#include "{header}"\n'
    return subprocess.run(command, cwd="/", input=text, capture_output=True, text=True, check=False).returncode == 0


@pytest.mark.parametrize("room", sorted(BELOW))
@pytest.mark.slow
def test_a_directory_compiles_with_the_headers_that_it_may_include_and_with_no_others(room: str) -> None:
    allowed = BELOW[room] | {room}
    found = {other for other, header in HEADERS.items() if compiles(room, header)}
    assert found == allowed & set(HEADERS)
