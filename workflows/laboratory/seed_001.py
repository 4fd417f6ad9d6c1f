"""The page of paper 001 (Weigel 2012): its sections, each a module with FIGURES, lessons() and blocks()."""

from __future__ import annotations

from types import ModuleType

from workflows.laboratory.blocks import Block
from workflows.laboratory.measurements import Measurement
from workflows.laboratory.sections import glass2d, heisenberg, multi_hit, tempering

# In the order of the page.
SECTIONS: list[ModuleType] = [multi_hit, heisenberg, glass2d, tempering]

FIGURES = {command: names for section in SECTIONS for command, names in section.FIGURES.items()}


def lessons(measurements: list[Measurement]) -> list[str]:
    return [lesson for section in SECTIONS for lesson in section.lessons(measurements)]


def blocks(measurements: list[Measurement]) -> list[Block]:
    return [block for section in SECTIONS for block in section.blocks(measurements)]
