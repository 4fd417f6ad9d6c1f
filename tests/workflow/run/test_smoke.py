"""The smallest study from end to end; ctest keeps what it leaves for the tests of the rerun rules."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pandas as pd

from conftest import BUILD, Workspace, make_workspace


def prepare(tmp_path: Path) -> Workspace:
    """A fresh workspace, where the other tests of one ctest run expect it."""
    if "PSFLIP_BUILD" not in os.environ:
        return make_workspace(tmp_path / "psflip")
    folder = BUILD / "tests" / "workflow" / "finished"
    shutil.rmtree(folder, ignore_errors=True)
    return make_workspace(folder)


def test_the_smoke_study_ends_with_a_report(tmp_path: Path) -> None:
    workspace = prepare(tmp_path)
    workspace.run()
    results = workspace.results()

    table = pd.read_csv(results / "tables" / "observables.csv")
    keys = ["model", "method", "L", "h", "p", "T", "t", "seed", "part"]
    numbers = ["observable", "value", "error", "error_systematic", "blocks", "tau", "verdict", "equilibrated"]
    assert list(table.columns) == keys + numbers
    assert table.groupby("part")[["h", "p", "seed"]].agg(set).to_dict() == {
        "h": {"ising": {0}, "relaxation": {0}, "field": {1}},
        "p": {"ising": {0}, "relaxation": {0.5}, "field": {0}},
        "seed": {"ising": {7}, "relaxation": {7}, "field": {7}},
    }
    assert set(zip(table["model"], table["L"])) == {
        ("ising2d", 8), ("ising2d", 16), ("ea3d", 4), ("ea3d", 6), ("rfim3d", 4), ("rfim3d", 6)
    }  # fmt: skip
    assert not table.duplicated(["model", "L", "T", "t", "observable"]).any()

    summary = json.loads((results / "summary.json").read_text())
    keys = {"name", "value", "error", "reference", "reference_error", "source", "pull", "verdict", "note"}
    keys |= {"error_systematic", "blocks", "p", "p_family", "family"}
    assert len(summary) > 10 and all(set(number) == keys for number in summary)
    assert not [number["name"] for number in summary if number["verdict"] == "differs"]
    compared = [number for number in summary if number["p"] is not None]
    assert {number["family"] for number in compared} == {"2D Ising", "3D EA", "3D RFIM"}
    assert all(number["verdict"] == "agrees" and number["p"] <= number["p_family"] <= 1 for number in compared)
    assert all(number["blocks"] for number in summary)

    crossings = pd.read_csv(results / "tables" / "field" / "crossing_xi_over_L.csv")
    assert len(crossings) == 1 and 4.1 < crossings["T_crossing"][0] < 4.5
    assert len(list((results / "grids").rglob("*.json"))) == 4, "two sizes, two methods"
    assert any("crossing of ξ/L" in number["name"] for number in summary)

    origin = pd.read_csv(results / "tables" / "provenance.csv").query("part == 'field'").set_index("L")
    assert list(origin["longer_samples"]) == [0, 64], "the slowest 32 of both shards of L = 6"
    assert list(origin["longer_times"]) == [1, 4]

    for folder in ("shards", "reduced", "tables", "plots", "logs", "benchmarks"):
        assert any(path.is_file() for path in (results / folder).rglob("*")), folder
    assert not list(results.rglob("*.checkpoint*")), "a finished shard needs no checkpoint"
