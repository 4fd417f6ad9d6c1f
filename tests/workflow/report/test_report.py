"""The report as a reader gets it."""

from __future__ import annotations

import html.parser
import re

from conftest import Workspace


class Page(html.parser.HTMLParser):
    """Collects the tags and everything that a browser would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]


def test_the_report_is_one_file_that_opens_offline(finished: Workspace) -> None:
    text = (finished.results() / "report.html").read_text()
    page = Page()
    page.feed(text)
    assert [load for load in page.loads if not load.startswith(("#", "data:"))] == []
    assert not re.search(r"url\((?!#)|@import", text)
    assert page.tags.count("svg") == 15 and page.tags.count("script") == 0
    identifiers = re.findall(r'\bid="([^"]+)"', text)
    assert len(identifiers) == len(set(identifiers)), "figures share ids and would borrow each other's marks"
    headings = ("How to cite", "Provenance", "Design effect", "Equilibration", "Temperature slots")
    for expected in (*headings, "git checkout", "3200 (64 samples 4 times as many)"):
        assert expected in text


def test_the_report_names_no_path_of_the_machine(finished: Workspace) -> None:
    text = (finished.results() / "report.html").read_text()
    assert str(finished.folder.parent) not in text
    assert "./study run config/smoke.yaml" in text
