"""The table of observables as a DataFrame."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import psflip
from conftest import ROOT, MadeStudy

COLUMNS = "model method L h p T t seed part observable value error error_systematic blocks tau verdict".split()


def tabulate(study: MadeStudy, names: list[str], target: Path) -> None:
    """tables/observables.csv of a study with these runs as parts."""
    tables = [str(study.folder / "tables" / name / "table.csv") for name in names]
    parts = {name: {"method": pd.read_csv(table)["method"].iloc[0]} for name, table in zip(names, tables)}
    (target / "tables").mkdir(parents=True)
    output = ["--output", target / "tables" / "observables.csv", "--verdicts", target / "tables" / "verdicts.csv"]
    command = [
        sys.executable,
        "-m",
        "workflows.tables.tabulate",
        *tables,
        "--parts",
        json.dumps(parts),
        *map(str, output),
    ]
    subprocess.run(command, cwd=ROOT, check=True)


def test_every_key_is_a_column(study: MadeStudy, tmp_path: Path) -> None:
    tabulate(study, ["ea_L4", "ea_L4_p", "ising_hot", "rfim_L4_h"], tmp_path)
    table = psflip.table(tmp_path)
    assert list(table.columns) == COLUMNS
    keys = table[["model", "method", "L", "h", "p", "seed", "part"]].drop_duplicates()
    assert keys.values.tolist() == [
        ["ea3d", "relaxation", 4, 0, 0.5, 3, "ea_L4"],
        ["ea3d", "relaxation", 4, 0, 0.3, 3, "ea_L4_p"],
        ["ising2d", "equilibrium", 8, 0, 0, 3, "ising_hot"],
        ["rfim3d", "tempering", 4, 0.9, 0, 3, "rfim_L4_h"],
    ]
    made = study.combined("rfim_L4_h")
    mine = table[table["model"] == "rfim3d"]
    assert (mine["value"].values == made["value"].values)[made["value"].notna()].all()
    assert set(table["verdict"].dropna()) <= {"passed", "failed"} and table["t"].max() == 64
    slots = pd.read_csv(tmp_path / "tables" / "verdicts.csv")
    assert slots[["part", "model", "method", "L", "h", "p", "seed"]].values.tolist() == [
        ["rfim_L4_h", "rfim3d", "tempering", 4, 0.9, 0, 3]
    ]


def test_rows_of_a_sweep_are_chosen_by_h_p_seed_and_part(study: MadeStudy, tmp_path: Path) -> None:
    tabulate(study, ["ea_L4", "ea_L4_p", "ea_L6", "rfim_L4", "rfim_L4_h"], tmp_path)
    record = {"parts": [{"name": "ea_L4_p", "sweep": {"part": "bonds", "p": 0.3}}, {"name": "ea_L4"}]}
    (tmp_path / "study.json").write_text(json.dumps(record))
    whole = psflip.table(tmp_path)

    def parts(**where: object) -> set[str]:
        rows = psflip.table(tmp_path, **where)
        assert list(rows.index) == list(range(len(rows)))
        return {name for names in rows["part"] for name in names.split(" / ")}

    assert parts(p=0.3) == parts(part="bonds") == parts(part="ea_L4_p") == {"ea_L4_p"}
    assert parts(h=[0.9, 0.3 * 3]) == parts(h=np.array([0.9])) == {"rfim_L4_h"}
    assert parts(h=[0.9, 1]) == {"rfim_L4", "rfim_L4_h"} and parts(seed=3) == {*whole["part"]}
    assert parts(model="ea3d", L=4) == {"ea_L4", "ea_L4_p"}
    assert len(psflip.table(tmp_path, part=["ea_L4", "ea_L6"])) == (whole["part"].isin(["ea_L4", "ea_L6"])).sum()
    one = psflip.table(tmp_path, h=1, T=4, observable="U4")
    expected = whole[(whole["h"] == 1) & (whole["T"] == 4) & (whole["observable"] == "U4")]
    assert len(one) == 1 and one["value"].tolist() == expected["value"].tolist()
    for where, sentence in (
        ({"h": 2.0}, "has no data with h = 2.0; it has h = 0.0, 0.9, 1.0; choose among these"),
        ({"p": 0.3, "h": 1}, "it has p = 0.0, 0.3, 0.5; h = 0.0, 0.9, 1.0"),
        ({"part": "none"}, "it has part = ea_L4, ea_L4_p, ea_L6, rfim_L4, rfim_L4_h"),
        (
            {"size": 4},
            "There is no condition on size of a table; give some of model, method, L, h, p, T, t, seed, part",
        ),
    ):
        with pytest.raises(psflip.PsflipError, match=sentence.replace(".", r"\.")):
            psflip.table(tmp_path, **where)


def test_a_point_that_parts_share_stands_once_with_the_names_of_both(study: MadeStudy, tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(study.folder / "tables" / "ising_hot", tmp_path / "tables" / name)
    tabulate(MadeStudy(tmp_path), ["one", "two"], tmp_path / "study")
    table = psflip.table(tmp_path / "study")
    assert set(table["part"]) == {"one / two"} and len(table) == len(study.combined("ising_hot"))
    assert len(psflip.table(tmp_path / "study", part="two")) == len(table)


@pytest.mark.parametrize("name", ["rfim3d", "ea3d_equilibrium_small"])
def test_published_tables_of_older_versions_are_read(name: str) -> None:
    folder = ROOT / "results" / "published" / name
    table = psflip.table(folder)
    assert list(table.columns) == COLUMNS and len(table) > 100
    study = json.loads((folder / "study.json").read_text())
    assert set(table["model"]) == {study["parts"][0]["model"]} and set(table["method"]) == {"tempering"}
    assert set(table["seed"]) == {study["seed"]} and set(table["h"]) == {float(study["parts"][0].get("h", 0))}
    assert table["verdict"].isin(["passed", "failed"]).any()


@pytest.mark.parametrize("garbage", [b"\xff\xfe", b"{", b"[" * 100_000, b"[]", b'{"parts": 1}', b'{"parts": [1]}'])
def test_a_record_that_someone_has_overwritten_is_refused_in_one_sentence(garbage: bytes, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "results" / "published" / "rfim3d" / "tables", tmp_path / "tables")
    (tmp_path / "study.json").write_bytes(garbage)
    with pytest.raises(
        psflip.PsflipError, match="study.json is no record of a study; remove it and run the study again"
    ):
        psflip.table(tmp_path)


def test_a_folder_without_a_table_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(psflip.PsflipError, match="has no tables/observables.csv; run the study to its end"):
        psflip.table(tmp_path)
