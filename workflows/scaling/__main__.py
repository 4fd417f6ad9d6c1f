"""Figures of a folder with files of tests/mpi/scaling and psflip-lab, and their tables, which go to its README.md.

python -m workflows.scaling results/published/scaling
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from workflows.scaling.figures import draw_all
from workflows.scaling.rows import read
from workflows.scaling.tables import page
from workflows.study.error import StudyError, answered


def write(folder: Path) -> list[Path]:
    """The files that were written. Throws StudyError without measurements."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise StudyError(f"{folder}: no JSON file of tests/mpi/scaling or psflip-lab; name the folder that has them")
    measurements = read(paths)
    drawn = draw_all(measurements, folder)
    (folder / "README.md").write_text(page(measurements, drawn), encoding="utf-8")
    return [folder / "README.md", *(folder / f"{name}.svg" for name in drawn)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for path in write(parser.parse_args().folder):
        print(path)


if __name__ == "__main__":
    sys.exit(answered(main))
