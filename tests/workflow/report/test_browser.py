"""The report in Chromium, of a desk and of a phone, light and dark, with the rules of axe-core for readers with disabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import Workspace
from in_browser import VIEWS, new_page, serious_findings


@pytest.mark.slow
def test_the_report_is_readable_in_a_browser(browser: Any, finished: Workspace) -> None:
    report = finished.results() / "report.html"
    for width, colours in VIEWS:
        page, messages = new_page(browser, width, colours)
        page.goto(report.as_uri())
        view = f"{width} px, {colours}"
        assert messages == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{view}: the page scrolls sideways"
        assert page.locator("nav details").evaluate("box => box.open") == (width == 1280), view
        assert serious_findings(page) == [], view
        page.close()


@pytest.mark.slow
def test_a_figure_is_saved_from_the_page(browser: Any, finished: Workspace, tmp_path: Path) -> None:
    page, _ = new_page(browser, 1280, "light")
    page.goto((finished.results() / "report.html").as_uri())
    starts = {"SVG": b"<svg", "PNG": b"\x89PNG", "CSV": b"panel,x_axis,y_axis,series,x,x_error,y,y_error\n"}
    for kind, start in starts.items():
        with page.expect_download() as waiting:
            page.locator("figure .get").first.get_by_text(kind).click()
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        assert saved.suffix == f".{kind.lower()}" and saved.read_bytes().startswith(start)
        assert saved.stat().st_size > 1000
