"""Relaxation at fixed temperature, measured at logarithmic times after the start."""

from __future__ import annotations

from workflows.methods.method import Method
from workflows.methods.relaxation.validation import CHECKS

METHOD = Method(
    name="relaxation",
    job_keys=("sweeps", "start", "replicas", "random"),
    checks=CHECKS,
    figures=("energy", "susceptibility", "correlation_length", "binder"),
)
