"""Pages in Chromium of the system, which Playwright opens, and the rules of axe-core for readers with disabilities."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# The screens of a desk and of a phone: width in pixels, and colours.
VIEWS = [(width, colours) for width in (1280, 390) for colours in ("light", "dark")]
LONGEST_WAIT = 120_000  # milliseconds, for a machine that also runs other tests


class BrowserMissing(Exception):
    """Says what is not installed and how to install it."""


@contextmanager
def chromium(build: Path) -> Iterator[Any]:
    """Chromium under Playwright, which ./study test --all installs."""
    sys.path.insert(0, str(build / "browser"))
    try:
        playwright = importlib.import_module("playwright.sync_api")
    except ImportError as error:
        message = "Playwright is not installed (workflows/environment/browser.txt); ./study test --all installs it"
        raise BrowserMissing(message) from error
    program = shutil.which("chromium")
    if not program:
        raise BrowserMissing("Chromium is not installed (workflows/environment/packages-browser.txt)")
    # Chromium refuses to run as root in its sandbox. The pages are files that the test made.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=program, args=options, timeout=LONGEST_WAIT)
        yield opened
        opened.close()


def new_page(browser: Any, width: int, colours: str) -> tuple[Any, list[str]]:
    """An empty page, and the messages of its console with the address of the page that wrote them."""
    page, messages = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=colours), []
    page.set_default_timeout(LONGEST_WAIT)
    page.on("console", lambda message: messages.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: messages.append(f"{page.url}: {error}"))
    return page, messages


def serious_findings(page: Any) -> list[str]:
    """Rules of axe-core that the page breaks, each with the first place."""
    axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]
