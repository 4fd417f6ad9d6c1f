"""The description of the model in a section of the report, from its traits."""

from __future__ import annotations

from typing import Any

from workflows.models.section import Section
from workflows.study.presets import presets

LATTICES = {2: "Square lattice", 3: "Simple cubic lattice"}


def hamiltonian(section: Section, h: float | None) -> str:
    """One line of text, with the strength of the field as a number."""
    preset = presets()[section.model]
    bonds = "J_ij s_i s_j" if section.spin_glass else "s_i s_j"
    terms = [f"H = −Σ {bonds}"]
    if preset.field == "random_sign" or h:
        terms.append(f"{h:g} Σ {'h_i ' if preset.has_disorder else ''}s_i")
    where = ["J_ij = ±1 with equal probability"] if section.spin_glass else []
    where += ["h_i = ±1 with equal probability"] if preset.field == "random_sign" else []
    return ", ".join([" − ".join(terms), *where])


def described(parts: list[dict[str, Any]], section: Section) -> dict[str, Any]:
    """Heading, words about the model, start, and the names of the figures by their short names."""
    preset = presets()[section.model]
    return {
        "title": preset.title,
        "system": f"{LATTICES[preset.dimension]}, periodic boundaries, {hamiltonian(section, parts[0].get('h'))}",
        "start": " or ".join(dict.fromkeys(f"{part['start']} spins" for part in parts)),
        "overlaps": any("replicas" in part for part in parts),
        "figures": dict(zip(section.figures, section.figure_names)),
    }
