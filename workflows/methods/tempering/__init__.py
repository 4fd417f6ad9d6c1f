"""Exchange Monte Carlo over a grid of temperatures."""

from __future__ import annotations

from workflows.methods.method import Method
from workflows.methods.tempering.validation import CHECKS

METHOD = Method(
    name="tempering",
    job_keys=("sweeps", "start", "exchange_interval", "bins", "replicas", "random"),
    checks=CHECKS,
    figures=("observables", "crossings", "slots"),
    tempered=True,
)
