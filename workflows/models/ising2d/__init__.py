"""Two-dimensional Ising model."""

from __future__ import annotations

from workflows.models.section import Section

SECTION = Section(
    model="ising2d",
    method="equilibrium",
    package="models.ising2d",
    prefix="ising2d",
    figures=("magnetization", "energy", "specific_heat", "binder"),
    family="2D Ising",
)
