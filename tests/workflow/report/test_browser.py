"""The report in Chromium, of a desk and of a phone, light and dark, with the rules of axe-core for readers with disabilities."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import BUILD, Workspace

LONGEST_WAIT = 120_000  # milliseconds, for a machine that also runs other tests
VIEWS = [(width, colours) for width in (1280, 390) for colours in ("light", "dark")]


@pytest.fixture
def browser() -> Iterator[Any]:
    """Chromium of the system under Playwright, which ./study test --all installs."""
    sys.path.insert(0, str(BUILD / "browser"))
    try:
        playwright = importlib.import_module("playwright.sync_api")
    except ImportError:
        pytest.skip("Playwright is not installed (workflows/environment/browser.txt); ./study test --all installs it")
    program = shutil.which("chromium")
    if not program:
        pytest.skip("Chromium is not installed (workflows/environment/packages-browser.txt)")
    # Chromium refuses to run as root in its sandbox. The page is a file that the test made.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=program, args=options, timeout=LONGEST_WAIT)
        yield opened
        opened.close()


def open_page(browser: Any, report: Path, width: int, colours: str) -> tuple[Any, list[str]]:
    """The page, and the messages of its console."""
    page, messages = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=colours), []
    page.set_default_timeout(LONGEST_WAIT)
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(report.as_uri())
    return page, messages


@pytest.mark.slow
def test_the_report_is_readable_in_a_browser(browser: Any, finished: Workspace) -> None:
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    report = finished.results() / "report.html"
    for width, colours in VIEWS:
        page, messages = open_page(browser, report, width, colours)
        view = f"{width} px, {colours}"
        assert messages == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{view}: the page scrolls sideways"
        assert page.locator("nav details").evaluate("box => box.open") == (width == 1280), view
        found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
        assert found == [], f"{view}: {[(one['id'], one['nodes'][0]['html'][:200]) for one in found]}"
        page.close()


@pytest.mark.slow
def test_a_figure_is_saved_from_the_page(browser: Any, finished: Workspace, tmp_path: Path) -> None:
    page, _ = open_page(browser, finished.results() / "report.html", 1280, "light")
    starts = {"SVG": b"<svg", "PNG": b"\x89PNG", "CSV": b"panel,x_axis,y_axis,series,x,x_error,y,y_error\n"}
    for kind, start in starts.items():
        with page.expect_download() as waiting:
            page.locator("figure .get").first.get_by_text(kind).click()
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        assert saved.suffix == f".{kind.lower()}" and saved.read_bytes().startswith(start)
        assert saved.stat().st_size > 1000
