"""All models. A new model adds a subpackage and one entry of this list."""

from __future__ import annotations

from workflows.models import ea3d, ising2d, rfim3d
from workflows.models.model import Model

MODELS: dict[str, Model] = {model.name: model for model in (ising2d.MODEL, ea3d.MODEL, rfim3d.MODEL)}
