"""Three-dimensional random-field Ising model."""

from __future__ import annotations

from workflows.models.model import Model
from workflows.models.rfim3d.validation import check_part

MODEL = Model(
    name="rfim3d",
    family="3D RFIM",
    job_keys=("sweeps", "start", "exchange_interval", "bins"),
    figures=("observables", "crossings", "grids"),
    check_part=check_part,
    tempered=True,
)
