"""Functions common to studies of simulations, of benchmarks and of the laboratory."""

from __future__ import annotations

from typing import Any

from workflows.study.validation import check


class Plan:
    """The checked content of a study file, its name and the folder of its results."""

    programs: tuple[str, ...] = ()  # besides psflip and psflip-analysis

    def __init__(self, content: dict[str, Any], results: str) -> None:
        self.content = check(content)
        self.name: str = self.content["name"]
        self.title: str = self.content["title"]
        self.root = f"{results}/{self.name}"
