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
