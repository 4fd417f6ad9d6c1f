"""Exchange Monte Carlo over a grid of temperatures."""

from __future__ import annotations

from workflows.methods.method import Method
from workflows.methods.tempering.validation import check_part

METHOD = Method(
    name="tempering",
    job_keys=("sweeps", "start", "exchange_interval", "bins", "replicas", "random"),
    check_part=check_part,
    figures=("observables", "crossings", "slots"),
    tempered=True,
)
