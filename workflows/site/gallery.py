"""The gallery: every published study with its figures."""

from __future__ import annotations

import re
from pathlib import Path


def gallery(root: Path) -> str:
    parts = [
        "# Published studies\n\nThe name of a study leads to its page, with all numbers and the commands that made them. A figure"
        " leads to its file (SVG).\n"
    ]
    for folder in sorted(path for path in (root / "results" / "published").iterdir() if path.is_dir()):
        figures = sorted(folder.glob("*.svg"))
        readme = folder / "README.md"
        if figures or readme.is_file():
            parts.append(_entry(root, folder, readme, figures))
    return "\n".join(parts)


def _entry(root: Path, folder: Path, readme: Path, figures: list[Path]) -> str:
    place = folder.relative_to(root)
    text = f"## {folder.name}\n\n"
    if readme.is_file():
        title = re.search(r"(?m)^# (.*)$", readme.read_text(encoding="utf-8"))
        text += f"[{title[1] if title else folder.name}]({place}/README.md)\n\n"
    shown = [
        f"[![{figure.stem} of study {folder.name}]({place}/{figure.name})]({place}/{figure.name})" for figure in figures
    ]
    return text + ("::::{container} gallery\n" + "\n".join(shown) + "\n::::\n" if shown else "")
