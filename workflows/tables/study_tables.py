"""The tables behind the headline numbers and the report of a study."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from workflows.models.rfim3d.grids import read_grids
from workflows.tables.table import join, read


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

    @staticmethod
    def add_options(parser: argparse.ArgumentParser) -> None:
        """The files of the tables, as options of a command."""
        parser.add_argument("--observables", required=True, type=Path)
        for name in ("crossings", "tempered", "grids", "dynamics", "critical", "readings"):
            parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)

    @classmethod
    def read(cls, study: dict[str, Any], files: argparse.Namespace) -> StudyTables:
        """The tables in the files of these options; `study` is the content of study.json."""
        return cls(
            observables=read(files.observables),
            crossings=join(files.crossings),
            tempered=join(files.tempered),
            grids=read_grids(files.grids),
            dynamics=join(files.dynamics),
            fits=join(files.critical),
            readings=join(files.readings),
            critical=study.get("critical"),
        )
