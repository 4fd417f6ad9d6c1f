"""The properties of a method that the workflow uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Method:
    """A method, registered by its subpackage.

    `figures` are the names of the figures that the module `figures` of the subpackage draws for any model; none for a
    method whose models all have figures of their own.
    """

    name: str  # of the subpackage, of the word on the command line and of the definition in the schema
    job_keys: tuple[str, ...]  # options of a job, in the order of the command line, of those that the part has
    check_part: Callable[[str, dict[str, Any], int, int], None]  # (place, part, L, sweeps); raises StudyError
    figures: tuple[str, ...] = ()
    models: tuple[str, ...] | None = None  # that psflip simulates by it; None: all
    tempered: bool = False  # temperatures exchange, so one job has a full grid of them

    def takes(self, model: str) -> bool:
        return self.models is None or model in self.models
