"""The package of the workflow: what every model offers, and what must be imported without pandas."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
import yaml

from conftest import ROOT
from workflows.models.registry import MODELS
from workflows.study.system_tags import model_numbers


@pytest.mark.parametrize("name", MODELS)
def test_every_model_offers_the_whole_interface(name: str) -> None:
    model = MODELS[name]
    assert model.name == name
    assert callable(model.summary().numbers) and callable(model.report().content)
    assert callable(import_module(f"workflows.models.{name}.figures").main)
    assert (ROOT / "workflows" / "models" / name / "report.html.j2").is_file()
    assert f"rule plot_{name}:" in (ROOT / "workflows" / "rules" / "plot.smk").read_text()


def test_the_registry_has_the_models_of_the_schema_and_of_the_random_numbers() -> None:
    schema = yaml.safe_load((ROOT / "workflows" / "schemas" / "study.schema.yaml").read_text())
    assert set(MODELS) == set(schema["properties"]["parts"]["items"]["properties"]["model"]["enum"])
    assert set(MODELS) == set(model_numbers())


@pytest.mark.parametrize("module", ["workflows.study.__main__", "workflows.benchmark.figures"])
def test_studies_are_checked_and_speeds_are_drawn_without_pandas(module: str) -> None:
    code = f"import sys, {module}; sys.exit('pandas' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr or f"{module} imports pandas"
