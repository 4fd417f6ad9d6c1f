"""The exact results of a part of a study, from its model, its bonds and its temperature slots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from psflip import OBSERVABLES
from workflows.models.registry import EXACT
from workflows.study.nishimori import nishimori_slot
from workflows.study.presets import presets
from workflows.study.study import Part

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Relation:
    """`formula` of the means of block sums has the expectation value `expected(L, T)`.

    `tests`: the observables whose equilibration tests count."""

    quantity: str
    tests: tuple[str, ...]
    formula: Callable[[xr.Dataset], xr.DataArray]
    expected: Callable[[int, float], float]


def binder_of_m(mean: xr.Dataset) -> xr.DataArray:
    """[<m^4>] / [<m^2>]^2; m2 is N [<m^2>]."""
    return mean["m4"] / (mean["m2"] / mean["sites"]) ** 2


def length_of_m(mean: xr.Dataset) -> xr.DataArray:
    """xi / L of the magnetization."""
    length: xr.DataArray = (mean["m2"] / mean["chi_m_k"] - 1) ** 0.5 / (2 * np.sin(np.pi / mean["L"])) / mean["L"]
    return length


def zero(size: int, temperature: float) -> float:
    return 0.0


def on_line(dimension: int) -> tuple[Relation, ...]:
    """On the Nishimori line: e = -D tanh(1/T), and m has the distribution of q, [P(m)] = [P(q)], at all k."""
    return (
        Relation("e", ("e",), lambda mean: mean["e"], lambda size, t: -dimension * float(np.tanh(1 / t))),
        Relation("m_abs-q_abs", ("m_abs", "q_abs"), lambda mean: mean["m_abs"] - mean["q_abs"], zero),
        Relation("m2-q2", ("m2", "q2"), lambda mean: mean["m2"] / mean["sites"] - mean["q2"], zero),
        Relation("m4-q4", ("m2", "q2"), lambda mean: mean["m4"] - mean["q4"], zero),
        Relation("chi_m_k-chi_k", ("m2", "chi_k"), lambda mean: mean["chi_m_k"] - mean["chi_k"], zero),
    )


def finite_lattice(model: str) -> tuple[Relation, ...]:
    """Energy and specific heat of a model that is solved on a torus."""
    torus = import_module(f"workflows.{EXACT[model]}").torus
    return (
        Relation("e", ("e",), lambda mean: mean["e"], lambda size, t: float(torus(size, t)[0])),
        Relation("C", ("C",), OBSERVABLES["C"], lambda size, t: float(torus(size, t)[1])),
    )


def relations(part: Part) -> tuple[tuple[Relation, ...], list[float] | None]:
    """The relations of a part, and the slots in which they hold; None: in all."""
    slot = nishimori_slot(part) if part.method == "tempering" else None
    if slot is not None:
        return on_line(presets()[part.model].dimension), [slot]
    return finite_lattice(part.model), None
