"""The identity of results in addition to their inputs: source files and the version of the random numbers."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from workflows.study.error import StudyError


def fingerprint(*patterns: str, root: str | Path = ".") -> str:
    """A short hash of the files that match: what a rule's result depends on in addition to its inputs."""
    digest = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(Path(root).glob(pattern)):
            if path.is_file():
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def stream_version(root: str | Path = ".") -> str:
    """Version of the randomness contract, as the engine's source states it."""
    header = Path(root) / "engine" / "core" / "version.hpp"
    found = re.search(r"stream_version\s*=\s*(\d+)", header.read_text(encoding="utf-8"))
    if not found:
        raise StudyError(f"{header}: no stream_version; restore the line `inline constexpr int stream_version = N;`")
    return found.group(1)
