"""The headline numbers of exchange Monte Carlo of a model without a summary of its own."""

from __future__ import annotations

from workflows.methods.equilibrium.summary import numbers

__all__ = ["numbers"]
