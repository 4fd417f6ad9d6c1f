"""The identity of results in addition to their inputs: source files and the version of the random numbers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from workflows.study.error import StudyError
from workflows.study.module_sources import module_sources

INCLUDE = re.compile(r'^#include "(analysis/[^"]+)"', re.MULTILINE)


def module_fingerprint(module: str, *more: str, root: str | Path = ".") -> str:
    """A short hash of the sources of a module that a rule runs: what its result depends on in addition to its inputs.
    `more`: patterns of files that it does not import or name (module_sources.py)."""
    return _hash(module_sources(module, *more, root=root), Path(root))


def analysis_fingerprint(command: str, root: str | Path = ".") -> str:
    """A short hash of the sources of a command of psflip-analysis."""
    return _hash(analysis_sources(command, root), Path(root))


def laboratory_fingerprint(root: str | Path = ".") -> str:
    """A short hash of the sources of psflip-lab: its timings are repeated when they change."""
    folder = Path(root) / "engine" / "laboratory"
    sources = [path for path in folder.rglob("*") if path.suffix in (".cpp", ".hpp", ".cu", ".cuh")]
    return _hash((path.relative_to(root).as_posix() for path in sources), Path(root))


def _hash(names: Iterable[str], root: Path) -> str:
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(name.encode() + b"\0" + (root / name).read_bytes())
    return digest.hexdigest()[:12]


def analysis_sources(command: str, root: str | Path = ".") -> set[str]:
    """The files of analysis/ from which a command of psflip-analysis is made, found by following includes.

    A header stands for the source file of its name, and for those of its folder that include it and have no header of their own.
    Sources of the engine are left out: what analysis reads from there is defined by the file format.
    """
    texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
             for path in sorted(Path(root).glob("analysis/**/*.[hc]pp"))}  # fmt: skip
    first = f"analysis/app/{command}_command.cpp"
    if first not in texts:
        raise StudyError(f"{first}: there is no such file; restore the source of psflip-analysis {command}")
    includes = {name: {other for other in INCLUDE.findall(text) if other in texts} for name, text in texts.items()}
    implements: dict[str, set[str]] = {}
    for name in texts:
        header, folder = name.removesuffix(".cpp") + ".hpp", name.rpartition("/")[0]
        if header in texts:
            implements.setdefault(header, set()).add(name)
        elif name.endswith(".cpp") and folder != "analysis/app":  # there these are main and the commands
            for other in includes[name]:
                if other.rpartition("/")[0] == folder:
                    implements.setdefault(other, set()).add(name)
    found, left = set[str](), {first}
    while left:
        name = left.pop()
        found.add(name)
        left |= (includes[name] | implements.get(name, set())) - found
    return found


def stream_version(root: str | Path = ".") -> str:
    """Version of the randomness contract, as the engine's source states it."""
    header = Path(root) / "engine" / "core" / "version.hpp"
    found = re.search(r"stream_version\s*=\s*(\d+)", header.read_text(encoding="utf-8"))
    if not found:
        raise StudyError(f"{header}: no stream_version; restore the line `inline constexpr int stream_version = N;`")
    return found.group(1)
