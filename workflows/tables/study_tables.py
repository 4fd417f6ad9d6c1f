"""The tables behind the headline numbers of a study."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pandas as pd


@dataclass(frozen=True)
class StudyTables:
    """Tables of all models; a table that the study does not make has no rows.

    `observables`: one observable at one point a row. `crossings`, `tempered`: pairs of sizes of ising2d and of rfim3d.
    `grids`: temperature slots of rfim3d. `dynamics`: power laws in time of ea3d. `fits`, `readings`: of the transition
    of ea3d. `critical`: the key of that name of the study.
    """

    observables: pd.DataFrame
    crossings: pd.DataFrame = field(default_factory=pd.DataFrame)
    tempered: pd.DataFrame = field(default_factory=pd.DataFrame)
    grids: pd.DataFrame = field(default_factory=pd.DataFrame)
    dynamics: pd.DataFrame = field(default_factory=pd.DataFrame)
    fits: pd.DataFrame = field(default_factory=pd.DataFrame)
    readings: pd.DataFrame = field(default_factory=pd.DataFrame)
    critical: dict[str, Any] | None = None
