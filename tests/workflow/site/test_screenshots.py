"""The command that takes pictures of the site and of a report: which input it refuses, and which files it writes."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import screenshots
from conftest import BUILD
from in_browser import BrowserMissing, chromium

PAGE = "<!DOCTYPE html><title>t</title><meta name='color-scheme' content='light dark'><h1>A page</h1>"


@pytest.fixture
def made_up(tmp_path: Path) -> list[str]:
    """The arguments SITE, REPORT and OUTPUT, with pages of one heading."""
    for path in screenshots.PAGES.values():
        (tmp_path / "site" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / path).write_text(PAGE)
    (tmp_path / "report.html").write_text(f"{PAGE}<figure>A figure</figure>")
    return [str(tmp_path / name) for name in ("site", "report.html", "pictures")]


def test_missing_pages_and_programs_are_refused(
    made_up: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site, report, output = made_up
    assert screenshots.main([output, report, output]) == 2
    assert "has no index.html; ./study docs builds the site" in capsys.readouterr().err
    assert screenshots.main([site, site, output]) == 2
    assert f"{site}: is no file; ./study run prints the path of a report" in capsys.readouterr().err
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert screenshots.main(made_up) == 2
    assert "install the Debian package poppler-utils" in capsys.readouterr().err
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert screenshots.main(made_up) == 2
    assert "Playwright is not installed" in capsys.readouterr().err
    assert not Path(output).exists()


def test_pictures_that_are_too_large_are_not_written(
    made_up: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def no_browser(build: Path) -> Iterator[None]:
        yield

    made = [("one", bytes(600_000)), ("two", bytes(400_001))]
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(screenshots, "chromium", no_browser)
    monkeypatch.setattr(screenshots, "pictures", lambda browser, site, report: iter(made))
    assert screenshots.main(made_up) == 2
    assert "2 pictures have 1000001 bytes, more than 1000000" in capsys.readouterr().err
    assert not Path(made_up[2]).exists()
    made.pop()
    assert screenshots.main(made_up) == 0
    assert [path.name for path in Path(made_up[2]).iterdir()] == ["one.png"]


def test_the_palette_of_a_picture_keeps_its_frequent_colours() -> None:
    picture = Image.linear_gradient("L").resize((400, 300)).convert("RGB")
    picture.paste((19, 20, 22), (0, 0, 300, 300))
    picture.paste((255, 255, 255), (0, 100, 300, 300))
    picture.paste((10, 160, 90), (350, 0, 400, 300))
    small = Image.open(io.BytesIO(screenshots.as_png(picture)))
    assert small.mode == "P" and small.size == (400, 300)
    found = [small.convert("RGB").getpixel(place) for place in ((5, 9), (5, 109), (360, 9))]
    assert found == [(19, 20, 22), (255, 255, 255), (10, 160, 90)]


@pytest.mark.release
def test_pictures_of_all_screens_and_of_paper_are_written(
    made_up: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        with chromium(BUILD):
            pass
    except BrowserMissing as reason:
        pytest.skip(str(reason))
    if not shutil.which("pdftoppm"):
        pytest.skip("pdftoppm is not installed (workflows/environment/packages-browser.txt)")
    assert screenshots.main(made_up) == 0, capsys.readouterr().err
    sizes: dict[str, Any] = {path.stem: Image.open(path).size for path in Path(made_up[2]).iterdir()}
    names = [*screenshots.PAGES, "report", "report-figure"]
    assert {name: size for name, size in sizes.items() if "print" not in name} == {
        f"{name}-{width}-{colours}": (width, 900)
        for name in names
        for width in (1280, 390)
        for colours in ("light", "dark")
    }
    assert {name for name in sizes if "print" in name} == {"report-print-1"}
    dark = Image.open(Path(made_up[2]) / "front-390-dark.png").convert("L").getpixel((380, 890))
    assert dark < 40
