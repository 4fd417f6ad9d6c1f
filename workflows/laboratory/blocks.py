"""The parts of a page: text, tables, figures; the same for the report (HTML) and the published page (Markdown)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

REFERENCES = Path(__file__).parents[1] / "references"

Table = dict[str, Any]


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, a table or a figure; exactly one of them."""

    heading: str = ""
    text: str = ""
    table: Table | None = None
    figure: str = ""  # its name
    caption: str = ""


@dataclass
class Page:
    """The page of one paper."""

    seed: str
    title: str
    source: str
    lessons: list[str]
    blocks: list[Block] = field(default_factory=list)


def references() -> dict[str, Any]:
    """The numbers of the papers: workflows/references/laboratory.yaml."""
    return yaml.safe_load((REFERENCES / "laboratory.yaml").read_text(encoding="utf-8"))


def peer_speeds(model: str) -> list[dict[str, Any]]:
    """Speeds of other programs: workflows/references/speed.yaml."""
    rows = yaml.safe_load((REFERENCES / "speed.yaml").read_text(encoding="utf-8"))["rivals"]
    return [row for row in rows if row["model"] == model]


def number(value: float | None, digits: int = 3) -> str:
    """With this many digits; large numbers without a power of ten up to a million."""
    if value is None:
        return "–"
    if value >= 1e6:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa}·10^{int(power)}"
    if value >= 10 ** (digits - 1):
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:#.{digits}g}".rstrip(".")


def interval(value: float | list[float]) -> str:
    return f"{value[0]:g} to {value[1]:g}" if isinstance(value, list) else f"{value:g}"


def percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def table(caption: str, head: Iterable[str], rows: list[list[Any]], numbers: int = 0) -> Table:
    """The last `numbers` columns are numbers, set to the right."""
    head = list(head)
    return {"caption": caption, "head": head, "text": head[: len(head) - numbers] if numbers else head, "rows": rows}


def left_out(entries: list[dict[str, str]], seed: str) -> Table:
    """Entries of a page that this machine could not run, with their commands."""
    rows = [[entry["why"], entry["command"]] for entry in entries if entry["seed"] == seed]
    return table("Not measured on this machine:", ["reason", "command"], rows)
