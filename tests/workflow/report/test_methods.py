"""Models without a subpackage of their own: figures, headline numbers and a page from the tables of their methods."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from conftest import ROOT, study_of
from workflows.models.registry import sections_of
from workflows.study.validation import check

STUDY = study_of(
    "Other methods",
    {"name": "quench", "model": "ising2d", "method": "relaxation", "T": [2.3], "sweeps": 64}
    | {"fit": {"from": 4, "to": 64, "eta": 0.25}},
    {"name": "glass", "model": "ea3d", "method": "equilibrium", "T": [1.0, 1.1, 1.2], "sweeps": 320, "bins": 8}
    | {"crossing": {"from": 0.9, "to": 1.3, "nu": 2.56, "omega": 1.12}},
    {"name": "field", "model": "rfim3d", "method": "equilibrium", "T": [4.0], "h": 1, "sweeps": 320},
    {"name": "tempered", "model": "ea3d", "method": "tempering", "T": [1.0, 1.2, 1.5], "sweeps": 640},
    {"name": "pure", "model": "ising2d", "method": "tempering", "T": [2.2, 2.3, 2.4], "sweeps": 640},
    L=[4, 8],
    samples=64,
)


def observables(part: dict[str, Any], names: list[str]) -> pd.DataFrame:
    """One row for each observable, size, temperature and time; values that differ but mean nothing."""
    times = [0, 1, 4, 16, 64] if part["method"] == "relaxation" else [None]
    rows = [
        {"model": part["model"], "L": L, "T": T, "t": t, "observable": name, "value": 1 + 0.1 * L + 0.01 * (t or 0)}
        for L in part["L"]
        for T in part["T"]
        for t in times
        for name in names
    ]
    table = pd.DataFrame(rows).assign(error=0.1, blocks=64, tau=2.0, equilibrated=1)
    return table.assign(method=part["method"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Tables of the study where the rules would have put them."""
    study = check(STUDY)
    quench, glass, field, tempered, pure = study["parts"]
    tables = [observables(quench, ["e", "m2"]), observables(glass, ["e", "q2", "m2", "U4", "xi_over_L"])]
    tables.append(observables(field, ["e", "C", "m2"]))
    slots = ["e", "U4", "xi_over_L", "tau_int_e", "exchange_rate", "round_trip_time"]
    tables.append(
        observables(tempered, [*slots, "flow_fraction", "q2", "tau_int_q2", *(f"P_q_{i}" for i in range(17))])
    )
    tables.append(observables(pure, [*slots, "m2", "tau_int_m2"]))
    pd.concat(tables).to_csv(tmp_path / "observables.csv", index=False)
    fit = {"L": 8, "T": 2.3, "exponent": 0.4, "error": 0.01, "z": 2.1, "z_error": 0.1, "t_min": 4, "t_max": 64}
    fit |= {"quantity": "xi", "chi2_dof": 1.0, "points": 9, "chi2_dof_covariance": None, "range": "whole"}
    crossing = {
        "observable": "U4",
        "L1": 4,
        "L2": 8,
        "T_crossing": 1.1,
        "error": 0.01,
        "value": 1.5,
        "value_error": 0.1,
    }
    crossing |= {"chi2_dof": 1.0, "T_min": 1.0, "T_max": 1.2, "equilibrated": 1, "blocks": 64}
    crossing |= {"error_systematic": None, "value_error_systematic": None}
    limit = crossing | {"L1": None, "L2": None, "T_crossing": 1.1119}
    for name, rows in (("quench/dynamics", [fit]), ("glass/crossing", [crossing, limit])):
        (tmp_path / name).parent.mkdir()
        pd.DataFrame(rows).to_csv(tmp_path / f"{name}.csv", index=False)
    origin = {"part": "quench", "model": "ising2d", "L": 4, "T": 2.3, "seed": 1, "temperatures": 1, "shards": 1}
    origin |= {"samples": 64, "sweeps": 64, "longer_samples": 0, "longer_times": 1, "replicas": 1, "core_seconds": 1.0}
    origin |= {"ps_per_flip": 1.0, "turns": 0, "last": "2026-11-23"}
    texts = ["code_version", "git_commit", "stream_version", "backend", "device", "instruction_set", "random"]
    pd.DataFrame([origin | dict.fromkeys(texts, "x")]).to_csv(tmp_path / "provenance.csv", index=False)
    (tmp_path / "study.json").write_text(json.dumps(study))
    return tmp_path


def run(folder: Path, module: str, *options: str) -> None:
    command = [sys.executable, "-W", "error", "-m", f"workflows.{module}", *options]
    environment = {"PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg", "PATH": ""}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_other_methods_of_known_models_end_with_a_report(folder: Path) -> None:
    options = ["--observables", "observables.csv"]
    sections = sections_of(json.loads((folder / "study.json").read_text()))
    for section in sections:
        run(folder, f"{section.package}.figures", "--model", section.model, *options, "--output", ".")
    figures = [f"{name}.svg" for section in sections for name in section.figure_names]
    assert sorted(figures) == sorted(path.name for path in folder.glob("*.svg")) and len(figures) == 14
    options += ["--study", "study.json", "--crossings", "glass/crossing.csv", "--dynamics", "quench/dynamics.csv"]
    run(folder, "statistics.summarize", *options, "--output", "summary.json")
    numbers = json.loads((folder / "summary.json").read_text())
    assert [number["name"] for number in numbers] == [
        "2D Ising model, relaxation: z from ξ, L = 8, T = 2.3",
        "3D Edwards-Anderson spin glass, equilibrium: crossing of U₄, L = 4, 8",
        "3D Edwards-Anderson spin glass, equilibrium: crossing of U₄, L → ∞",
    ]
    assert numbers[1]["verdict"] == "effective" and numbers[1]["reference"] is None
    assert numbers[2]["reference"] == 1.1019 and numbers[2]["verdict"] == "agrees"
    assert numbers[2]["pull"] == pytest.approx(0.01 / (0.01**2 + 0.0029**2) ** 0.5)
    options += ["--summary", "summary.json", "--provenance", "provenance.csv", "--figures", *figures]
    run(folder, "report.report", *options, "--command", "./study run", "--output", "report.html")
    text = (folder / "report.html").read_text()
    for sentence in (
        ">2D Ising model: relaxation</h2>",
        "Square lattice, periodic boundaries, H = −Σ s_i s_j.",
        "χ ∝ t^((2−η)/z) with η = 0.25",
        ">3D Edwards-Anderson spin glass: equilibrium</h2>",
        "with ν = 2.56, ω = 1.12 of the study",
        "H = −Σ s_i s_j − 1 Σ h_i s_i, h_i = ±1 with equal probability",
        "6 of 6 points (L, T) passed",
        ">3D Edwards-Anderson spin glass: exchange Monte Carlo</h2>",
        ">2D Ising model: exchange Monte Carlo</h2>",
        "6 of 6 slots (L, T) passed the equilibration test.",
    ):
        assert sentence in text
    assert text.count("The replica-flow fraction f is") == 1, "of the model that has it"
