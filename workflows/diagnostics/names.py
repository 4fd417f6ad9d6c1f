"""The figures that every section of exchange Monte Carlo has besides its own, by name."""

from __future__ import annotations

from collections.abc import Iterable

from workflows.models.section import Section

SPECIFIC_HEAT, EQUILIBRATION, SAMPLE_TIMES = "specific_heat", "equilibration", "sample_times"
NAMES = (SPECIFIC_HEAT, EQUILIBRATION, SAMPLE_TIMES)
METHOD = "tempering"


def figure_name(section: Section, name: str) -> str:
    return f"{section.prefix}{section.suffix}_{name}"


def shown(section: Section, figures: Iterable[str]) -> dict[str, str]:
    """Those of `figures` that are of the section, by their short names. A study without its measurement files has no times of
    samples."""
    if section.method != METHOD:
        return {}
    there = set(figures)
    names = {name: figure_name(section, name) for name in NAMES}
    return {name: figure for name, figure in names.items() if figure in there}
