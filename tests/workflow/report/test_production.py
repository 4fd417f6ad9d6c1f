"""The speed of a study's runs compared with the benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workflows.critical.production import NO_TURNS, speed_section, speeds


def benchmark_of(folder: Path, **jobs: dict[str, object]) -> None:
    for name, job in jobs.items():
        text = json.dumps([{"device": "GPU", "model": "ea3d", "mode": "shared", "code_version": "0.2.0"} | job])
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def runs(*rows: tuple[int, int, float]) -> pd.DataFrame:
    """Runs of 10 sweeps of 2 replicas: L, samples, seconds."""
    same = {"model": "ea3d", "device": "GPU", "random": "shared", "replicas": 2, "sweeps": 10, "shards": 3, "turns": 1}
    same |= {"code_version": "0.2.0"}
    return pd.DataFrame([same | {"L": L, "samples": samples, "core_seconds": cost} for L, samples, cost in rows])


def test_runs_of_a_size_are_added_and_stand_beside_the_fastest_benchmark_of_that_size(tmp_path: Path) -> None:
    benchmark_of(
        tmp_path,
        slow={"L": 10, "ps_per_flip": 2e3},
        fast={"L": 10, "ps_per_flip": 1e3},
        other_gpu={"L": 10, "ps_per_flip": 1, "device": "another"},
        other_mode={"L": 10, "ps_per_flip": 1, "mode": "independent"},
        other_version={"L": 10, "ps_per_flip": 1, "code_version": "0.3.0"},
        other_size={"L": 8, "ps_per_flip": 1},
    )
    table = speeds(runs((10, 30, 1.0), (10, 20, 1.0), (12, 10, 1.0)), tmp_path).set_index("L")
    assert table.loc[10, "shards"] == 6
    assert table.loc[10, "flips"] == 1e6  # 1000 sites, 50 samples, 2 replicas, 10 sweeps
    assert table.loc[10, "ps_per_flip"] == pytest.approx(2e6)
    assert table.loc[10, "benchmark"] == 1e3
    assert np.isnan(table.loc[12, "benchmark"])


def test_clocks_of_jobs_that_took_no_turns_are_no_speed(tmp_path: Path) -> None:
    benchmark_of(tmp_path, a={"L": 10, "ps_per_flip": 1e6})
    mixed = pd.concat([runs((10, 50, 2.0)), runs((10, 50, 90.0)).assign(turns=0)])
    assert speeds(mixed, tmp_path)["core_seconds"].tolist() == [2.0]
    assert speed_section(runs((10, 50, 90.0)).assign(turns=0), tmp_path) == NO_TURNS
    assert speed_section(runs((10, 50, 90.0)).drop(columns="turns"), tmp_path) == NO_TURNS


def test_the_share_of_all_counts_the_sizes_of_the_benchmark_alone(tmp_path: Path) -> None:
    benchmark_of(tmp_path, a={"L": 10, "ps_per_flip": 1e6}, b={"L": 20, "ps_per_flip": 1e6})
    text = speed_section(runs((10, 50, 2.0), (20, 50, 10.0), (12, 10, 99.0)), tmp_path)
    # 1e6 and 8e6 flips in 12 s, at benchmark speeds in 9 s
    assert "| all that the benchmark has | 6 | 9e+06 | 12 s | 1.33e+06 | 1e+06 | 75% |" in text
    assert "| 12 | 3 | 3.5e+05 | 99 s | 2.86e+08 |  |  |" in text
