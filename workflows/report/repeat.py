"""The command that repeats a study, from the root of the repository."""

from __future__ import annotations

import os
from pathlib import Path

END = "END_OF_STUDY"


def repeat_command(file: str, name: str, root: Path) -> str:
    """./study run FILE; a file outside the repository, which another reader does not have, is written first."""
    path = Path(os.path.relpath(os.path.realpath(file), os.path.realpath(root)))
    if ".." not in path.parts:
        return f"./study run {path}"
    text = Path(file).read_text(encoding="utf-8").rstrip("\n")
    return f"cat > results/{name}.yaml <<'{END}'\n{text}\n{END}\n./study run results/{name}.yaml"
