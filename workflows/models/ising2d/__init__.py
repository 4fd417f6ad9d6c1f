"""Two-dimensional Ising model."""

from __future__ import annotations

from workflows.models.ising2d.validation import check_part
from workflows.models.model import Model

MODEL = Model(
    name="ising2d",
    family="2D Ising",
    job_keys=("sweeps", "start", "measure_interval", "bins"),
    figures=("magnetization", "energy", "specific_heat", "binder"),
    check_part=check_part,
)
