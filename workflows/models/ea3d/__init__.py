"""Three-dimensional Edwards-Anderson model."""

from __future__ import annotations

from workflows.models.section import Section

SECTION = Section(
    model="ea3d",
    method="relaxation",
    package="models.ea3d",
    prefix="ea3d",
    figures=("energy", "susceptibility", "correlation_length", "binder", "binder_of_xi"),
    family="3D EA",
    spin_glass=True,
)
