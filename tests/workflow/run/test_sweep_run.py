"""A study that sweeps h, p and seed, from its file to its report: systems stay apart, and another value adds its jobs alone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT, Workspace, study_of

STUDY = study_of(
    "Sweep",
    {"name": "field", "model": "rfim3d", "L": [4, 6, 8], "h": [0, 1], "sweeps": 1600, "bins": 5}
    | {"T": {"h": {0: {"from": 4.2, "to": 5, "count": 5}, 1: {"from": 3.6, "to": 4.8, "count": 7}}}}
    | {"crossing": {"from": 3.6, "to": 5.0, "extrapolate": False}},
    {"name": "line", "model": "ea2d", "method": "equilibrium", "sweeps": 320, "bins": 8}
    | {"p": [0.1, 0.12], "T": [0.91, 1.0], "zip": ["p", "T"]},
    {"name": "quench", "model": "ea3d", "seed": [1, 2], "T": 1.1, "sweeps": 64},
    seed=7,
    L=[4, 6],
    samples=128,
)


def gives_its_numbers_again(workspace: Workspace) -> None:
    """The archive of the published sweep: crossings and headline numbers, with the blocks of the study, which are few."""
    shutil.copy2(ROOT / "README.md", workspace.folder / "README.md")
    for module, *arguments in (
        ("publish", "results/sweep"),
        ("archive", "results/published/sweep", "--output", "again"),
    ):
        command = [sys.executable, "-m", f"workflows.scripts.{module}", *arguments]
        done = subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stderr, done.stderr
    now, then = (pd.read_csv(folder / "tables" / "boundary.csv")
                 for folder in (workspace.folder / "again", workspace.results("sweep")))  # fmt: skip
    keys = ["sweep", "part", "h", "p", "seed", "observable", "L1", "L2"]
    assert now[keys].equals(then[keys])
    there = then["T_crossing"].notna()
    assert there.sum() > 3 and now["T_crossing"].notna().equals(there)
    assert (abs(now["T_crossing"] - then["T_crossing"]) < 0.3 * then["error"])[there].all()
    again, first = (json.loads((folder / "summary.json").read_text())
                    for folder in (workspace.folder / "again", workspace.results("sweep")))  # fmt: skip
    assert [number["name"] for number in again] == [number["name"] for number in first]
    page = (workspace.folder / "results" / "published" / "sweep" / "README.md").read_text()
    assert "(rfim3d_boundary.svg)" in page and "L → ∞" not in page and "adaptation runs" not in page


@pytest.mark.slow
def test_a_sweep_ends_with_a_report_in_which_systems_stay_apart(workspace: Workspace) -> None:
    workspace.write_study(STUDY)
    workspace.run("sweep")
    results = workspace.results("sweep")
    figures = {path.stem for path in (results / "plots").glob("*.svg")}
    for prefix in (
        "rfim3d_h0",
        "rfim3d_h1",
        "ea2d_equilibrium_p0.1",
        "ea2d_equilibrium_p0.12",
        "ea3d_seed1",
        "ea3d_seed2",
    ):
        assert any(name.startswith(f"{prefix}_") for name in figures)
    table = pd.read_csv(results / "tables" / "observables.csv")
    assert set(zip(table["part"], table["h"], table["p"], table["seed"])) == {
        ("field_h0", 0, 0, 7), ("field_h1", 1, 0, 7), ("line_p0.1", 0, 0.1, 7), ("line_p0.12", 0, 0.12, 7),
        ("quench_seed1", 0, 0.5, 1), ("quench_seed2", 0, 0.5, 2),
    }  # fmt: skip
    assert (table.groupby(["part", "L", "T", "t", "observable"], dropna=False).size() == 1).all()
    text = (results / "report.html").read_text()
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", text)
    assert "Three-dimensional random-field Ising model, h = 1" in headings
    assert "2D Edwards-Anderson spin glass: equilibrium, p = 0.12" in headings
    assert "seed 7, 1, 2" in text
    boundary = pd.read_csv(results / "tables" / "boundary.csv")
    assert set(boundary["h"]) == {0, 1} and (boundary["sweep"] == "field").all()
    assert np.isfinite(boundary["L2"]).all(), "no extrapolation"
    assert set(zip(boundary["h"], boundary["reference"])) == {(0, 4.5115232), (1, 3.85)}
    assert "rfim3d_boundary" in figures and "Effective crossings T_x(L, L′) of pairs of sizes" in text
    names = [number["name"] for number in json.loads((results / "summary.json").read_text())]
    assert len(set(names)) == len(names)
    assert "3D EA, seed = 2: energy after one sweep, L = 6, T = 1.1" in names
    gives_its_numbers_again(workspace)

    study = workspace.study("sweep")
    study["parts"][0] |= {"h": [0, 0.5, 1]}
    study["parts"][0]["T"]["h"][0.5] = study["parts"][0]["T"]["h"][1]
    workspace.write_study(study)
    jobs = workspace.jobs("sweep", "--dry-run")
    made = {job.output for job in jobs if job.rule in ("simulate", "temper", "adapt", "reduce", "combine", "crossing")}
    assert len(made) == 14 and all("_h0.5" in path for path in made), "6 shards, 3 sums, 3 sizes, 2 crossings"
    assert not {"plot_ea3d", "plot_equilibrium"} & {job.rule for job in jobs if "h0.5" in job.output}

    study = workspace.study("sweep")
    study["parts"][0] |= {"h": [0, 1], "samples": {"h": {0: 128, 1: 192}}}
    del study["parts"][0]["T"]["h"][0.5]
    workspace.write_study(study)
    jobs = workspace.jobs("sweep", "--dry-run")
    shards = [job.output for job in jobs if job.rule in ("simulate", "temper", "adapt")]
    assert len(shards) == 3 and all("_h1.0_" in path and path.endswith("/128_64.h5") for path in shards)
