"""Files of every released version are still read, and the same jobs still write the same data."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import h5py
import pytest

from conftest import BUILD
from workflows.study.presets import presets

VERSIONS = Path(__file__).parent
MEASURED = sorted(path.with_suffix("") for path in VERSIONS.glob("*/*.csv"))
NAMES = [f"{path.parent.name}-{path.name}" for path in MEASURED]
# 0.1.1 corrected the jackknife of design effects, which the tables of 0.1.0 have too large by g / (g - 1).
CORRECTED = "design_effect_"
ADDED = {"flow_cold", "flow_hot", "L", "h", "p"}  # since 0.3: of tempering, and axes


def run(program: str, *arguments: str | Path) -> None:
    done = subprocess.run([BUILD / "bin" / program, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def rows(table: Path) -> list[dict[str, str]]:
    with table.open(newline="") as lines:
        return [row for row in csv.DictReader(lines) if not row["observable"].startswith(CORRECTED)]


def datasets(file: Path) -> dict[str, bytes]:
    with h5py.File(file) as h5:
        return {name: dataset[()].tobytes() for name, dataset in h5.items()}


@pytest.mark.parametrize("stored", MEASURED, ids=NAMES)
def test_measurements_and_sums_of_older_versions_give_the_tables_of_then(stored: Path, tmp_path: Path) -> None:
    run("psflip-analysis", "reduce", stored.with_suffix(".h5"), "--output", tmp_path / "reduced.h5")
    for reduced in (tmp_path / "reduced.h5", stored.with_name(f"{stored.name}_reduced.h5")):
        run("psflip-analysis", "combine", reduced, "--output", tmp_path / "table.csv")
        then = rows(stored.with_suffix(".csv"))
        now = [{key: row[key] for key in then[0]} for row in rows(tmp_path / "table.csv")]
        assert len(then) > 5 and now == then


@pytest.mark.parametrize("stored", MEASURED, ids=NAMES)
def test_a_job_of_an_older_version_writes_the_same_data(stored: Path, tmp_path: Path) -> None:
    file = stored.with_suffix(".h5")
    with h5py.File(file) as h5:
        job = str(h5.attrs["job"])
    table = job[1 : job.index("]")]
    model, _, method = table.partition(".")
    method = method or presets()[model].method  # since 0.2 the table of a job is named after model and method
    (tmp_path / "job.toml").write_text(job.replace(f"[{table}]", f"[{model}.{method}]", 1))
    run("psflip", "--config", tmp_path / "job.toml", model, method, "--backend", "cpu", "--output", tmp_path / "new.h5")
    then = datasets(file)
    now = datasets(tmp_path / "new.h5")
    assert then and {name: now[name] for name in then} == then
    assert now.keys() - then.keys() <= ADDED
