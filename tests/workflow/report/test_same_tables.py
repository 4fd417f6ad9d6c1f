"""The comparison of two versions of psflip-analysis finds what differs, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from same_tables import file_differences

from conftest import BUILD, ROOT

ANALYSIS = BUILD / "bin" / "psflip-analysis"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Measurements of two small systems."""
    if not ANALYSIS.exists() or not (BUILD / "bin" / "psflip").exists():
        pytest.skip("psflip or psflip-analysis is not built")
    for size in ("4", "6"):
        folder = tmp_path / "results" / "shards" / f"ea3d_L{size}"
        folder.mkdir(parents=True)
        job = ["--L", size, "--T", "1.1", "--samples", "0:64", "--sweeps", "64", "--seed", "1", "--random", "shared"]
        subprocess.run(
            [BUILD / "bin" / "psflip", "ea3d", "relaxation", *job, "--output", folder / "0_64.h5"], check=True
        )
    return tmp_path / "results"


def compare(old: Path, new: Path, results: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tests" / "workflow" / "same_tables.py", old, new, results]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_program_writes_the_same_tables_as_itself(results: Path) -> None:
    done = compare(ANALYSIS, ANALYSIS, results)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" 0 differences\n")


def changed(folder: Path, afterwards: str) -> Path:
    """The program with other consequences: `afterwards` is a command of bash that may read its exit code $code."""
    program = folder / "changed"
    program.write_text(f'#!/usr/bin/env bash\n"{ANALYSIS}" "$@"\ncode=$?\n{afterwards}\nexit $code\n')
    program.chmod(0o755)
    return program


def test_a_changed_table_is_reported(results: Path, tmp_path: Path) -> None:
    append = 'for word; do if [[ $word == *.csv && -f $word ]]; then echo >> "$word"; fi; done'
    done = compare(ANALYSIS, changed(tmp_path, append), results)
    assert done.returncode == 1
    assert "another table or exit code" in done.stdout


def test_the_exit_code_of_a_refusal_counts_and_its_wording_does_not(results: Path, tmp_path: Path) -> None:
    reworded = compare(ANALYSIS, changed(tmp_path, "((code == 0)) || echo In other words: no. >&2"), results)
    assert reworded.returncode == 0, reworded.stdout + reworded.stderr
    accepted = compare(ANALYSIS, changed(tmp_path, "code=0"), results)
    assert accepted.returncode == 1
    assert "another table or exit code" in accepted.stdout


def test_files_may_gain_attributes_but_neither_lose_one_nor_change_a_value(tmp_path: Path) -> None:
    def write(name: str, values: list[float], **attributes: str) -> Path:
        with h5py.File(tmp_path / name, "w") as file:
            file["block_e"] = np.array(values)
            file.attrs.update(attributes)
        return tmp_path / name

    old = write("old.h5", [1.0, 2.0], model="ea3d")
    assert list(file_differences(old, write("more.h5", [1.0, 2.0], model="ea3d", definition_xi="..."))) == []
    assert list(file_differences(old, write("less.h5", [1.0, 2.0]))) == ["less.h5: the attribute model is gone"]
    bits = write("bits.h5", [1.0, np.nextafter(2.0, 3.0)], model="ea3d")
    assert list(file_differences(old, bits)) == ["bits.h5: block_e has other values"]
