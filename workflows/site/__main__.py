"""Builds the site: python -m workflows.site [FOLDER], by default build/site. Warnings of Sphinx are errors."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from workflows.site.pages import ROOT, write_sources


def build(folder: Path) -> int:
    """The exit code of Sphinx. A folder next to it keeps the copy of the pages and what Sphinx remembers."""
    work = folder.parent / f"{folder.name}-sources"
    sources = work / "pages"
    shutil.rmtree(sources, ignore_errors=True)
    write_sources(sources)
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-b",
        "html",
        "-q",
        "-W",
        "--keep-going",
        "-c",
        str(sources / "docs" / "site"),
    ]
    return subprocess.run([*command, "-d", str(work / "trees"), str(sources), str(folder)], check=False).returncode


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"))
