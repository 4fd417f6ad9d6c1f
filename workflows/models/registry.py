"""Which subpackage shows a model that was simulated by a method.

Most models need no line here: the subpackages of `methods` show any model. A model whose studies are compared with exact
and published values has a subpackage of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workflows.methods.registry import method_of
from workflows.models import ea3d, ising2d, rfim3d
from workflows.models.section import Section
from workflows.study.presets import in_field, presets, system_of

OWN = {(section.model, section.method): section for section in (ising2d.SECTION, ea3d.SECTION, rfim3d.SECTION)}

# Subpackages whose module `exact` has `torus(L, T)`, the energy and specific heat of a finite lattice without a field.
EXACT = {"ising2d": "models.ising2d.exact"}


def is_spin_glass(part: dict[str, Any]) -> bool:
    """J = +1 or -1 with equal probability, for which some results are exact."""
    preset = presets()[part["model"]]
    is_symmetric = part.get("couplings") != "ferromagnet" and part.get("p", 0.5) == 0.5
    return preset.has_random_bonds and not preset.has_field and is_symmetric


def is_published(part: dict[str, Any]) -> bool:
    """Whether published critical temperatures of the model are for the bonds and the field of the part."""
    return not in_field(part) and (is_spin_glass(part) or not presets()[part["model"]].has_random_bonds)


def section_of(part: dict[str, Any]) -> Section:
    """The model's own section, or the one that the method makes for any model, also for a spin glass without its bonds and for
    a pure model in a field."""
    model, method, spin_glass, published = part["model"], method_of(part), is_spin_glass(part), is_published(part)
    own = OWN.get((model, method.name))
    if own and own.spin_glass == spin_glass and own.published == published:
        return own
    name, title = f"{model}_{method.name}", f"{presets()[model].title}, {method.name}"
    return Section(model, method.name, f"methods.{method.name}", name, method.figures, title, spin_glass, published)


def sections_by_part(study: dict[str, Any]) -> dict[str, Section]:
    """The section of each part of a study, from the content of its file. A figure or table never mixes two systems: where
    parts of one model and method differ in h, p or seed, each system has a section of its own."""
    systems: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for part in study["parts"]:
        systems.setdefault((part["model"], method_of(part).name), []).append(_values(part, study))
    found = {}
    for part in study["parts"]:
        mine, others = _values(part, study), systems[part["model"], method_of(part).name]
        varied = tuple((key, value) for key, value in mine.items() if any(other[key] != value for other in others))
        found[part["name"]] = replace(section_of(part), system=varied)
    return found


def _values(part: dict[str, Any], study: dict[str, Any]) -> dict[str, Any]:
    return system_of(part) | {"seed": part.get("seed", study.get("seed"))}


def sections_of(study: dict[str, Any]) -> list[Section]:
    """The sections of a study, from the content of its file, in the order of its parts."""
    return list(dict.fromkeys(sections_by_part(study).values()))
