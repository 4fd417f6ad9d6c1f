"""A study of the laboratory: runs of psflip-lab that this machine can do, and the files of the report.

Needs neither pandas nor the programs, as every check of a study file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workflows.laboratory.entries import Entry
from workflows.laboratory.measurements import read_measurement
from workflows.laboratory.pages import command_name, figures_of
from workflows.study.error import Mistake, StudyError, refusal
from workflows.study.plan import Plan


class Laboratory(Plan):
    """The content of a study of the laboratory, and the layout of results/<name>/."""

    programs = ("psflip-lab",)

    def __init__(self, content: dict[str, Any], results: str = "results") -> None:
        super().__init__(content, results)
        self.entries = {entry.stem: entry for entry in map(Entry.of, self.content["laboratory"])}
        self.measured: list[str] = self.content.get("measured", [])
        mistakes = []
        for index, file in enumerate(self.measured):
            try:
                read_measurement(Path(file))
            except StudyError as error:
                mistakes.append(f"measured[{index}] is {error}")
        if mistakes:
            raise refusal(map(Mistake.of, mistakes))

    @property
    def planned(self) -> dict[str, Entry]:
        """The entries that this machine can run."""
        return {stem: entry for stem, entry in self.entries.items() if not entry.missing}

    def file(self, stem: str) -> str:
        return f"{self.root}/laboratory/{stem}.json"

    @property
    def files(self) -> list[str]:
        """All that the report shows: from this machine, then from others."""
        return [self.file(stem) for stem in self.planned] + self.measured

    @property
    def figures(self) -> list[str]:
        """Names of the figures for which something is measured."""
        commands: dict[str, set[str]] = {}
        for entry in self.planned.values():
            commands.setdefault(entry.seed, set()).add(entry.command)
        for file in self.measured:
            measurement = read_measurement(Path(file))
            commands.setdefault(measurement.seed, set()).add(command_name(measurement))
        return figures_of(commands)

    @property
    def seeds(self) -> list[str]:
        """The pages of the report."""
        return sorted({entry.seed for entry in self.entries.values()} | {Path(file).name[:3] for file in self.measured})

    @property
    def left_out(self) -> list[dict[str, str]]:
        """Entries that this machine cannot run, for the report."""
        return [
            {"seed": entry.seed, "command": entry.line, "why": entry.missing}
            for entry in self.entries.values()
            if entry.missing
        ]
