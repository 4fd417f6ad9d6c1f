"""The published page of a study of the laboratory, from the files of psflip-lab in its folder."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from workflows.laboratory.blocks import Block, Page, Table
from workflows.laboratory.measurements import read_measurement
from workflows.laboratory.pages import MODULES, ORIGIN, origin, page_of
from workflows.report.markdown import lines

FILE = re.compile(r"[0-9]{3}_[a-z0-9_]+\.json")
BEGINNING = """# Algorithms of other papers next to psflip

Written by `workflows/scripts/publish.py` from files of `psflip-lab` ([docs/seeds.md](../../../docs/seeds.md)), which
`./study run config/seeds.yaml` makes. Times are in ps/flip: picoseconds for a spin that is tried. The speed-up is over a
plain scalar serial update on one CPU thread of the same machine.
"""


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.json") if FILE.fullmatch(path.name))


def is_of(folder: Path) -> bool:
    """Whether a folder of results/published/ is of a study of the laboratory."""
    return bool(files_in(folder))


def copy(results: Path, target: Path) -> None:
    """The files and figures of a study that has run. Files of other machines that are there already stay."""
    target.mkdir(parents=True, exist_ok=True)
    for path in [*files_in(results / "laboratory"), *sorted((results / "plots").glob("*.svg"))]:
        shutil.copy(path, target / path.name)


def in_markdown(table: Table) -> str:
    head = table["head"]
    marks = ["---" if name in table["text"] else "---:" for name in head]
    rows = [[str(cell).replace("|", r"\|") for cell in row] for row in table["rows"]]
    return f"{table['caption']}\n\n{lines([head, marks, *rows])}\n"


def of_block(block: Block) -> str:
    if block.heading:
        return f"### {block.heading}\n"
    if block.figure:
        return f"![{block.figure}]({block.figure}.svg)\n\n{block.caption}\n"
    return in_markdown(block.table) if block.table else f"{block.text}\n"


def of_page(page: Page) -> str:
    lessons = "".join(f"- {lesson}\n" for lesson in page.lessons)
    title = f"## {page.seed}: {page.title}\n\n{page.source}.\n"
    return "\n".join([title, *([lessons] if lessons else []), *map(of_block, page.blocks)])


def page(folder: Path) -> str:
    """The text of README.md. StudyError if a file is none of psflip-lab."""
    measurements = [read_measurement(path) for path in files_in(folder)]
    drawn = {path.stem for path in folder.glob("*.svg")}
    seeds = [seed for seed in MODULES if any(one.seed == seed for one in measurements)]
    parts = [of_page(page_of(seed, measurements, drawn)) for seed in seeds]
    table = {"caption": "Where the numbers come from.", "head": ORIGIN, "text": ORIGIN, "rows": origin(measurements)}
    return "\n".join([BEGINNING, *parts, "## Files\n", in_markdown(table)])
