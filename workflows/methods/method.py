"""The properties of a method that the workflow uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from workflows.study.error import Mistake

# A check of a part at (place, part) that a schema cannot express.
Check = Callable[[str, dict[str, Any]], Iterator[Mistake]]


@dataclass(frozen=True)
class Method:
    """A method, registered by its subpackage.

    `figures` are the names of the figures that the module `figures` of the subpackage draws for any model.
    """

    name: str  # of the subpackage, of the word on the command line and of the definition in the schema
    job_keys: tuple[str, ...]  # options of a job, in the order of the command line, of those that the part has
    checks: tuple[Check, ...]
    figures: tuple[str, ...]
    tempered: bool = False  # temperatures exchange, so one job has a full grid of them
