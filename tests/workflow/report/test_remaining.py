"""What workflows/scripts/remaining.py prints for sums of known content."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from workflows.scripts.remaining import drifts, ratio_with_error, remaining
from workflows.study.error import StudyError


def write_sums(path: Path) -> None:
    """Two slots, three bins, sixteen blocks of eight samples; block 5 alone has a gap in the colder slot."""
    gap = np.zeros((2, 3, 16))
    gap[0, :, 5] = [4.0, 2.0, 1.0]
    gap[1] = 0.125
    chi_k = np.full_like(gap, 0.25)
    chi_k[0, :2] += np.arange(16) % 2  # drifts by 0.4375 in the colder slot, not in all blocks alike
    chi_k[:, 2, 3] += 1  # which makes the quoted error 1 / 16
    m4 = np.full_like(gap, 3.0)
    m4[:, 2, 3] += 1
    with h5py.File(path, "w") as file:
        file["temperature"], file["block"] = [3.5, 4.0], np.arange(16)
        file["block_gap_m"], file["block_m2"], file["block_m_m"] = gap, np.full_like(gap, 1.5), np.full_like(gap, 0.5)
        file["block_m4"], file["block_chi_k"], file["block_samples"] = m4, chi_k, np.full(16, 8)
        file.attrs["block_samples"] = 8


def test_r_is_that_of_the_bin_and_the_blocks_that_make_it_are_named(tmp_path: Path) -> None:
    write_sums(tmp_path / "sums.h5")
    # one block of sixteen: r is a sixteenth of its gap, with an error of the same size
    assert (
        remaining(tmp_path / "sums.h5", shown=1)
        == [
            "T = 3.50000: 0.250(250) 0.125(125) 0.062(62)",
            "        U4: -1.00(100) -1.00(100)",
            "  chi_k/m2: +7.00(205) +7.00(205)",  # 0.4375 times 16; seven differences of 1, nine of 0: 16 sqrt(7 / 16 * 9 / 16 / 15)
            "        40: 0.250 0.125 0.062",
            "T = 4.00000: 0.125(0) 0.125(0) 0.125(0)",
            "        U4: -1.00(100) -1.00(100)",
            "  chi_k/m2: -1.00(100) -1.00(100)",
            "         0: 0.008 0.008 0.008",
        ]
    )


def test_what_longer_runs_would_not_have_seen(tmp_path: Path) -> None:
    write_sums(tmp_path / "sums.h5")
    with h5py.File(tmp_path / "sums.h5", "r+") as file:
        file["block_gap_m"][0, 1:, 9] = [0.5, 8.0]  # of pack 2, whose sets agreed when pack 1 was chosen for block 5
    lines = remaining(tmp_path / "sums.h5", shown=0, packs=1)
    assert [line for line in lines if "others" in line] == ["    others: 0.031 0.500", "    others: 0.094 0.094"]


def test_of_some_samples_only_their_blocks_count(tmp_path: Path) -> None:
    write_sums(tmp_path / "sums.h5")
    lines = remaining(tmp_path / "sums.h5", shown=1, only=range(0, 64))  # block 5 and seven others
    assert lines[0] == "T = 3.50000: 0.500(500) 0.250(250) 0.125(125)" and lines[3] == "        40: 0.500 0.250 0.125"


@pytest.mark.parametrize(
    "options, message",
    [
        ({"packs": 4}, "--packs 4 of 4: needs fewer than there are"),
        ({"packs": -1}, "--packs -1 of 4: needs fewer than there are"),
        ({"only": range(40, 48)}, "fewer than two blocks of these samples"),
    ],
)
def test_packs_and_samples_that_are_not_there_are_refused(tmp_path: Path, options: dict, message: str) -> None:
    write_sums(tmp_path / "sums.h5")
    with pytest.raises(StudyError, match=message):
        remaining(tmp_path / "sums.h5", **options)


def test_a_file_that_holds_no_such_sums_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sums.h5").write_text("not HDF5")
    with pytest.raises(StudyError, match="has no sums of rfim3d"):
        remaining(tmp_path / "sums.h5")


def test_a_drift_in_all_blocks_alike_has_no_error() -> None:
    top = np.stack([np.arange(1.0, 17.0) + 2, np.arange(1.0, 17.0)])
    difference, error = drifts(np.divide, top, np.ones_like(top))
    assert difference == pytest.approx([2 / (np.arange(16).std() / np.sqrt(15))]) and error == pytest.approx(
        [0], abs=1e-12
    )


def test_the_error_of_the_ratio_is_that_of_repeated_draws() -> None:
    rng = np.random.default_rng(1)
    top, bottom = rng.normal(2, 1, (400, 50)), rng.normal(4, 1, (400, 50))
    ratio, error = ratio_with_error(top, bottom)
    assert error.mean() == pytest.approx(ratio.std(), rel=0.15)
