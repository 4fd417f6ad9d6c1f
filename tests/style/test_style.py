"""Rules that a reader would otherwise have to check by eye."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PSFLIP_BUILD", ROOT / "build"))
CODE = {".hpp", ".cpp", ".ipp", ".cu", ".cuh", ".py", ".smk", ".cmake"}

# Who may include whom: core <- random <- models <- methods <- driver <- {cpu, cuda, mpi} <- app, io next to them. In analysis, which
# includes of the engine only engine/io: statistics <- ensemble <- models <- {crossing <- {critical, interpolation}, dynamics} <- app.
MODELS = {"analysis/statistics", "analysis/ensemble", "analysis/models"}
FAMILY = {"engine/core", "engine/random", "engine/models"}
DRIVER = {*FAMILY, "engine/methods", "engine/driver", "engine/io"}
MAY_INCLUDE = {
    "engine/core": {"engine/core"},
    "engine/random": {"engine/core", "engine/random"},
    "engine/models": FAMILY,
    "engine/io": {"engine/io"},
    "engine/methods": {*FAMILY, "engine/methods", "engine/io"},
    "engine/driver": DRIVER,
    "engine/cpu": {*DRIVER, "engine/cpu"},
    "engine/cuda": {*DRIVER, "engine/cuda"},
    "engine/mpi": {*DRIVER, "engine/mpi"},
    "engine/bench": {*FAMILY, "engine/methods", "engine/bench", "engine/cuda"},
    "engine/app": {*DRIVER, "engine/app", "engine/bench", "engine/cpu", "engine/cuda", "engine/mpi"},
    "engine/laboratory": {*DRIVER, "engine/cpu", "engine/laboratory"},
    "analysis/statistics": {"analysis/statistics"},
    "analysis/ensemble": {"analysis/statistics", "analysis/ensemble", "engine/io"},
    "analysis/models": {"analysis/statistics", "analysis/ensemble", "analysis/models", "engine/io"},
    "analysis/crossing": {*MODELS, "analysis/crossing", "engine/io"},
    "analysis/critical": {*MODELS, "analysis/crossing", "analysis/critical", "engine/io"},
    "analysis/interpolation": {*MODELS, "analysis/crossing", "analysis/interpolation", "engine/io"},
    "analysis/dynamics": {*MODELS, "analysis/dynamics", "engine/io"},
    "analysis/app": {
        *MODELS,
        "analysis/crossing",
        "analysis/critical",
        "analysis/dynamics",
        "analysis/interpolation",
        "analysis/app",
        "engine/io",
    },
}
# Directories of engine/cuda: device <- update <- {sweep, measure} <- lattice <- tempering <- multi_gpu <- interface.
CUDA_MAY_INCLUDE = {
    "device": {"device"},
    "update": {"device", "update"},
    "sweep": {"device", "update", "sweep"},
    "measure": {"device", "update", "measure"},
    "lattice": {"device", "update", "sweep", "measure", "lattice"},
    "tempering": {"device", "update", "sweep", "measure", "lattice", "tempering"},
    "multi_gpu": {"device", "update", "sweep", "measure", "lattice", "tempering", "multi_gpu"},
}
# What names and tags of files mean: constants and one hash.
OPEN_TO_ALL = {"engine/core/version.hpp", "engine/models/model.hpp", "engine/random/system_tag.hpp"}
# Headers of other directories that a directory may include as well.
ALSO = {
    "engine/laboratory": {
        "engine/app/launch.hpp",
        "engine/bench/identity.hpp",
        "engine/cuda/cuda.hpp",
        "engine/cuda/device/array.hpp",
        "engine/cuda/device/assembly.cuh",
        "engine/cuda/device/check.hpp",
        "engine/cuda/device/launch.hpp",
        "engine/cuda/device/streams.hpp",
        "engine/cuda/multi_gpu/device_of_rank.hpp",
        "engine/cuda/multi_gpu/peer_link.hpp",
    }
}


def files(*rooms: str) -> list[Path]:
    """Source files of the directories, or of the full repository."""
    roots = [ROOT / room for room in rooms or ("engine", "analysis", "workflows", "tests", "docs")]
    return sorted(path for root in roots for path in root.rglob("*") if path.suffix in CODE)


def test_every_room_includes_only_what_it_may_see() -> None:
    wrong = []
    for path in files("engine", "analysis"):
        room = "/".join(path.relative_to(ROOT).parts[:2])
        for included in re.findall(r'#include "([^"]+/[^"]+)"', path.read_text()):
            other = "/".join(included.split("/")[:2])
            if included in OPEN_TO_ALL | ALSO.get(room, set()):
                continue
            if other not in MAY_INCLUDE.get(room, set()):
                wrong.append(f"{path.relative_to(ROOT)} includes {included}")
    assert not wrong, "\n".join(wrong)


def test_directories_of_cuda_include_only_those_below_them() -> None:
    wrong, cuda = [], ROOT / "engine" / "cuda"
    for path in files("engine/cuda"):
        if path.parent == cuda:
            continue  # the interface may include every directory
        allowed = CUDA_MAY_INCLUDE[path.relative_to(cuda).parts[0]]
        for included in re.findall(r'#include "engine/cuda/([^"]+)"', path.read_text()):
            if included.split("/")[0] not in allowed:
                wrong.append(f"{path.relative_to(ROOT)} includes engine/cuda/{included}")
    assert not wrong, "\n".join(wrong)


def test_the_root_of_cuda_holds_only_the_interface() -> None:
    root = {path.name for path in (ROOT / "engine" / "cuda").iterdir() if path.is_file()}
    assert root == {"CMakeLists.txt", "README.md", "cuda.cpp", "cuda.hpp"}


def test_no_directory_has_more_than_25_files() -> None:
    """Results are excepted: a study writes as many figures and tables as it has quantities."""
    counts = Counter(Path(name).parent for name in tracked_names() if not name.startswith("results/"))
    crowded = [f"{folder}: {count}" for folder, count in counts.items() if count > 25]
    assert not crowded, "\n".join(crowded)


def test_cpp_test_files_are_named_after_what_they_test() -> None:
    sources = [path for path in files("tests") if path.suffix in {".cpp", ".cu"}]
    wrong = [
        path.name
        for path in sources
        if bool(re.search(r"^\s*TEST(_F|_P)?\(", path.read_text(), re.M)) != path.stem.endswith("_test")
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.release
def test_every_header_compiles_alone() -> None:
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    words = [word for entry in commands for word in shlex.split(entry["command"])]
    paths = {(word, "") for word in words if word.startswith("-I")}
    paths |= {pair for pair in zip(words, words[1:]) if pair[0] == "-isystem"}
    options = [word for pair in sorted(paths) for word in pair if word]
    options += [word for word in sorted(set(words)) if word.startswith("-march=")][:1]
    compiler = shlex.split(commands[0]["command"])[0]

    def compile_alone(header: Path) -> str:
        command = [compiler, "-std=c++20", "-fsyntax-only", "-Wno-psabi", *options, "-x", "c++", str(header)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        return "" if result.returncode == 0 else f"{header.relative_to(ROOT)}:\n{result.stderr[:400]}"

    headers = [path for path in files("engine", "analysis") if path.suffix == ".hpp" and "cuda" not in path.parts]
    with ThreadPoolExecutor(max_workers=2) as pool:
        wrong = [message for message in pool.map(compile_alone, headers) if message]
    assert headers and not wrong, "\n".join(wrong)


def tracked_names() -> list[str]:
    # The owner of a checkout and the user who tests it may differ, which git would refuse.
    command = ["git", "-c", "safe.directory=*", "ls-files"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in names if name and (ROOT / name).is_file()]


def tracked_texts() -> list[tuple[str, str]]:
    names = [name for name in tracked_names() if Path(name).suffix not in {".h5", ".png", ".svg", ".lock"}]
    return [(name, (ROOT / name).read_text(errors="replace")) for name in names]


@pytest.mark.slow
def test_no_file_names_a_path_of_one_machine() -> None:
    pattern = re.compile(r"(?<![\w.$}])/(home|root|work|mnt|Users)/\w")
    lines = [(name, line) for name, text in tracked_texts() for line in text.splitlines()]
    wrong = [f"{name}: {line.strip()[:100]}" for name, line in lines if pattern.search(line)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_no_file_is_left_unfinished() -> None:
    words = "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X\\b", "HA" + "CK", "not " + "implemented", "DISA" + "BLED_"])
    lines = [(name, line) for name, text in tracked_texts() for line in text.splitlines()]
    wrong = [f"{name}: {line.strip()[:100]}" for name, line in lines if re.search(words, line)]
    assert not wrong, "\n".join(wrong)


def test_workflow_files_are_formatted() -> None:
    smk = [str(path) for path in [ROOT / "Snakefile", *files("workflows")] if path.suffix == ".smk" or not path.suffix]
    result = subprocess.run(
        [sys.executable, "-m", "snakefmt.snakefmt", "-l", "120", "--check", *smk],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_python_is_linted_and_formatted() -> None:
    for command in (["check"], ["format", "--diff"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--no-cache", "workflows", "tests", "docs", "analysis"]
        result = subprocess.run(ruff, cwd=ROOT, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr


def test_every_python_test_is_in_a_list_of_ctest() -> None:
    """A file that no CMakeLists.txt names would never run."""
    lists = "".join(path.read_text() for path in (ROOT / "tests").rglob("CMakeLists.txt"))
    missing = [path for path in (ROOT / "tests").rglob("test_*.py") if f"{path.name} " not in lists]
    assert lists and not missing
