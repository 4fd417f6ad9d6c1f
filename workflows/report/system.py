"""The description of the model in a section of the report, from its traits."""

from __future__ import annotations

from typing import Any

from workflows.models.section import Section
from workflows.study.presets import in_field, presets

LATTICES = {2: "Square lattice", 3: "Simple cubic lattice"}


def hamiltonian(part: dict[str, Any]) -> str:
    """One line of text, with the strength of the field and the fraction of bonds as numbers."""
    preset, h, p = presets()[part["model"]], part.get("h"), part.get("p", 0.5)
    has_bonds = preset.has_random_bonds and part.get("couplings") != "ferromagnet"
    terms = ["H = −Σ J_ij s_i s_j" if has_bonds else "H = −Σ s_i s_j"]
    if in_field(part):
        terms.append(f"{h:g} Σ {'h_i ' if preset.has_disorder else ''}s_i")
    where = []
    if has_bonds:
        where.append("J_ij = ±1 with equal probability" if p == 0.5 else f"J_ij = −1 with probability {p:g}, else +1")
    if preset.field == "random_sign":
        where.append("h_i = ±1 with equal probability")
    return ", ".join([" − ".join(terms), *where])


def described(parts: list[dict[str, Any]], section: Section) -> dict[str, Any]:
    """Heading, words about the model and start."""
    preset = presets()[section.model]
    return {
        "title": preset.title,
        "system": f"{LATTICES[preset.dimension]}, periodic boundaries, {hamiltonian(parts[0])}",
        "start": " or ".join(dict.fromkeys(f"{part['start']} spins" for part in parts)),
        "overlaps": any("replicas" in part for part in parts),
    }
