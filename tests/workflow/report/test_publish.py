"""What a finished study leaves in the repository."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT, Workspace


def publish(workspace: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workflows.scripts.publish", *arguments]
    return subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True)


def as_study(finished: Workspace, name: str) -> None:
    """The finished smoke study under another name, next to a README."""
    shutil.copytree(finished.results(), finished.results(name))
    shutil.copy2(ROOT / "README.md", finished.folder / "README.md")
    (finished.folder / "docs").mkdir()


def test_a_published_study_has_its_summary_figures_tables_and_a_page(finished: Workspace) -> None:
    as_study(finished, "rfim3d")
    published = finished.folder / "results" / "published" / "rfim3d"
    assert publish(finished, "results/rfim3d").returncode == 0
    for name in (
        "summary.json",
        "study.json",
        "rfim3d_crossings.svg",
        "tables/observables.csv",
        "tables/provenance.csv",
        "tables/verdicts.csv",
    ):
        assert (published / name).exists(), name
    assert (published / "tables" / "field" / "crossing_U4.csv").exists() and len(
        list((published / "grids").iterdir())
    ) == 4
    page = (published / "README.md").read_text()
    assert "| 3D RFIM, h = 1: crossing of U₄, L = 4, 6 | " in page
    assert page.startswith("# Smoke study\n") and "| ξ/L, L = 4, 6 | " in page
    assert "| field | 6 | 6 | 3.4 to 4.7 | " in page
    assert publish(finished, "--check").returncode == 0
    (published / "summary.json").write_text("[]")
    assert publish(finished, "--check").returncode == 1


def test_of_the_demo_readme_and_page_get_numbers_and_the_readme_figures(finished: Workspace) -> None:
    as_study(finished, "demo")
    assert publish(finished, "results/demo").returncode == 0
    assert sorted(path.name for path in (finished.folder / "docs").iterdir()) == [
        "ea3d_binder_of_xi.svg",
        "ising2d_specific_heat.svg",
    ]
    page = (finished.folder / "results" / "published" / "demo" / "README.md").read_text()
    assert "| 3D EA: energy after one sweep, L = 6, T = 1.1 | " in page
    assert "| 3D EA: energy after one sweep, L = 32 | " in (finished.folder / "README.md").read_text()


def test_what_has_not_run_to_its_end_is_not_published(finished: Workspace, tmp_path: Path) -> None:
    result = publish(finished, "results/nothing")
    assert result.returncode == 2 and result.stderr.count("\n") == 1 and "no summary.json" in result.stderr


def test_of_a_benchmark_figures_and_tables_stand_beside_its_files(finished: Workspace) -> None:
    as_study(finished, "demo")
    benchmark = finished.folder / "results" / "benchmark"
    for name in ("plots/roofline.svg", "tables/targets.csv", "tables/speed.csv"):
        (benchmark / name).parent.mkdir(parents=True, exist_ok=True)
        (benchmark / name).write_text(name)
    assert publish(finished, "results/benchmark").returncode == 0
    published = finished.folder / "results" / "published" / "benchmark"
    assert (published / "roofline.svg").read_text() == "plots/roofline.svg"
    assert (published / "tables" / "targets.csv").read_text() == "tables/targets.csv"
    assert (published / "cpu.json").exists() and (published / "tables" / "speed.csv").exists()
