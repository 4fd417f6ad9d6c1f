"""The report of a study of the laboratory: a page for each paper, from files of psflip-lab."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from workflows.laboratory.blocks import left_out, table
from workflows.laboratory.measurements import read_measurement
from workflows.laboratory.pages import ORIGIN, origin, page_of
from workflows.report.page import Figures, citation, render_page
from workflows.study.error import answered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="files of psflip-lab, SEED_WORDS.json")
    parser.add_argument("--figures", nargs="*", default=[], type=Path)
    parser.add_argument("--seeds", nargs="+", required=True, help="the pages, in their order")
    parser.add_argument("--left-out", default="[]", help="entries that this machine cannot run, as JSON")
    for name in ("title", "command"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--output", required=True, type=Path, help="page (HTML)")
    arguments = parser.parse_args()
    measurements = [read_measurement(path) for path in arguments.files]
    drawn = {path.stem for path in arguments.figures}
    entries = json.loads(arguments.left_out)
    page = render_page(
        "laboratory/report.html.j2",
        title=arguments.title,
        pages=[page_of(seed, measurements, drawn) for seed in arguments.seeds],
        left_out={seed: left_out(entries, seed) for seed in arguments.seeds},
        figure=Figures(arguments.figures),
        origin=table("Files of psflip-lab.", ORIGIN, origin(measurements)),
        command=arguments.command,
        citation=citation(),
    )
    arguments.output.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(answered(main))
