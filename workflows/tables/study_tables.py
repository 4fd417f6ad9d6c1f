"""The tables behind the headline numbers and the report of a study."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from workflows.methods.registry import method_of
from workflows.methods.tempering.grids import read_grids
from workflows.models.registry import sections_by_part
from workflows.models.section import Section
from workflows.study.study import Study
from workflows.tables.crossings import crossed, uncrossed
from workflows.tables.table import join, of_parts, read, select


def join_parts(paths: list[Path], study: dict[str, Any]) -> pd.DataFrame:
    """Tables of single parts, which lie in folders of their names, in one; each row with the model, method and name
    of its part."""
    parts = {part["name"]: part for part in study["parts"]}
    tables = []
    for path in paths:
        part = parts[path.parent.name]
        more = {"model": part["model"], "method": method_of(part).name, "part": part["name"]}
        tables.append(pd.read_csv(path).assign(**more))
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


@dataclass(frozen=True)
class StudyTables:
    """Tables of a study; a table that the study does not make has no rows.

    `observables`: one observable at one point a row. `crossings`: of pairs of sizes, `uncrossed`: pairs whose curves do
    not cross in the measured range. `grids`: temperature slots where
    temperatures exchange. `dynamics`: power laws in time of relaxations. `fits`, `readings`: of the transition of ea3d.
    `study`: the content of its file.
    """

    observables: pd.DataFrame
    crossings: pd.DataFrame = field(default_factory=pd.DataFrame)
    uncrossed: pd.DataFrame = field(default_factory=pd.DataFrame)
    grids: pd.DataFrame = field(default_factory=pd.DataFrame)
    dynamics: pd.DataFrame = field(default_factory=pd.DataFrame)
    fits: pd.DataFrame = field(default_factory=pd.DataFrame)
    readings: pd.DataFrame = field(default_factory=pd.DataFrame)
    identities: pd.DataFrame = field(default_factory=pd.DataFrame)
    line: pd.DataFrame = field(default_factory=pd.DataFrame)
    study: dict[str, Any] = field(default_factory=dict)

    @property
    def critical(self) -> dict[str, Any] | None:
        """The key of that name of the study."""
        return self.study.get("critical")

    @staticmethod
    def add_options(parser: argparse.ArgumentParser) -> None:
        """The files of the tables, as options of a command."""
        parser.add_argument("--observables", required=True, type=Path)
        for name in ("crossings", "grids", "dynamics", "critical", "readings", "identities", "line"):
            parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)

    @classmethod
    def read(cls, study: dict[str, Any], files: argparse.Namespace) -> StudyTables:
        """The tables in the files of these options; `study` is the content of study.json."""
        pairs = join_parts(files.crossings, study)
        return cls(
            observables=read(files.observables),
            crossings=crossed(pairs),
            uncrossed=uncrossed(pairs),
            grids=read_grids(files.grids),
            dynamics=join_parts(files.dynamics, study),
            fits=join(files.critical),
            readings=join(files.readings),
            identities=join(files.identities),
            line=join(files.line),
            study=study,
        )

    def of(self, section: Section) -> StudyTables:
        """The rows of one model and method, and of one system where the study has several, with the parts that are theirs."""
        if section.system:
            return self._of_system(section)
        pair = {"model": section.model, "method": section.method}
        parts = [p for p in self.study["parts"] if (p["model"], method_of(p).name) == (section.model, section.method)]
        return replace(
            self,
            observables=select(self.observables, **pair),
            crossings=select(self.crossings, **pair) if len(self.crossings) else self.crossings,
            uncrossed=select(self.uncrossed, **pair) if len(self.uncrossed) else self.uncrossed,
            grids=select(self.grids, model=section.model) if len(self.grids) else self.grids,
            dynamics=select(self.dynamics, **pair) if len(self.dynamics) else self.dynamics,
            study=self.study | {"parts": parts},
        )

    def _of_system(self, section: Section) -> StudyTables:
        sections = sections_by_part(self.study)
        parts = [part for part in self.study["parts"] if sections[part["name"]] == section]
        names = {part["name"] for part in parts}
        shown = names & set((self.critical or {}).get("parts", []))  # the transition is shown where its parts are
        study = self.study if shown else {key: value for key, value in self.study.items() if key != "critical"}
        grids = {grid for name in names for grid in self._grids_by_part().get(name, ())}
        return replace(
            self,
            observables=of_parts(self.observables, names),
            crossings=of_parts(self.crossings, names),
            uncrossed=of_parts(self.uncrossed, names),
            grids=self.grids[self.grids["grid"].isin(grids)] if len(self.grids) else self.grids,
            dynamics=of_parts(self.dynamics, names),
            study=study | {"parts": parts},
        )

    def _grids_by_part(self) -> dict[str, set[str]]:
        """The names of the grids of each part."""
        parts = Study(self.study).parts.values() if len(self.grids) else ()
        return {part.name: {grid.name for grid in part.grids.values()} for part in parts}
