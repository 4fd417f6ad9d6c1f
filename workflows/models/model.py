"""The interface that each model offers to the workflow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Model:
    """A model, registered by its subpackage.

    `figures` are the names of its figures without the name of the model; the module `figures` of the subpackage draws
    them. The module `summary` has `numbers(tables: StudyTables) -> list[Headline]`, the module `report` has
    `content(tables: StudyTables) -> dict[str, Any]`, which report.html.j2 of the subpackage shows as `part`.
    """

    name: str  # of the subpackage and of the engine command
    family: str  # comparisons with exact or published values that are judged together
    job_keys: tuple[str, ...]  # options of a job, in the order of the command line
    figures: tuple[str, ...]
    check_part: Callable[[str, dict[str, Any], int, int], None]  # (place, part, L, sweeps); raises StudyError
    tempered: bool = False  # temperatures exchange, so one job has a whole grid of them

    # Both modules are imported when needed, because they need pandas and a study file is checked without.

    def summary(self) -> ModuleType:
        return import_module(f"workflows.models.{self.name}.summary")

    def report(self) -> ModuleType:
        return import_module(f"workflows.models.{self.name}.report")
