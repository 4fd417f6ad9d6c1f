"""The headline numbers of a study, each with the exact or published value: summary.json."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from workflows.models.registry import sections_of
from workflows.models.section import Section
from workflows.statistics.headline import Headline, judge_together, warn_of_few_blocks
from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.tables.study_tables import StudyTables


def summarize(tables: StudyTables) -> list[Headline]:
    """All numbers of all models and methods of the study. Comparisons of one model by one method are judged together."""
    families: dict[str, list[Headline]] = {}
    for section in sections_of(tables.study):
        numbers = section.summary().numbers(tables.of(section), section)
        for number in numbers:
            number.name = with_system(number.name, section)
        families.setdefault(section.family, []).extend(numbers)
    for family, numbers in families.items():
        judge_together(family, numbers)
    found = [number for numbers in families.values() for number in numbers]
    warn_of_few_blocks(found)
    return found


def with_system(name: str, section: Section) -> str:
    """The name of a number, `MODEL: QUANTITY`, with the system behind the model unless it is there."""
    model, separator, quantity = name.partition(": ")
    return ", ".join([model, *(word for word in section.words if word not in model)]) + separator + quantity


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "output"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    StudyTables.add_options(parser)
    arguments = parser.parse_args()
    tables = StudyTables.read(read_record(arguments.study), arguments)
    text = json.dumps([asdict(number) for number in summarize(tables)], indent=2, ensure_ascii=False)
    arguments.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(answered(main))
