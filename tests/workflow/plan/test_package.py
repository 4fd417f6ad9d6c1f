"""The package of the workflow: what every model offers, and what must be imported without pandas."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from conftest import ROOT
from workflows.methods.registry import METHODS
from workflows.models.registry import OWN, Section, section_of
from workflows.study.presets import presets

PAIRS = [(model, method) for model in presets() for method in METHODS]


@pytest.mark.parametrize(("model", "method"), PAIRS)
def test_every_model_has_figures_numbers_and_a_section_of_the_report_by_every_method(model: str, method: str) -> None:
    section = section_of({"model": model, "method": method})
    assert (section.model, section.method) == (model, method) and section.figures
    assert callable(section.summary().numbers) and callable(section.report().content)
    assert callable(import_module(f"workflows.{section.package}.figures").main)
    assert (ROOT / "workflows" / section.template).is_file()
    rule = f"plot_{model if (model, method) in OWN else method}"
    assert f"rule {rule}:" in (ROOT / "workflows" / "rules" / "plot.smk").read_text()


def test_a_method_that_a_part_does_not_name_is_that_of_version_0_1() -> None:
    for (model, method), section in OWN.items():
        assert section_of({"model": model}) is section and presets()[model].method == method


def test_a_spin_glass_with_the_couplings_of_a_ferromagnet_is_not_compared_with_one() -> None:
    section: Section = section_of({"model": "ea3d", "couplings": "ferromagnet"})
    assert section is not OWN["ea3d", "relaxation"] and not section.spin_glass


@pytest.mark.parametrize("module", ["workflows.study.__main__", "workflows.benchmark.figures"])
def test_studies_are_checked_and_speeds_are_drawn_without_pandas(module: str) -> None:
    code = f"import sys, {module}; sys.exit('pandas' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr or f"{module} imports pandas"
