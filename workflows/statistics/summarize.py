"""The headline numbers of a study, each beside the exact or published value: summary.json."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from workflows.models.registry import MODELS
from workflows.statistics.headline import Headline, judge_together, warn_of_few_blocks
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select


def summarize(tables: StudyTables) -> list[Headline]:
    """All numbers of all models of the study. Comparisons of one model are judged together."""
    found = []
    for name, model in MODELS.items():
        if len(select(tables.observables, model=name)):
            numbers = model.summary().numbers(tables)
            judge_together(model.family, numbers)
            found += numbers
    warn_of_few_blocks(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "output"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    StudyTables.add_options(parser)
    arguments = parser.parse_args()
    tables = StudyTables.read(json.loads(arguments.study.read_text(encoding="utf-8")), arguments)
    text = json.dumps([asdict(number) for number in summarize(tables)], indent=2, ensure_ascii=False)
    arguments.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
