"""Which subpackage shows a model that was simulated by a method.

Most models need no line here: the subpackages of `methods` show any model. A model whose studies are compared with exact
and published values has a subpackage of its own."""

from __future__ import annotations

from typing import Any

from workflows.methods.registry import method_of
from workflows.models import ea3d, ising2d, rfim3d
from workflows.models.section import Section
from workflows.study.presets import in_field, presets

OWN = {(section.model, section.method): section for section in (ising2d.SECTION, ea3d.SECTION, rfim3d.SECTION)}


def is_spin_glass(part: dict[str, Any]) -> bool:
    preset = presets()[part["model"]]
    return preset.has_random_bonds and not preset.has_field and part.get("couplings") != "ferromagnet"


def section_of(part: dict[str, Any]) -> Section:
    """The model's own section, or the one that the method makes for any model, also for a spin glass without its bonds and for
    a pure model in a field."""
    model, method, spin_glass = part["model"], method_of(part), is_spin_glass(part)
    own = OWN.get((model, method.name))
    if own and own.spin_glass == spin_glass and own.in_field == in_field(part):
        return own
    name, title = f"{model}_{method.name}", f"{presets()[model].title}, {method.name}"
    return Section(
        model, method.name, f"methods.{method.name}", name, method.figures, title, spin_glass, in_field(part)
    )


def sections_of(study: dict[str, Any]) -> list[Section]:
    """The sections of a study, from the content of its file, in the order of its parts."""
    return list(dict.fromkeys(section_of(part) for part in study["parts"]))
