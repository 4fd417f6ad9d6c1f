"""Measurement files as xarray Datasets."""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

import psflip
from conftest import ROOT, MadeStudy, run


def test_shards_of_one_run_are_joined_in_the_order_of_their_samples(study: MadeStudy) -> None:
    data = psflip.open(study.shards("ea_L4")[::-1])
    assert data["sample"].values.tolist() == list(range(160))
    assert data["overlap"].dims == ("T", "t", "sample", "pair") and data["overlap"].dtype == np.int32
    assert data.attrs["model"] == "ea3d" and (data.L, data.p, data.h, data.seed, data.sites) == (4, 0.5, 0, 3, 64)
    with h5py.File(study.shards("ea_L4")[1]) as file:
        assert (file["overlap"][()] == data["overlap"].sel(sample=slice(64, None)).values).all()


def test_sizes_fields_and_p_are_kept_apart(study: MadeStudy) -> None:
    glass = psflip.open(study.folder, ["overlap"], model="ea3d", method="relaxation")
    assert glass["overlap"].dims[:2] == ("L", "p") and glass.sizes["L"] == glass.sizes["p"] == 2
    for name, size, p in (("ea_L4", 4, 0.5), ("ea_L4_p", 4, 0.3), ("ea_L6", 6, 0.5)):
        alone = psflip.open(study.shards(name), ["overlap"])["overlap"]
        there = glass["overlap"].sel(L=size, p=p, sample=alone["sample"], t=alone["t"])
        assert (there.transpose(*alone.dims).values == alone.values).all()
    assert glass["overlap"].sel(L=6, p=0.3).isnull().all()
    field = psflip.open(study.folder, ["magnetization"], model="rfim3d", method="tempering")
    assert field["T"].dims == ("L", "slot") and field["last_sweep"].dims == ("L", "bin")
    assert field["magnetization"].dims[:2] == ("L", "h") and field["h"].values.tolist() == [0.9, 1.0]


def test_temperatures_with_other_numbers_of_sweeps_are_joined(study: MadeStudy) -> None:
    data = psflip.open(study.folder, model="ising2d", L=8)
    assert data["bond_sum"].dims == ("T", "bin", "sample") and data["T"].values.tolist() == [2.1, 2.5]
    assert data["last_sweep"].sel(T=2.1)[-1] == 512 and data["last_sweep"].sel(T=2.5)[-1] == 256
    assert psflip.open(study.folder, model="ising2d", L=8, T=2.5)["bin"][-1] == 256


@pytest.mark.filterwarnings("ignore:In a future version of xarray")
@pytest.mark.parametrize("coming_defaults", [False, True])
def test_xarray_keeps_files_of_two_sizes_apart(study: MadeStudy, coming_defaults: bool) -> None:
    """By the axes of length 1 of L, h and p; combine_by_coords is what open_mfdataset calls, with these attributes."""
    files = [study.shards(name)[0] for name in ("ea_L4", "ea_L6")]
    data = [xr.open_dataset(file, engine="h5netcdf") for file in files]
    with xr.set_options(use_new_combine_kwarg_defaults=coming_defaults):
        if coming_defaults:  # the samples of both differ, and nothing is filled any more
            with pytest.raises(ValueError, match="align|join"):
                xr.combine_by_coords(data, combine_attrs="override")
            return
        both = xr.combine_by_coords(data, combine_attrs="override")
    assert both["L"].values.tolist() == [4, 6]
    for one in data:
        there = both["bond_sum"].sel(L=one["L"], time=one["time"], sample=one["sample"]).squeeze("L")
        assert (there.transpose(*one["bond_sum"].dims).values == one["bond_sum"].values).all()


def test_measurement_files_have_axes_of_what_the_model_has(study: MadeStudy) -> None:
    wanted = {"ea_L4": {"L": 4, "p": 0.5}, "ea_L4_p": {"L": 4, "p": 0.3}, "ising_hot": {"L": 8, "h": 0}}
    wanted |= {"rfim_L4_h": {"L": 4, "h": 0.9}, "rfim_bins": {"L": 4, "h": 1}}
    for name, values in wanted.items():
        file = xr.open_dataset(study.shards(name)[0], engine="h5netcdf")
        assert {axis: file[axis].values.tolist() for axis in ("L", "h", "p") if axis in file.coords} == {
            axis: [value] for axis, value in values.items()
        }


