"""Equilibrium at fixed temperature: equal bins of measurements at equal intervals."""

from __future__ import annotations

from workflows.methods.equilibrium.validation import CHECKS
from workflows.methods.method import Method

METHOD = Method(
    name="equilibrium",
    job_keys=("sweeps", "start", "measure_interval", "bins", "replicas", "random"),
    checks=CHECKS,
    figures=("observables", "crossings"),
)
