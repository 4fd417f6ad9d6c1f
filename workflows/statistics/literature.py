"""Published values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def references() -> dict[str, dict[str, Any]]:
    """Published values, each with error and source."""
    path = Path(__file__).parents[1] / "references" / "literature.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))
