"""Grids of temperatures by psflip: numbers of slots, ratios at equal error, a run at small size, refusals."""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import made_up_laboratory as made_up
from conftest import BUILD, ROOT
from workflows.laboratory import temperature_grids
from workflows.laboratory.measurements import read_measurement
from workflows.laboratory.pages import page_of
from workflows.laboratory.temperature_grids import (
    Found,
    Runs,
    described,
    equally_spaced,
    length_of,
    slots_for,
    variance_ratio,
)

# Stands for psflip-lab: the scalar reference, made up.
REFERENCE = "#!/usr/bin/env bash\ncp {file} ${{*: -1}}\n"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """build/bin of a folder, with a stand-in for psflip-lab."""
    folder = tmp_path / "build" / "bin"
    folder.mkdir(parents=True)
    for name in ("psflip", "psflip-analysis"):
        if not (BUILD / "bin" / name).is_file():
            pytest.skip(f"{name} is not built")
        (folder / name).symlink_to(BUILD / "bin" / name)
    content = made_up.measurement("reference", [made_up.row("scalar", "plain", "minstd", 4, 8000.0)])
    file = tmp_path / "reference.json"
    file.write_text(json.dumps(content))
    (folder / "psflip-lab").write_text(REFERENCE.format(file=file))
    (folder / "psflip-lab").chmod(0o755)
    return tmp_path


def start(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workflows.laboratory.temperature_grids", "--json", "grids.json", *words]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


SMALL = ("--L", "4", "--samples", "64", "--steps", "32", "--interval", "2", "--sparse", "3", "--dense", "5", "--trials", "2",
         "--trial-samples", "32", "--equal", "4", "--equal-trials", "1")  # fmt: skip


def test_lengths_are_those_of_the_complementary_error_function() -> None:
    for rate in (0.01, 0.2, 0.4, 0.9):
        assert math.erfc(length_of(rate)) == pytest.approx(rate, rel=1e-9)
    # erfc(0.5) = 0.48: the same range needs half the intervals of length 0.25.
    assert slots_for(11, math.erfc(0.25), math.erfc(0.5)) == 6
    assert slots_for(6, math.erfc(0.5), math.erfc(0.25)) in (11, 12)  # rounded up


def test_grids_begin_with_the_slots_of_psflip_itself() -> None:
    assert equally_spaced(2.8, 4.7, 4) == [2.8, 3.43333, 4.06667, 4.7]


def found_with(errors: dict[float, float], name: str = "sparse") -> Found:
    rows = [{"T": T, "observable": "C", "value": 1.0, "error": error} for T, error in errors.items()]
    return Found(name, len(errors), 1.0, 1e9, pd.DataFrame(rows))


def test_a_ratio_of_variances_is_the_mean_over_the_slots_of_the_sparse_grid() -> None:
    sparse = found_with({3.0: 0.2, 4.0: 0.4})
    dense = found_with({3.0: 0.1, 3.5: 9.0, 4.0: 0.1})
    assert variance_ratio(dense, dense, sparse, "C") == pytest.approx(1)
    assert variance_ratio(sparse, dense, sparse, "C") == pytest.approx(math.sqrt(4 * 16))
    assert variance_ratio(found_with({3.0: 0.0, 4.0: 0.0}), dense, sparse, "C") is None


def test_every_grid_is_simulated_and_has_its_page(programs: Path) -> None:
    done = start(programs, *SMALL)
    assert done.returncode == 0, done.stderr
    content = json.loads((programs / "grids.json").read_text())
    assert content["command"].startswith("python -m workflows.laboratory.temperature_grids --json grids.json --L 4")
    grids = {row["grid"]: row for row in content["grids"]}
    assert list(grids) == ["sparse", "dense", "adaptive", "equal_rates", "more_slots"]
    assert [row["slots"] for row in grids.values()][:4] == [3, 5, 5, 4] and grids["more_slots"]["slots"] >= 3
    assert [len(rates) for rates in grids["adaptive"]["rates_of_trials"]] == [2, 3, 4]
    assert {row["trial_samples"] for row in grids.values()} == {32}
    assert all(0 < row["lowest_rate"] <= row["highest_rate"] < 1 for row in grids.values())
    assert grids["sparse"]["mean_rate"] < grids["dense"]["mean_rate"]
    assert grids["dense"]["variance_C"] == grids["dense"]["variance_U4"] == 1
    flips = {row["variant"]: row["flips"] for row in content["table"] if row["variant"] != "scalar"}
    for name, row in grids.items():
        assert flips[name] == pytest.approx(64 * 64 * 2 * 64 * row["slots"])  # sites, samples, sets, sweeps
    (programs / "003_temperature_grids.json").write_text(json.dumps(content))
    page = page_of("003", [read_measurement(programs / "003_temperature_grids.json")], set())
    assert len(page.lessons) >= 1 and sum(1 for block in page.blocks if block.table) == 2


def test_a_grid_without_round_trips_has_none() -> None:
    rows = [{"T": T, "observable": name, "value": 0.1, "error": 0.1, "equilibrated": 0.0}
            for T in (3.0, 4.0) for name in ("C", "U4", "exchange_rate")]  # fmt: skip
    found = Found("sparse", 2, 1.0, 1e9, pd.DataFrame(rows))
    options = argparse.Namespace(L=4, samples=64, steps=32, interval=2, device="cpu", threads=1, trial_samples=64)
    row = described(found, found, found, options)
    assert "flips_per_round_trip" not in row and row["passed"] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--T", "4"), "--T: give the coldest and the hottest temperature"),
        (("--T", "4,3"), "--T: give the coldest and the hottest temperature"),
        (("--sparse", "1"), "--sparse 1: exchanges need 2 to 256 slots"),
        (("--dense", "5"), "--dense 5: has no more slots than --sparse 5"),
        (("--steps", "4"), "--steps 4: bins of a run have too few exchanges"),
        (("--samples", "8"), "--samples 8: errors need 16 blocks"),
        (("--trials", "0"), "--trials 0: give at least 1"),
        (("--trial-samples", "0"), "--trial-samples 0: give at least 1"),
        (("--rate", "1"), "--rate 1: a rate lies between 0 and 1"),
        (("--L", "7"), "psflip: --L 7"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(words: tuple[str, ...], sentence: str, programs: Path) -> None:
    done = start(programs, *words)
    assert done.returncode == 2 and done.stderr.startswith(sentence) and done.stderr.count("\n") == 1, done.stderr
    assert not (programs / "grids.json").exists()


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    done = start(tmp_path)
    assert done.returncode == 2 and "build it with ninja -C build psflip" in done.stderr


def test_too_many_slots_are_refused_before_the_last_simulation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    options = argparse.Namespace(
        T=[2.8, 4.7], sparse=2, dense=3, insertions=1, trials=1, trial_samples=64, equal=200, equal_trials=1, rate=0.9
    )
    rows = [{"T": 3.0, "observable": "exchange_rate", "value": 0.2, "error": 0.1}]
    monkeypatch.setattr(Runs, "simulated", lambda *_: Found("", 200, 1.0, 1e9, pd.DataFrame(rows)))
    monkeypatch.setattr(Runs, "adapted", lambda *_: Found("", 200, 1.0, 1e9, pd.DataFrame(rows)))
    with pytest.raises(temperature_grids.StudyError, match="--rate 0.9: needs .* slots, at most 256"):
        list(Runs(options, tmp_path).all())
