"""Block sums, the jackknife and covariances of the Python reader against psflip-analysis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import psflip
from conftest import JOBS, MadeStudy, run


@pytest.mark.parametrize("name", [job[0] for job in JOBS])
def test_the_jackknife_gives_the_numbers_of_the_analysis(study: MadeStudy, name: str) -> None:
    sums = psflip.block_sums(study.reduced(name))
    compared = set()
    for observable, rows in study.combined(name).groupby("observable"):
        if observable not in sums and observable not in psflip.OBSERVABLES:
            continue
        result = psflip.jackknife(psflip.OBSERVABLES.get(observable, lambda mean, of=observable: mean[of]), sums)
        for row in rows.itertuples():
            point = {"T": row.T} | ({"t": row.t} if "t" in sums.dims else {})
            value, error = (one.sel(point, method="nearest").item() for one in result)
            assert value == pytest.approx(row.value, rel=1e-8, abs=1e-12, nan_ok=True), (observable, point)
            assert error == pytest.approx(row.error, rel=1e-7, abs=1e-12, nan_ok=True), (observable, point)
            assert result.blocks == row.blocks
        compared.add(observable)
    assert len(compared) >= 8 and compared & {"U4", "xi_over_L", "C"}


def test_a_loop_over_the_deletions_gives_the_same(study: MadeStudy) -> None:
    sums = psflip.block_sums(study.reduced("rfim_L4"), ["m2", "m4"]).sel(T=4.0)
    at_once = psflip.jackknife(lambda mean: mean.m4 / mean.m2**2, sums)
    one_by_one = psflip.jackknife(lambda mean: float(mean.m4) / float(mean.m2) ** 2, sums, loop=True)
    assert tuple(one_by_one) == pytest.approx(tuple(at_once), rel=1e-12)
    with pytest.raises(psflip.PsflipError, match="loop=True"):
        psflip.jackknife(lambda mean: float(mean.m4.sum()), sums)


def test_systems_with_other_numbers_of_blocks_stand_side_by_side(study: MadeStudy) -> None:
    together = psflip.block_sums(study.folder, ["q2", "q4"], model="ea3d", method="relaxation", p=0.5)
    assert together["q2"].dims[0] == "L" and together.sizes["L"] == 2
    result = psflip.jackknife(psflip.OBSERVABLES["U4"], together)
    for size, name in ((4, "ea_L4"), (6, "ea_L6")):
        alone = psflip.jackknife(psflip.OBSERVABLES["U4"], psflip.block_sums(study.reduced(name), ["q2", "q4"]))
        assert result.blocks.sel(L=size) == alone.blocks
        for ours, theirs in zip(result, alone):
            xr.testing.assert_allclose(ours.sel(L=size, t=theirs.t).drop_vars("L"), theirs.drop_vars("L"), rtol=1e-10)


def test_blocks_that_lie_in_two_files_are_added(study: MadeStudy, tmp_path: Path) -> None:
    first, second = study.shards("rfim_L4")
    for number, shard in enumerate((first, second)):
        run("psflip-analysis", "reduce", shard, "--block-samples", "48", "--output", tmp_path / f"{number}.h5")
    run("psflip-analysis", "combine", tmp_path / "0.h5", tmp_path / "1.h5", "--output", tmp_path / "table.csv")
    sums = psflip.block_sums(tmp_path, ["m2", "m4"])
    assert sums["samples"].values.tolist() == [48, 48, 32]
    value, error = psflip.jackknife(psflip.OBSERVABLES["U4"], sums.sel(T=4.0))
    rows = pd.read_csv(tmp_path / "table.csv").query("T == 4 and observable == 'U4'")
    assert [value, error] == pytest.approx(rows[["value", "error"]].values[0].tolist(), rel=1e-8)


def test_variances_are_squared_errors_and_points_that_share_samples_are_correlated(study: MadeStudy) -> None:
    near = dict(model="rfim3d", method="tempering", observable="m2", L=4, T=4.0)
    here, there = near | {"h": 1.0}, near | {"h": 0.9}
    sums = psflip.block_sums(study.folder, ["m2"], model="rfim3d", method="tempering", L=4, T=4.0)
    errors = psflip.jackknife(lambda mean: mean.m2, sums).error.squeeze()
    variance = psflip.covariance(study.folder, here, here)
    assert variance == pytest.approx(errors.sel(h=1.0).item() ** 2, rel=1e-10)
    # Fields are the same at every h, so most of the scatter is common to both points.
    shared = psflip.covariance(study.folder, here, there)
    assert shared == pytest.approx(psflip.covariance(study.folder, there, here), rel=1e-12)
    assert 0.3 < shared / (errors.sel(h=1.0) * errors.sel(h=0.9)).item() < 1
    assert psflip.covariance(study.folder, here, here | {"L": 6}) == 0


def test_the_covariance_is_that_of_the_joint_blocks(study: MadeStudy) -> None:
    point = dict(model="ea3d", method="relaxation", L=4, t=64)
    a, b = point | {"observable": "q2", "p": 0.5}, point | {"observable": "e", "p": 0.3}
    means = []
    for p, name in ((0.5, "q2"), (0.3, "e")):
        sums = psflip.block_sums(study.folder, [name], model="ea3d", method="relaxation", L=4, p=p).sel(t=64)
        means.append((sums[name] / sums["samples"]).squeeze().values)
    blocks = len(means[0])
    assert psflip.covariance(study.folder, a, b) == pytest.approx(np.cov(*means)[0, 1] / blocks, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"observable": "U5"}, "There is no observable U5; give one of C, U4"),
        ({"L": 5}, "has no data with"),
        ({"T": [3.5, 4.0]}, "leaves several T; give one value of T"),
        ({"observable": "U22"}, "U22 needs sums that the files lack; they have chi_k, chi_k_dis"),
    ],
)
def test_a_bad_point_is_refused_in_one_sentence(study: MadeStudy, change: dict, sentence: str) -> None:
    point = dict(model="rfim3d", method="tempering", observable="U4", L=4, T=4.0, h=1.0)
    with pytest.raises(psflip.PsflipError) as refusal:
        psflip.covariance(study.folder, point, point | change)
    assert sentence in str(refusal.value)
