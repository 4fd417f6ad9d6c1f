#!/usr/bin/env python3
"""Takes pictures of the site and of a report in Chromium: desk and phone, light and dark, and the printed report.

    python tests/workflow/screenshots.py SITE REPORT OUTPUT

SITE is the directory that ./study docs made, REPORT a report.html. OUTPUT gets PNG files of one screen each, of at most
1 MB together. Needs Chromium and Playwright (./study test --all installs them) and pdftoppm (poppler-utils).
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from in_browser import VIEWS, BrowserMissing, chromium, new_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"front": "index.html", "tutorial": "docs/tutorial/2_first_study.html", "reference": "reference/keys.html"}
MOST_BYTES = 1_000_000  # all pictures together
PRINTED_PAGES = 3
COLOURS = 48  # the most frequent ones of a picture; its palette also has as many of the others


def as_png(picture: Image.Image) -> bytes:
    """With a palette: a fifth of the bytes of a screenshot, and letters stay sharp."""
    kept, full = io.BytesIO(), picture.convert("RGB")
    pixels = np.asarray(full).reshape(-1, 3)
    colours, place, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    frequent = colours[np.argsort(-counts, kind="stable")[:COLOURS]]
    others = full.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).getpalette()[: 3 * COLOURS]
    palette = np.concatenate([frequent, np.reshape(others, (-1, 3)).astype(np.uint8)])
    # Not by Pillow, which takes near colours for the same: white would become a light grey.
    nearest = np.argmin(np.square(colours[:, None].astype(int) - palette.astype(int)).sum(axis=2), axis=1)
    small = Image.fromarray(nearest.astype(np.uint8)[place.reshape(full.height, full.width)], "P")
    small.putpalette(palette.tobytes())
    small.save(kept, "PNG", optimize=True)
    return kept.getvalue()


def on_screens(browser: Any, address: str, starts: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """The page on every screen; `starts` has the element at the top of each picture, by the name of the picture."""
    for width, colours in VIEWS:
        page, _ = new_page(browser, width, colours)
        page.goto(address)
        for name, start in starts.items():
            page.locator(start).first.evaluate("element => element.scrollIntoView()")
            yield f"{name}-{width}-{colours}", as_png(Image.open(io.BytesIO(page.screenshot())))
        page.close()


def on_paper(browser: Any, name: str, address: str) -> Iterator[tuple[str, bytes]]:
    """The first printed pages, A4, at 80 dots per inch."""
    with tempfile.TemporaryDirectory() as folder:
        page, _ = new_page(browser, 1280, "light")
        page.goto(address)
        pdf = Path(folder) / "report.pdf"
        page.pdf(path=pdf, format="A4", prefer_css_page_size=True)
        page.close()
        drawn = ["pdftoppm", "-r", "80", "-l", str(PRINTED_PAGES), "-png", str(pdf), str(Path(folder) / "page")]
        subprocess.run(drawn, check=True)
        for number, path in enumerate(sorted(Path(folder).glob("page-*.png")), 1):
            yield f"{name}-print-{number}", as_png(Image.open(path))


def pictures(browser: Any, site: Path, report: Path) -> Iterator[tuple[str, bytes]]:
    for name, path in PAGES.items():
        yield from on_screens(browser, (site / path).as_uri(), {name: "body"})
    yield from on_screens(browser, report.as_uri(), {"report": "body", "report-figure": "figure"})
    yield from on_paper(browser, "report", report.as_uri())


def refusal(site: Path, report: Path) -> str:
    """Why no picture can be taken, or nothing."""
    missing = [name for name in PAGES.values() if not (site / name).is_file()]
    if missing:
        return f"{site}: has no {missing[0]}; ./study docs builds the site into build/site"
    if not report.is_file():
        return f"{report}: is no file; ./study run prints the path of a report"
    if not shutil.which("pdftoppm"):
        return "pdftoppm is not installed; install the Debian package poppler-utils"
    return ""


def take(site: Path, report: Path, output: Path, build: Path) -> str:
    """Writes the pictures; what went wrong, or nothing. No picture is written if they are too large."""
    wrong = refusal(site, report)
    if wrong:
        return wrong
    try:
        with chromium(build) as browser:
            made = dict(pictures(browser, site.resolve(), report.resolve()))
    except BrowserMissing as reason:
        return str(reason)
    total = sum(map(len, made.values()))
    if total > MOST_BYTES:
        return f"{len(made)} pictures have {total} bytes, more than {MOST_BYTES}; lower COLOURS in screenshots.py"
    output.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (output / f"{name}.png").write_bytes(content)
    print(f"{output}: {len(made)} pictures, {total} bytes")
    return ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path, metavar="SITE")
    parser.add_argument("report", type=Path, metavar="REPORT")
    parser.add_argument("output", type=Path, metavar="OUTPUT")
    paths = parser.parse_args(arguments)
    wrong = take(paths.site, paths.report, paths.output, Path(os.environ.get("PSFLIP_BUILD", ROOT / "build")))
    if wrong:
        print(f"screenshots: {wrong}", file=sys.stderr)
    return 2 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
