"""The boundary of a sweep: which published transition belongs to a system, and what the report calls the crossings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from conftest import ROOT
from workflows.methods.equilibrium import sweep
from workflows.report.boundary import boundaries
from workflows.statistics.literature import transition_at, transitions_of
from workflows.study.study import Study, open_file
from workflows.tables.boundary import rows_of
from workflows.tables.table import read


def crossing(T: float, L2: float, systematic: float | None) -> dict[str, object]:
    row = {"observable": "U4", "L1": 4, "L2": L2, "T_crossing": T, "error": 0.01, "error_systematic": systematic}
    return row | {"value": 1.5, "value_error": 0.1, "chi2_dof": None, "T_min": 4, "T_max": 5, "equilibrated": 1}


def test_a_published_transition_belongs_to_one_strength_of_the_field_or_fraction_of_bonds() -> None:
    assert transition_at("rfim3d", 0.0, None)["value"] == 4.5115232
    assert transition_at("rfim3d", 1.0, None)["value"] == 3.85
    assert transition_at("rfim3d", 0.5, None) is None and transition_at("ea2d", None, 0.1) is None
    assert transition_at("ea2d", None, 0.1092)["value"] == 0.9528
    assert sorted(row["p"] for row in transitions_of("ea3d")) == [0, 0.5]
    # Exact: sinh(2 / T)^2 = 1 on the square lattice; e^(-2/T) = p / (1 - p) on the Nishimori line.
    assert np.isclose(np.sinh(2 / transition_at("ea2d", None, 0.0)["value"]), 1, rtol=1e-14)
    assert abs(2 / np.log((1 - 0.10919) / 0.10919) - 0.9528) < 0.0004


def test_the_table_and_figure_of_a_boundary_come_from_the_crossings_of_its_parts(tmp_path: Path) -> None:
    keys = {"model": "rfim3d", "method": "tempering", "sweep": "field", "p": None, "seed": 7}
    for name, rows in (
        ("field_h0", [crossing(4.5, 8, None)]),
        ("field_h1", [crossing(4.2, 8, None), crossing(3.9, np.inf, 0.05)]),
    ):
        (tmp_path / name).mkdir()
        pd.DataFrame(rows).to_csv(tmp_path / name / "crossing_U4.csv", index=False)
    parts = json.dumps({"field_h0": keys | {"h": 0.0}, "field_h1": keys | {"h": 1.0}})
    tables = [tmp_path / name / "crossing_U4.csv" for name in ("field_h0", "field_h1")]
    output = tmp_path / "boundary.csv"
    for command in (
        ["tables.boundary", *tables, "--parts", parts, "--output", output],
        ["figures.boundary", output, "--model", "rfim3d", "--output", tmp_path],
    ):
        line = [sys.executable, "-W", "error", "-m", f"workflows.{command[0]}", *map(str, command[1:])]
        subprocess.run(line, cwd=ROOT, check=True)
    table = pd.read_csv(output)
    assert list(table["part"]) == ["field_h0", "field_h1", "field_h1"] and list(table["h"]) == [0, 1, 1]
    assert list(table["reference"]) == [4.5115232, 3.85, 3.85]
    assert (tmp_path / "rfim3d_boundary.svg").read_text().startswith("<?xml")
    (found,) = boundaries(table)
    assert [row[3:5] for row in found["table"]["rows"]] == [
        ["4, 8", "4.500(10)"], ["4, 8", "4.200(10)"], ["L → ∞", "3.900(10)(50)"]
    ]  # fmt: skip
    assert "Effective crossings T_x(L, L′)" in found["table"]["caption"]
    assert "do not cross" not in found["table"]["caption"]
    assert boundaries(pd.DataFrame()) == []


def test_systems_whose_curves_do_not_cross_are_in_the_table_of_a_boundary_and_not_drawn(tmp_path: Path) -> None:
    none = crossing(np.nan, 8, None) | {"error": None, "value": None, "value_error": None, "equilibrated": None}
    keys = {
        "model": "rfim3d",
        "method": "tempering",
        "sweep": "field",
        "part": "field_h2",
        "h": 2.0,
        "p": None,
        "seed": 7,
    }
    table = rows_of(pd.DataFrame([none]), keys)
    table.to_csv(tmp_path / "boundary.csv", index=False)
    command = ["figures.boundary", tmp_path / "boundary.csv", "--model", "rfim3d", "--output", tmp_path]
    line = [sys.executable, "-W", "error", "-m", f"workflows.{command[0]}", *map(str, command[1:])]
    subprocess.run(line, cwd=ROOT, check=True)
    (found,) = boundaries(pd.read_csv(tmp_path / "boundary.csv"))
    assert [row[3:6] for row in found["table"]["rows"]] == [["4, 8", "–", "–"]]
    assert found["table"]["caption"].endswith("–: the curves do not cross in the measured range, or only by chance.")


def test_a_sweep_with_one_temperature_for_each_value_is_drawn_against_its_key(tmp_path: Path) -> None:
    study = open_file(ROOT / "config" / "random_bond.yaml")
    parts = [part.name for part in study.parts_of_sweeps["line"]]
    assert (
        isinstance(study, Study) and list(study.parts_of_sweeps) == ["line"] and len(parts) == 5
    )  # "boundary" tempers, so has all temperatures at each p
    rows = [
        {"model": "ea2d", "method": "equilibrium", "L": L, "h": 0, "p": study.parts[part].p, "T": 1.0, "seed": 13, "part": part}
        | {"observable": name, "value": 1.0 + L * study.parts[part].p, "error": 0.1, "equilibrated": passed}
        for part, passed in zip(parts, (1, 1, 0, "", 1))
        for L in (8, 16)
        for name in ("U4", "xi_over_L")
    ]  # fmt: skip
    pd.DataFrame(rows).to_csv(tmp_path / "observables.csv", index=False)
    command = [sys.executable, "-W", "error", "-m", "workflows.methods.equilibrium.sweep", tmp_path / "observables.csv"]
    subprocess.run([*command, "--parts", *parts, "--sweep", "line", "--output", tmp_path], cwd=ROOT, check=True)
    assert (tmp_path / "line_sweep.svg").read_text().startswith("<?xml")
    figure = sweep.draw(read(tmp_path / "observables.csv"))
    assert [axes.get_xlabel() for axes in figure.axes] == ["$p$", "$p$"]
    drawn = [line.get_xdata().tolist() for line in figure.axes[0].get_lines()]
    passed, failed = [0.08, 0.1, 0.14], [0.1092, 0.12]
    assert drawn == [passed, failed, passed, failed]  # of each size, filled and hollow
