"""What the documentation shows must work, and what it lists must be all there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from conftest import BUILD, ROOT
from workflows.methods.registry import METHODS
from workflows.methods.relaxation.figures import AXES
from workflows.models.rfim3d.figures import PANELS
from workflows.scripts import publish


def test_the_example_reads_a_measurement_file(tmp_path: Path) -> None:
    engine = BUILD / "bin" / "psflip"
    if not engine.exists():
        pytest.skip("psflip is not built")
    job = "ea3d relaxation --L 6 --T 1.1 --samples 0:64 --sweeps 32 --seed 5 --save-disorder --save-spins --output file.h5"
    subprocess.run([engine, *job.split()], cwd=tmp_path, check=True, capture_output=True)
    command = [sys.executable, str(ROOT / "docs" / "example_read.py"), "file.h5"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "recomputed energies and overlaps are the same" in result.stdout
    assert re.search(r"^32 +-1\.[56]\d*$", result.stdout, re.M), result.stdout


def test_the_example_of_rfim3d_finds_the_energies_of_the_saved_spins(tmp_path: Path) -> None:
    engine = BUILD / "bin" / "psflip"
    if not engine.exists():
        pytest.skip("psflip is not built")
    job = "rfim3d tempering --L 6 --h 0.7 --T 3,3.4,3.9,4.5 --samples 20:40 --sweeps 20 --seed 5 --bins 2 --save-disorder --save-spins"
    subprocess.run([engine, *job.split(), "--output", "file.h5"], cwd=tmp_path, check=True, capture_output=True)
    command = [sys.executable, str(ROOT / "docs" / "example_rfim3d.py"), "file.h5"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "recomputed energies and overlaps are the same" in result.stdout


@pytest.fixture
def labels() -> dict[tuple[str, str], dict[str, str]]:
    """Labels of observables for figures, by model and method and by name."""
    analysis = BUILD / "bin" / "psflip-analysis"
    if not analysis.exists():
        pytest.skip("psflip-analysis is not built")
    lines = subprocess.run([analysis, "observables"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0] == "model,method,observable,label"
    found: dict[tuple[str, str], dict[str, str]] = {}
    for model, method, name, label in (line.split(",") for line in lines[1:]):
        found.setdefault((model, method), {})[name] = label
    return found


def test_the_page_on_observables_explains_every_observable(labels: dict[tuple[str, str], dict[str, str]]) -> None:
    page = (ROOT / "docs" / "analysis" / "observables.md").read_text()
    assert {method for _, method in labels} == {"relaxation", "equilibrium", "tempering"}
    for (model, method), names in labels.items():
        tables = [table for table in page.split("\n\n") if f"`{method}`" in table.splitlines()[0]]
        known = {re.sub(r"^P_q_\d+$", "P_q_0", name) for name in names}  # bins of one histogram
        complete = [table for table in tables if all(f"`{name}`" in table for name in known)]
        assert complete, (
            f"docs/analysis/observables.md has no table of {method} that explains all observables of {model}"
        )


def test_figures_label_observables_as_the_analysis_does(labels: dict[tuple[str, str], dict[str, str]]) -> None:
    tempering, relaxation = labels["rfim3d", "tempering"], labels["ea3d", "relaxation"]
    assert {name: tempering[name] for name in PANELS} == PANELS
    assert {name: relaxation[name] for name in AXES} == {name: f"${label}$" for name, label in AXES.items()}


def test_the_pages_on_studies_explain_every_key() -> None:
    schema = yaml.safe_load((ROOT / "workflows" / "schemas" / "study.schema.yaml").read_text())
    keys = set(schema["properties"])
    for method in METHODS:
        keys |= set(schema["$defs"][method]["properties"])
    for name in ("benchmark", "laboratory"):
        keys |= set(yaml.safe_load((ROOT / "workflows" / "schemas" / f"{name}.schema.yaml").read_text())["properties"])
    pages = [ROOT / "config" / "README.md", *sorted((ROOT / "docs" / "study-file").glob("*.md"))]
    text = "\n".join(page.read_text() for page in pages)
    missing = [key for key in sorted(keys) if f"`{key}`" not in text]
    assert not missing, f"config/README.md and docs/study-file say nothing about {missing}"


def test_readme_names_only_files_that_exist() -> None:
    for readme in [ROOT / "README.md", *ROOT.glob("*/README.md"), ROOT / "docs" / "workflow.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", readme.read_text()):
            assert (readme.parent / target).exists(), f"{readme.relative_to(ROOT)} links to {target}"


def test_the_launcher_explains_itself() -> None:
    result = subprocess.run([ROOT / "study", "help"], capture_output=True, text=True, check=True)
    for command in ("run", "test", "bench", "exec", "shell", "clean"):
        assert re.search(rf"^  {command}\b", result.stdout, re.M)
    unknown = subprocess.run([ROOT / "study", "rnu"], capture_output=True, text=True, check=False)
    assert unknown.returncode != 0 and "no command 'rnu'" in unknown.stderr


@pytest.mark.slow
def test_the_readme_shows_the_published_numbers() -> None:
    command = [sys.executable, "-m", "workflows.scripts.publish", "--check"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_the_readme_is_short_and_shows_ten_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 120 and max(map(len, lines)) <= 120
    results = lines[lines.index(publish.BEGIN) + 3 : lines.index(publish.END)]
    assert len(results) == 10 and results == publish.shown().splitlines()[2:]
    assert all(word in "\n".join(lines) for word in ("Snakemake", "HDF5", "CUDA", "MPI"))


def test_sources_of_results_are_shortened_to_authors_and_year() -> None:
    short = publish.short_source
    assert short("between 3.8 and 3.9, Fytas and Malakis, Eur. Phys. J. B 61, 111 (2008)") == "Fytas and Malakis (2008)"
    assert short("Belletti et al. (Janus), J. Stat. Phys. 135, 1121 (2009)") == "Belletti et al. (2009)"
    assert short("Onsager, Phys. Rev. 65, 117 (1944), exact") == "Onsager (1944)"
    assert short("psflip: relaxation at fixed T (ea3d_critical)") == "psflip: relaxation at fixed T"
    assert short("exact, closed form of the first sweep") == "exact"
