"""Links in Markdown pages to files and headings of the repository lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!`)\]\(([^)\s]+)\)")


def pages() -> list[Path]:
    rooms = ("analysis", "config", "docs", "engine", "results/published", "tests", "workflows")
    return sorted([*ROOT.glob("*.md"), *(path for room in rooms for path in (ROOT / room).rglob("*.md"))])


def anchors(page: str) -> set[str]:
    """The anchors that a forge gives to the headings of a page."""
    headings = re.findall(r"(?m)^#+ (.*)$", page)
    words = (re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).lower() for heading in headings)
    return {word.replace(" ", "-") for word in words}


def broken(path: Path, text: str) -> list[str]:
    """Links of a page to files that are not there, or to headings that the page behind them lacks."""
    found = []
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name) if name else path
        if not target.exists():
            found.append(link)
        elif anchor and target.suffix == ".md":
            other = text if target == path else target.read_text(encoding="utf-8")
            found += [] if anchor in anchors(other) else [link]
    return found


def test_links_of_pages_lead_to_files_and_headings() -> None:
    found = {str(path.relative_to(ROOT)): broken(path, path.read_text(encoding="utf-8")) for path in pages()}
    assert len(found) > 30
    assert not {page: links for page, links in found.items() if links}


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One heading: here\n")
    text = "# A [b](page.md)\n[x](none.md) [y](page.md#one-heading-here) [z](page.md#two) [w](https://a.b/c) [v](#a-b) [u](#c)"
    other = tmp_path / "other.md"
    other.write_text(text)
    assert broken(other, text) == ["none.md", "page.md#two", "#c"]
