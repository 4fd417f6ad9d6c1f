"""The section of a report on one model simulated by one method, and on one system of it where a study has several."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from workflows.study.value_lists import shown


@dataclass(frozen=True)
class Section:
    """Figures, headline numbers and a section of the report, which a subpackage makes.

    The module `figures` of the subpackage draws the figures. The module `summary` has
    `numbers(tables: StudyTables, section: Section) -> list[Headline]`, the module `report` has
    `content(tables: StudyTables, section: Section) -> dict[str, Any]`, which its report.html.j2 shows as `part`; both
    get the tables of this model and method alone.
    """

    model: str
    method: str
    package: str  # of `workflows`, for example models.ea3d
    prefix: str  # of the files of its figures
    figures: tuple[str, ...]  # their names without the prefix
    family: str  # comparisons with exact or published values that are judged together
    spin_glass: bool = False  # J = +1 or -1 at random and no field, for which some results are exact
    published: bool = True  # published critical temperatures of the model are for these bonds and this field
    system: tuple[
        tuple[str, float], ...
    ] = ()  # h, p and seed by which it differs from other sections of model and method

    @property
    def suffix(self) -> str:
        """The part of the names of figures that tells the system."""
        return "".join(f"_{key}{shown(value).replace('+', '')}" for key, value in self.system)

    @property
    def words(self) -> list[str]:
        """The system in words."""
        return [f"{key} = {shown(value)}" for key, value in self.system]

    @property
    def figure_names(self) -> list[str]:
        return [f"{self.prefix}{self.suffix}_{name}" for name in self.figures]

    @property
    def template(self) -> str:
        return f"{self.package.replace('.', '/')}/report.html.j2"

    # Both modules are imported when needed, because they need pandas and a study file is checked without.

    def summary(self) -> ModuleType:
        return import_module(f"workflows.{self.package}.summary")

    def report(self) -> ModuleType:
        return import_module(f"workflows.{self.package}.report")

    def published_page(self) -> ModuleType | None:
        """The module with `page(folder: Path, numbers: str) -> str | None`, the page of a published study; not all have one."""
        name = f"workflows.{self.package}.published"
        return import_module(name) if find_spec(name) else None
