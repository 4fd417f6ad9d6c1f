"""The 2D Ising model in Python: the spins of psflip with its addressed numbers, plain, compiled by Numba and on a GPU."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from conftest import BUILD, ROOT
from workflows.laboratory.numba_ising2d import DeviceArrays, HostArrays, Lattice
from workflows.laboratory.square_functions import functions

ENGINE = BUILD / "bin" / "psflip"
SAMPLE, SEED, TIMES = 37, 5, (1, 2, 4, 6)


def plain(function: Any) -> Any:
    """Instead of a compiler."""
    return function


def require_numba() -> None:
    if importlib.util.find_spec("numba") is None:
        pytest.skip("Numba is not installed (workflows/environment/laboratory.txt)")


def expect_spins_of_psflip(arrays: Any, folder: Path, size: int, temperature: float) -> None:
    """From the spins after one sweep to those of all later times."""
    if not ENGINE.exists():
        pytest.skip("psflip is not built")
    file = folder / f"L{size}_T{temperature}.h5"
    job = f"ising2d relaxation --L {size} --T {temperature} --samples {SAMPLE}:1 --sweeps {TIMES[-1]} --seed {SEED}"
    times = ",".join(map(str, TIMES))
    subprocess.run([ENGINE, *job.split(), "--save-spins", times, "--output", file], check=True, capture_output=True)
    with h5py.File(file) as data:
        spins = data["spins"][0, :, 0, 0]
    lattice = Lattice(arrays, spins[0], temperature, SEED, SAMPLE)
    lattice.half_sweep = 2 * TIMES[0]
    for i, (before, after) in enumerate(zip(TIMES, TIMES[1:]), 1):
        lattice.advance(2 * (after - before))
        np.testing.assert_array_equal(lattice.all_spins(), spins[i])


def test_philox_has_the_published_answers() -> None:
    """Random123 1.09, kat_vectors: philox4x32, 10 rounds."""
    philox = functions(plain).philox
    ones = 0xFFFFFFFF
    assert philox(0, 0, 0, 0, 0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert philox(ones, ones, ones, ones, ones, ones) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)


def test_the_lattice_in_plain_python_has_the_spins_of_psflip(tmp_path: Path) -> None:
    for size in (4, 6, 10):
        for temperature in (2.5, 1.2):
            expect_spins_of_psflip(HostArrays(plain), tmp_path, size, temperature)


def test_the_lattice_compiled_by_numba_has_the_spins_of_psflip(tmp_path: Path) -> None:
    require_numba()
    import numba

    arrays = HostArrays(numba.njit)
    for size in (4, 6, 10, 64):
        expect_spins_of_psflip(arrays, tmp_path, size, 2.5)


def test_the_lattice_on_a_gpu_has_the_spins_of_psflip(tmp_path: Path) -> None:
    require_numba()
    from numba import cuda

    if not cuda.is_available():
        pytest.skip("no GPU")
    for size in (4, 6, 10, 64):
        expect_spins_of_psflip(DeviceArrays(), tmp_path, size, 2.5)


def test_the_kernels_in_the_simulator_of_numba_have_the_spins_of_psflip(tmp_path: Path) -> None:
    require_numba()
    if os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":  # Numba reads it when it is imported
        test = f"{__file__}::test_the_kernels_in_the_simulator_of_numba_have_the_spins_of_psflip"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
        environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout
        return
    expect_spins_of_psflip(DeviceArrays(), tmp_path, 4, 2.5)


def test_floats_and_integers_give_the_same_energy(tmp_path: Path) -> None:
    """Means over times of the energy of a site at T = 4: both within five errors of one another."""
    energies = []
    for sample in (None, SAMPLE):
        lattice = Lattice(HostArrays(plain), np.ones((16, 16), np.int8), 4.0, SEED, sample)
        series = []
        for _ in range(40):
            lattice.advance(2)
            spins = lattice.all_spins().astype(int)
            series.append(-(spins * (np.roll(spins, 1, 0) + np.roll(spins, 1, 1))).mean())
        energies.append(np.array(series[8:]))
    error = np.hypot(*(series.std() / np.sqrt(len(series) / 4) for series in energies))  # tau_int is below 2 sweeps
    assert abs(energies[0].mean() - energies[1].mean()) < 5 * error


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "workflows.laboratory.numba_ising2d", *arguments]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_command_writes_the_table_of_psflip_lab(tmp_path: Path) -> None:
    require_numba()
    reference = tmp_path / "lab.json"
    reference.write_text(json.dumps({"table": [{"variant": "scalar", "L": 8, "ps_per_flip": 1e4}]}))
    output = tmp_path / "numba.json"
    result = command("--L", "8,16", "--seconds", "0.001", "--json", str(output), "--reference", str(reference))
    assert result.returncode == 0, result.stderr
    table = json.loads(output.read_text())["table"]
    assert [row["L"] for row in table] == [8, 16]
    for row in table:
        assert row["speedup"] * row["ps_per_flip"] == pytest.approx(1e4)
        assert row["ps_per_flip"] == pytest.approx(1e12 * row["seconds"] / row["flips"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--L", "7"], ["--L 7", "even"]),
        (["--L", "4194304"], ["--L 4194304", "GiB"]),
        (["--beta", "0"], ["--beta"]),
        (["--reference", "none.json"], ["--reference none.json", "psflip-lab ising2d"]),
    ],
)
def test_bad_input_is_refused_in_one_sentence(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    result = command(*arguments, "--json", str(tmp_path / "numba.json"))
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
    for word in words if importlib.util.find_spec("numba") else ["Numba is not installed", "laboratory.txt"]:
        assert word in result.stderr
