"""Published values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def references() -> dict[str, dict[str, Any]]:
    """Published values, each with error and source."""
    path = Path(__file__).parents[1] / "references" / "literature.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def critical_temperature(model: str) -> str | None:
    """The key of the published critical temperature: without a field and, of random bonds, for p = 1/2."""
    key = f"{model}_T_critical"
    return key if key in references() else None


def transitions_of(model: str) -> list[dict[str, Any]]:
    """The published transitions of a model, each with value, error, source, h and p (None for a model without the term)."""
    found = []
    for known in references().values():
        for system in known.get("transitions", []):
            if system["model"] == model:
                found.append({"h": system.get("h"), "p": system.get("p")} | known)
    return found


def transition_at(model: str, h: float | None, p: float | None) -> dict[str, Any] | None:
    """The published transition at a strength of the field and a fraction of J = -1."""
    return next((known for known in transitions_of(model) if (known["h"], known["p"]) == (h, p)), None)
