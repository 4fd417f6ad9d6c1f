"""The headline numbers of a study, each with the exact or published value: summary.json."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from workflows.identities import summary as identities
from workflows.line import summary as line
from workflows.models.registry import sections_by_part, sections_of
from workflows.models.section import Section
from workflows.statistics.headline import Headline, judge_together, warn_of_few_blocks
from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.study.sweep import source_of
from workflows.tables.study_tables import StudyTables


def summarize(tables: StudyTables) -> list[Headline]:
    """All numbers of all models and methods of the study. Comparisons of one model by one method are judged together."""
    families: dict[str, list[Headline]] = {}
    for section in sections_of(tables.study):
        numbers = section.summary().numbers(tables.of(section), section)
        for number in numbers:
            number.name = with_system(number.name, section)
        families.setdefault(section.family, []).extend(numbers)
    for family, numbers in exact_numbers(tables):
        families.setdefault(family, []).extend(numbers)
    for family, numbers in families.items():
        judge_together(family, numbers)
    found = [number for numbers in families.values() for number in numbers]
    warn_of_few_blocks(found)
    return found


def exact_numbers(tables: StudyTables) -> Iterator[tuple[str, list[Headline]]]:
    """Comparisons with exact results and crossings along Nishimori lines, in the family of their model and method."""
    sections = sections_by_part(tables.study)
    parts = {part["name"]: sections[part["name"]] for part in tables.study["parts"]}
    of_lines = {source_of(part): sections[part["name"]] for part in tables.study["parts"]}
    section_of_group = of_lines | parts
    names = {group: section.family for group, section in section_of_group.items()}
    for module, table in ((identities, tables.identities), (line, tables.line)):
        for group, numbers in module.numbers(table, names).items():
            yield names[group], numbers


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
