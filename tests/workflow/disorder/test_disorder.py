"""Samples that other programs write with h5py and psflip simulates; files that it refuses in one sentence."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from conftest import BUILD

ENGINE = BUILD / "bin" / "psflip"
SAMPLES, L = 40, 6
JOB = "ea3d relaxation --L 6 --T 1.1 --sweeps 16 --seed 5 --replicas 2"
FIELD_JOB = "rfim2d equilibrium --L 6 --h 1 --T 2 --sweeps 32 --bins 2 --measure-interval 4 --seed 5"

ISING_JOB = "ising2d relaxation --L 6 --T 2 --sweeps 4 --seed 1 --samples 0:2"


def signs(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).choice(np.array([-1, 1], dtype=np.int8), size=shape)


def write(path: Path, **arrays: Any) -> Path:
    """A file of ea3d with some datasets replaced, or left out by None."""
    content = {"sample": np.arange(100, 100 + SAMPLES), "couplings": signs(SAMPLES, 3, L, L, L)} | arrays
    with h5py.File(path, "w") as file:
        for name, values in content.items():
            if values is not None:
                file[name] = values
    return path


def run(folder: Path, job: str, *options: str) -> subprocess.CompletedProcess[str]:
    if not ENGINE.exists():
        pytest.skip("psflip is not built")
    command = [str(ENGINE), *job.split(), "--output", "out.h5", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def refused(folder: Path, words: str, *options: str, job: str = JOB) -> None:
    result = run(folder, job, *options)
    assert result.returncode == 2, result.stderr
    assert words in result.stderr, result.stderr
    assert result.stderr.count("\n") == 1 and ". " not in result.stderr.strip(), result.stderr
    assert not (folder / "out.h5").exists()


def bond_sums(spins: np.ndarray, couplings: np.ndarray) -> np.ndarray:
    """[sample, replica] from spins [sample, replica, z, y, x] and couplings [sample, direction, z, y, x]."""
    total = np.zeros(spins.shape[:2], dtype=int)
    for direction in range(3):
        bonds = couplings[:, np.newaxis, direction] * spins * np.roll(spins, -1, axis=-1 - direction)
        total += bonds.sum(axis=(2, 3, 4), dtype=int)
    return total


def fnv1a(data: bytes) -> str:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def test_couplings_of_h5py_are_simulated_and_their_energies_are_those_of_the_saved_spins(tmp_path: Path) -> None:
    path = write(tmp_path / "own.h5")
    result = run(tmp_path, JOB, "--disorder", "own.h5", "--save-disorder", "--save-spins", "2,16")
    assert result.returncode == 0, result.stderr
    with h5py.File(path) as given, h5py.File(tmp_path / "out.h5") as found:
        couplings = given["couplings"][()]
        assert np.array_equal(found["couplings"][()], couplings)
        assert np.array_equal(found["sample"][()], given["sample"][()])
        times = list(found["time"][()])
        for k, sweeps in enumerate(found["spin_time"][()]):
            wanted = bond_sums(found["spins"][0, k], couplings)
            assert np.array_equal(found["bond_sum"][0, times.index(sweeps)], wanted)
        pieces = [int(i).to_bytes(8, "little") + couplings[k].tobytes() for k, i in enumerate(given["sample"])]
        assert found.attrs["disorder_hash"] == fnv1a(b"".join(pieces))


def test_any_chunks_compression_and_integer_type_of_h5py_are_read(tmp_path: Path) -> None:
    expected, found = [], []
    values = signs(SAMPLES, L, L)
    for kind, options in [
        (np.int8, {}),
        (np.int64, {"chunks": (7, 3, 5), "compression": "gzip", "shuffle": True, "fletcher32": True}),
        (">i2", {"chunks": True}),
    ]:
        with h5py.File(tmp_path / "own.h5", "w") as file:
            file["sample"] = np.arange(SAMPLES, dtype=np.int32)
            file.create_dataset("fields", data=values.astype(kind), **options)
        result = run(tmp_path, FIELD_JOB, "--disorder", "own.h5", "--save-disorder")
        assert result.returncode == 0, result.stderr
        with h5py.File(tmp_path / "out.h5") as file:
            found.append((file["fields"][()], file["field_sum"][()], file.attrs["disorder_hash"]))
        expected.append(values)
    for (fields, sums, name), wanted in zip(found, expected, strict=True):
        assert np.array_equal(fields, wanted)
        assert np.array_equal(sums, found[0][1]) and name == found[0][2]


def test_some_samples_of_a_file_are_simulated_as_in_a_job_of_all(tmp_path: Path) -> None:
    write(tmp_path / "own.h5", sample=np.r_[10:30, 100:120])
    refused(tmp_path, "gaps between 10 and 119; choose consecutive ones with --samples", "--disorder", "own.h5")
    data = []
    for samples in ("100:20", "105:3"):
        result = run(tmp_path, JOB, "--disorder", "own.h5", "--samples", samples, "--save-spins")
        assert result.returncode == 0, result.stderr
        with h5py.File(tmp_path / "out.h5") as file:
            data.append(file["spins"][()])
    assert np.array_equal(data[0][:, 5:8], data[1])


def test_a_file_of_another_model_or_size_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "ea3d.h5")
    write(tmp_path / "rfim2d.h5", couplings=None, fields=signs(SAMPLES, L, L))
    write(tmp_path / "none.h5", couplings=None)
    refused(tmp_path, "it holds fields, which ea3d does not have", "--disorder", "rfim2d.h5")
    refused(tmp_path, "it holds couplings, which rfim2d does not have", "--disorder", "ea3d.h5", job=FIELD_JOB)
    refused(tmp_path, "it has no dataset couplings, which ea3d needs", "--disorder", "none.h5")
    for shape in [(SAMPLES, 3, 8, 8, 8), (SAMPLES, 2, L, L), (SAMPLES - 1, 3, L, L, L), (SAMPLES, 3, L, L, L, 1)]:
        write(tmp_path / "other.h5", couplings=signs(*shape))
        refused(tmp_path, f"has the shape [{', '.join(map(str, shape))}]", "--disorder", "other.h5")


def test_a_huge_shape_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = write(tmp_path / "huge.h5", sample=None)
    with h5py.File(path, "a") as file:
        file.create_dataset("sample", shape=(2**40,), dtype=np.int64, chunks=(1024,))
    refused(tmp_path, "a list of 1 to 16777216 ids is needed", "--disorder", "huge.h5")


@pytest.mark.parametrize("value", [0, 2, -2, 127, 300, -257])
def test_values_other_than_signs_are_refused(tmp_path: Path, value: int) -> None:
    couplings = signs(SAMPLES, 3, L, L, L).astype(np.int64)
    couplings[-1, 2, 5, 5, 5] = value
    write(tmp_path / "own.h5", couplings=couplings)
    refused(tmp_path, "but only +1 and -1 are disorder", "--disorder", "own.h5")


def test_other_types_of_numbers_are_refused(tmp_path: Path) -> None:
    for values in (signs(SAMPLES, 3, L, L, L).astype(float), signs(SAMPLES, 3, L, L, L) > 0):
        write(tmp_path / "own.h5", couplings=values)
        refused(tmp_path, "couplings holds no integers; write it as int8", "--disorder", "own.h5")


def add_virtual(file: h5py.File) -> None:
    layout = h5py.VirtualLayout(shape=(SAMPLES, 3, L, L, L), dtype=np.int8)
    layout[...] = h5py.VirtualSource("target.h5", "couplings", shape=(SAMPLES, 3, L, L, L))
    file.create_virtual_dataset("couplings", layout)


def add_external_storage(file: h5py.File) -> None:
    shape = (SAMPLES, 3, L, L, L)
    file.create_dataset("couplings", shape, dtype=np.int8, external=[("target.bin", 0, int(np.prod(shape)))])


LINKS: dict[str, Callable[[h5py.File], None]] = {
    "an external link": lambda file: file.__setitem__("couplings", h5py.ExternalLink("target.h5", "couplings")),
    "a soft link": lambda file: file.__setitem__("couplings", h5py.SoftLink("/elsewhere")),
    "a dangling soft link": lambda file: file.__setitem__("couplings", h5py.SoftLink("/nowhere")),
    "a virtual dataset": add_virtual,
    "external storage": add_external_storage,
}


@pytest.mark.parametrize("kind", LINKS)
def test_links_to_other_files_and_places_are_refused(tmp_path: Path, kind: str) -> None:
    write(tmp_path / "target.h5")
    (tmp_path / "target.bin").write_bytes(signs(SAMPLES, 3, L, L, L).tobytes())
    with h5py.File(write(tmp_path / "own.h5", couplings=None, elsewhere=signs(SAMPLES, 3, L, L, L)), "a") as file:
        LINKS[kind](file)
    refused(tmp_path, "is a link or lies in another file", "--disorder", "own.h5")


def test_sample_ids_that_are_missing_or_no_list_of_ids_are_refused(tmp_path: Path) -> None:
    for ids, words in [
        (None, "no dataset sample"),
        (np.arange(SAMPLES)[::-1], "do not increase"),
        (np.arange(SAMPLES) - 1, "do not increase from 0"),
        (np.zeros(SAMPLES, dtype=int), "do not increase"),
        (np.arange(SAMPLES).reshape(5, 8), "a list of 1 to"),
        (np.arange(SAMPLES, dtype=float), "sample holds no integers"),
        (np.arange(SAMPLES) + 2**45 - 8, "sample ids must stay below 2^45"),
    ]:
        write(tmp_path / "own.h5", sample=ids)
        refused(tmp_path, words, "--disorder", "own.h5")


def test_samples_that_the_file_does_not_have_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "own.h5")
    for samples in ("0:8", "99:2", "139:2", "100:41", "140:1"):
        refused(tmp_path, "does not hold all samples", "--disorder", "own.h5", "--samples", samples)


def test_a_truncated_or_changed_file_is_refused(tmp_path: Path) -> None:
    own, saved = write(tmp_path / "own.h5").read_bytes(), tmp_path / "saved.h5"
    assert run(tmp_path, JOB, "--samples", "0:8", "--save-disorder").returncode == 0
    (tmp_path / "out.h5").rename(saved)
    sealed = saved.read_bytes()
    for content, words in [
        (own[: len(own) // 2], "truncated or no HDF5 file"),
        (b"no HDF5 file at all" * 100, "truncated or no HDF5 file"),
        (b"", "truncated or no HDF5 file"),
        (sealed[: len(sealed) // 2], "truncated or no HDF5 file"),
        (sealed[:-1], "the seal at its end is missing"),
        (sealed[:-24], "the seal at its end is missing"),
        (sealed[:5000] + bytes([sealed[5000] ^ 1]) + sealed[5001:], "its checksum is wrong"),
    ]:
        (tmp_path / "bad.h5").write_bytes(content)
        refused(tmp_path, words, "--disorder", "bad.h5")
    refused(tmp_path, "there is no such file", "--disorder", "no.h5")
    refused(tmp_path, "it is not a file", "--disorder", ".")


def test_options_that_contradict_a_file_of_disorder_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "own.h5")
    refused(tmp_path, "--p:", "--disorder", "own.h5", "--p", "0.5")
    refused(tmp_path, "--couplings ferromagnet:", "--disorder", "own.h5", "--couplings", "ferromagnet")
    refused(tmp_path, "have the hash", "--disorder", "own.h5", "--disorder-hash", "0123456789abcdef")
    refused(tmp_path, "the model has no disorder", "--disorder", "own.h5", job=ISING_JOB)
    equal = signs(SAMPLES, 3, L, L, L)
    equal[7] = equal[3]
    write(tmp_path / "own.h5", couplings=equal, sample=np.arange(SAMPLES))
    refused(tmp_path, "the samples 3 and 7 of --disorder have the same couplings", "--disorder", "own.h5")
    assert run(tmp_path, JOB, "--disorder", "own.h5", "--random", "independent").returncode == 0


def test_spins_that_are_no_measurement_or_too_many_are_refused_and_their_size_is_said(tmp_path: Path) -> None:
    result = run(tmp_path, JOB, "--samples", "0:32", "--save-spins", "1,16")
    assert result.returncode == 0 and "--save-spins: 27648 spins, up to 0.00518 MB" in result.stderr, result.stderr
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["spins"].id.get_storage_size() <= 5180
    (tmp_path / "out.h5").unlink()
    refused(tmp_path, "the nearest are after 6 and 8", "--samples", "0:32", "--save-spins", "1,7")
    refused(tmp_path, "the nearest are after 16", "--samples", "0:32", "--save-spins", "17")
    refused(tmp_path, "the nearest are after 1.", "--samples", "0:32", "--save-spins", "0")
    for text in ("all", "1,,8", "-1", "1;8"):
        refused(tmp_path, "expected last, or numbers of sweeps", "--samples", "0:32", f"--save-spins={text}")
    refused(tmp_path, "at most 64 are allowed", "--samples", f"0:{2**30}", "--save-spins")
    refused(tmp_path, "at most 64 are allowed", "--samples", f"0:{2**44}", "--save-spins", job=JOB.replace("6", "256"))
