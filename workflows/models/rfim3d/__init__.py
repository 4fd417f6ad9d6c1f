"""Three-dimensional random-field Ising model."""

from __future__ import annotations

from workflows.models.section import Section

SECTION = Section(
    model="rfim3d",
    method="tempering",
    package="models.rfim3d",
    prefix="rfim3d",
    figures=("observables", "crossings", "grids"),
    family="3D RFIM",
    published=False,
)
