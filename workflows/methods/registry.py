"""All methods."""

from __future__ import annotations

from typing import Any

from workflows.methods import equilibrium, relaxation, tempering
from workflows.methods.method import Method
from workflows.study.presets import presets

METHODS: dict[str, Method] = {
    method.name: method for method in (relaxation.METHOD, equilibrium.METHOD, tempering.METHOD)
}


def method_of(part: dict[str, Any]) -> Method:
    """The method of a part of a study file; that of the model's preset where the part names none, as in 0.1."""
    return METHODS[part.get("method", presets()[part["model"]].method)]
