"""Tables in Markdown."""

from __future__ import annotations

import re


def cell(text: str) -> str:
    """Text in a cell: signs that Markdown would read are shown, except marks of code."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\<*_\[$~])", r"\\\1", parts[i])
    return "".join(parts).replace("|", "\\|")


def code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|") if text else ""


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def header(*cells: str) -> list[str]:
    return [row(*cells), "|---" * len(cells) + "|"]
