"""Three-dimensional Edwards-Anderson model."""

from __future__ import annotations

from workflows.models.ea3d.validation import check_part
from workflows.models.model import Model

MODEL = Model(
    name="ea3d",
    family="3D EA",
    job_keys=("sweeps", "start", "replicas", "random"),
    figures=("energy", "susceptibility", "correlation_length", "binder", "binder_of_xi"),
    check_part=check_part,
)
