"""Takes the headline numbers of a finished study into the repository: results/published/, and the table of the README.

publish.py results/demo           copies summary and figures, writes the table
publish.py --check                fails when the README does not show what results/published/ holds
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from notation import signed, with_error

README = Path("README.md")
BEGIN, END = "<!-- results: written by workflows/scripts/publish.py -->", "<!-- end of results -->"
FIGURES = ["ising2d_specific_heat", "ea3d_binder_of_xi"]
PUBLISHED = Path("results/published")


def row(number: dict) -> str:
    exact = number["reference"] is not None and not number["reference_error"]
    reference = with_error(number["reference"], number["reference_error"])
    if exact:
        reference = f"{number['reference']:.7g}".replace("-", "−")
    value = with_error(number["value"], number["error"]) if number["error"] else f"{number['value']:.2g}"
    cells = [number["name"], value, reference, signed(number["pull"]), number["verdict"] or "", number["source"] or ""]
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def table(summary: Path) -> str:
    head = "| quantity | psflip | reference | deviation / error | verdict | source |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(row(number) for number in json.loads(summary.read_text(encoding="utf-8")))


def with_table(text: str, content: str) -> str:
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{content}\n{END}{rest.split(END)[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.results:
        PUBLISHED.mkdir(parents=True, exist_ok=True)
        shutil.copy(arguments.results / "summary.json", PUBLISHED / "demo.json")
        for name in FIGURES:
            shutil.copy(arguments.results / "plots" / f"{name}.svg", Path("docs") / f"{name}.svg")
    text = README.read_text(encoding="utf-8")
    wanted = with_table(text, table(PUBLISHED / "demo.json"))
    if arguments.check:
        return int(text != wanted)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
