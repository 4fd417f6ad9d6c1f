"""clang-tidy 14 finds nothing in engine and analysis. Other versions have other checks; CUDA it does not read."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PSFLIP_BUILD", ROOT / "build"))
# Most of the time goes into headers of libraries, so several files are read as one unit.
FILES_PER_UNIT = 8
ERROR = "[clang-diagnostic-error]"


def clang_tidy() -> str:
    for name in ("clang-tidy-14", "clang-tidy"):
        tool = shutil.which(name)
        if tool and " 14." in subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout:
            return tool
    pytest.skip("clang-tidy 14 is not on the PATH (Debian 12: clang-tidy)")


def files_of(entry: dict) -> list[str]:
    """The source of a compile command, or the sources that its unit includes (cmake/unity.cmake)."""
    if not entry["file"].endswith("_cxx.cxx"):
        return [entry["file"]]
    return re.findall(r'^#include "(.+\.cpp)"', Path(entry["file"]).read_text(), re.MULTILINE)


def host_commands() -> list[dict]:
    """Compile commands of engine and analysis without CUDA; the CPU backend also compiles generated files."""
    rooms = tuple(f"{ROOT / room}/" for room in ("engine", "analysis")) + (f"{BUILD}/engine/cpu/",)
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    each = [entry | {"file": file} for entry in commands for file in files_of(entry)]
    host = [entry for entry in each if entry["file"].startswith(rooms) and entry["file"].endswith(".cpp")]
    return [entry for entry in host if '#include "engine/cuda/' not in Path(entry["file"]).read_text()]


def options() -> list[str]:
    """Of all compile commands together, without the precompiled headers of the build and without CUDA. The widest words
    are read on every machine."""
    found = ["-std=c++20", "-march=x86-64-v4", "-fopenmp", "-Wall", "-Wextra", f"-I{ROOT}"]
    for entry in host_commands():
        words = shlex.split(entry["command"])
        for word, following in zip(words, words[1:], strict=False):
            # With the root of the sources every header has one path only.
            is_room = word.startswith(f"-I{BUILD}/include/")
            if word.startswith(("-I", "-D")) and not is_room and word not in [*found, "-DPSFLIP_WITH_CUDA"]:
                found.append(word)
            if word == "-isystem" and following not in found:
                found += [word, following]
    return found


def unit(folder: Path, name: str, files: list[Path]) -> Path:
    path = folder / f"{name}.cpp"
    path.write_text("".join(f'#include "{file}"  // NOLINT(bugprone-suspicious-include)\n' for file in files))
    return path


def findings(path: Path, flags: list[str], root: Path = ROOT) -> str:
    """Messages on `path` and on the files below `root` that it includes; empty if there are none."""
    command = [
        clang_tidy(),
        "--quiet",
        f"--config-file={ROOT}/.clang-tidy",
        f"--header-filter=^{re.escape(str(root))}/",
    ]
    result = subprocess.run([*command, str(path), "--", *flags], capture_output=True, text=True, check=False)
    if "'omp.h' file not found" in result.stdout:
        pytest.skip("clang-tidy finds no omp.h (Debian: libomp-dev)")
    assert result.returncode == 0 or result.stdout, result.stderr
    return result.stdout


def own_names(text: str) -> set[str]:
    """What a file defines in unnamed namespaces."""
    parts = re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.MULTILINE | re.DOTALL)
    types = r"^(?:struct|class|enum class|using) (\w+)"
    functions = r"^(?!using|struct|class|enum)\w[\w:<>,*& ]*?[ &*](\w+)(?:\(| =|\{|\[)"
    return {name for part in parts for pair in re.findall(f"{types}|{functions}", part, re.MULTILINE) for name in pair}


def joined(files: list[Path]) -> list[list[Path]]:
    """Files that one unit may include: no two define the same name of their own."""
    units: list[tuple[set[str], list[Path]]] = []
    for file in files:
        names = own_names(file.read_text()) - {""}
        free = (unit for unit in units if len(unit[1]) < FILES_PER_UNIT and not unit[0] & names)
        names_of_unit, files_of_unit = next(free, (set(), []))
        if not files_of_unit:
            units.append((names_of_unit, files_of_unit))
        names_of_unit |= names
        files_of_unit.append(file)
    return [unit[1] for unit in units]


def findings_of_joined(folder: Path, name: str, files: list[Path], flags: list[str], root: Path = ROOT) -> str:
    messages = findings(unit(folder, name, files), flags, root)
    if ERROR in messages and len(files) > 1:  # the files compile, but not as one unit
        messages = "".join(findings(file, flags, root) for file in files)
    return messages


def test_what_clang_tidy_finds_in_a_header_is_reported(tmp_path: Path) -> None:
    header = tmp_path / "a.hpp"
    main = unit(tmp_path, "main", [header])
    header.write_text("inline double half(int n) { return 0.5 * n; }\nstruct Spin {\n  double U4() const;\n};\n")
    assert findings(main, [], tmp_path) == ""
    header.write_text("inline double Half(int n) { return n / 2; }\n")
    messages = findings(main, [], tmp_path)
    assert "a.hpp:1:15: error: invalid case style for function 'Half'" in messages
    assert "[bugprone-integer-division,-warnings-as-errors]" in messages


def test_files_with_the_same_names_are_checked_apart(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.cpp" for name in "abc"]
    for file, name in zip(files, ["run", "run", "add"], strict=True):
        file.write_text(f"namespace {{\n\nint {name}(int x) {{ return x; }}\n\n}}  // namespace\nint {name}_all;\n")
    assert joined(files) == [[files[0], files[2]], [files[1]]]
    # A name that is not in an unnamed namespace: the unit does not compile, each file does.
    files[0].write_text("static int f() { return 1; }\nint a = f();\n")
    files[1].write_text("static int f() { return 2; }\nint b = f();\nint* p = 0;\n")
    assert joined(files[:2]) == [files[:2]]
    messages = findings_of_joined(tmp_path, "both", files[:2], [], tmp_path)
    assert "b.cpp:3:10: error: use nullptr" in messages and ERROR not in messages


@pytest.mark.release
def test_clang_tidy_finds_nothing_in_headers(tmp_path: Path) -> None:
    paths = [path for room in ("engine", "analysis") for path in sorted((ROOT / room).rglob("*.hpp"))]
    headers = [path.relative_to(ROOT) for path in paths if "cuda" not in path.relative_to(ROOT).parts]
    messages = findings(unit(tmp_path, "headers", headers), options())
    assert headers and not messages, messages


@pytest.mark.release
def test_clang_tidy_finds_nothing_in_any_file(tmp_path: Path) -> None:
    files = sorted(Path(entry["file"]) for entry in host_commands())
    units = [
        files_of_unit
        for room in (ROOT / "analysis", ROOT / "engine")
        for files_of_unit in joined([file for file in files if room in file.parents])
    ]
    # Generated files differ in the member of the family: one that has all its code, of each layout.
    generated = BUILD / "engine" / "cpu"
    units += [[generated / f"make_{name}_64.cpp"] for name in ("samples_3d_random_bonds_random_sign", "sites_square")]
    names, flags = [f"unit{number}" for number in range(len(units))], options()
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = pool.map(
            lambda name, files_of_unit: findings_of_joined(tmp_path, name, files_of_unit, flags), names, units
        )
        messages = "".join(found)
    assert units and not messages, messages