def changed(path: Path, target: Path, change) -> Path:
    """A copy with another byte string; `change` gets the content without the footer."""
    target.write_bytes(change(path.read_bytes()))
    return target


def test_damaged_files_are_refused_in_one_sentence(study: MadeStudy, tmp_path: Path) -> None:
    file = study.shards("ea_L6")[0]
    cut = changed(file, tmp_path / "cut.h5", lambda data: data[:-30])
    flipped = changed(file, tmp_path / "flipped.h5", lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:])
    unsealed = changed(file, tmp_path / "unsealed.h5", lambda data: data[:-24])
    text = changed(file, tmp_path / "text.h5", lambda data: b"text")
    for path, why in ((cut, "truncated"), (flipped, "its checksum is wrong"), (unsealed, "footer"), (text, "footer")):
        with pytest.raises(psflip.PsflipError, match=f"Cannot use .*{path.name}: .*{why}.*verify=False"):
            psflip.open(path)
    assert psflip.open(unsealed, verify=False).identical(psflip.open(file))
    with pytest.raises(psflip.PsflipError, match="Cannot read .*text.h5"):
        psflip.open(text, verify=False)
    body = b"not HDF5" * 10
    sealed = body + b"psflip/1" + len(body).to_bytes(8, "little") + zlib.crc32(body).to_bytes(8, "little")
    with pytest.raises(psflip.PsflipError, match="give a file that psflip wrote"):
        psflip.open(changed(file, tmp_path / "sealed.h5", lambda data: sealed))


def test_bad_requests_are_refused_in_one_sentence(study: MadeStudy, tmp_path: Path) -> None:
    ea = dict(model="ea3d", method="relaxation")
    (tmp_path / "empty").mkdir()
    shard = study.shards("ea_L4")[0]
    for source, options, sentence in (
        (study.folder, {}, "The files are of ea3d relaxation and ea3d tempering, .* choose one"),
        (study.folder, {**ea, "L": 5}, "has no data with .*L = 5; it has .*L = .*4, 6.*; choose among these"),
        (study.folder, {**ea, "variables": ["overlap_9"]}, "has no variable overlap_9; it has .*overlap_k2"),
        (study.shards("ising_cold") + study.shards("rfim_bins"), {}, "The files are of"),
        ([shard, shard], {}, "Two files hold sample 0"),
        (study.reduced("ea_L4"), {}, "it is a reduced file where a measurement file is wanted"),
        (tmp_path / "none.h5", {}, "No such file"),
        (tmp_path / "none", {}, "There is no folder"),
        (tmp_path / "empty", {}, "has no files in shards/"),
    ):
        with pytest.raises(psflip.PsflipError, match=sentence):
            psflip.open(source, **options)


def test_jobs_that_no_axis_tells_apart_are_refused(study: MadeStudy, tmp_path: Path) -> None:
    job = "ea3d relaxation --L 4 --T 1.1 --sweeps 64 --replicas 4 --random shared --seed 3".split()
    run("psflip", *job, "--samples", "160:32", "--start", "ordered", "--output", tmp_path / "other.h5")
    with pytest.raises(
        psflip.PsflipError, match="The files differ in start .ordered, random.; choose one, .* start='random'"
    ):
        psflip.open([*study.shards("ea_L4"), tmp_path / "other.h5"])
    assert psflip.open([*study.shards("ea_L4"), tmp_path / "other.h5"], start="ordered").sizes["sample"] == 32


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0"])
def test_files_of_older_versions_are_read(version: str) -> None:
    files = sorted((ROOT / "tests" / "workflow" / "versions" / version).glob("*.h5"))
    assert files
    for file in files:
        read = psflip.block_sums if file.stem.endswith("_reduced") else psflip.open
        data = read(file)
        assert data.attrs["method"] in ("relaxation", "equilibrium", "tempering") and data["L"].dims == ()


@pytest.mark.parametrize("name", ["ea_L4", "ising_cold", "rfim_L6", "glass"])
def test_the_example_reads_shards_of_every_model(study: MadeStudy, name: str) -> None:
    command = [sys.executable, ROOT / "docs" / "example_read.py", study.shards(name)[0]]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONPATH": ROOT / "analysis" / "python"}
    )
    assert done.returncode == 0, done.stderr
    last = float(done.stdout.split()[-1])
    table = study.combined(name)
    rows = table[(table["observable"] == "e") & np.isclose(table["T"], table["T"].min())]
    assert last == pytest.approx(rows["value"].iloc[-1], abs=0.1) and last < -0.5
