"""What workflows/scripts/remaining.py prints for sums of known content."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from remaining import ratio_with_error, remaining


def write_sums(path: Path) -> None:
    """Two slots, three bins, sixteen blocks of eight samples; block 5 alone has a gap in the colder slot."""
    gap = np.zeros((2, 3, 16))
    gap[0, :, 5] = [4.0, 2.0, 1.0]
    gap[1] = 0.125
    with h5py.File(path, "w") as file:
        file["temperature"], file["block"] = [3.5, 4.0], np.arange(16)
        file["block_gap_m"], file["block_m2"], file["block_m_m"] = gap, np.full_like(gap, 1.5), np.full_like(gap, 0.5)
        file.attrs["block_samples"] = 8


def test_r_is_that_of_the_bin_and_the_blocks_that_make_it_are_named(tmp_path: Path) -> None:
    write_sums(tmp_path / "sums.h5")
    # one block of sixteen: r is a sixteenth of its gap, with an error of the same size
    assert remaining(tmp_path / "sums.h5", shown=1) == [
        "T = 3.50000: 0.250(250) 0.125(125) 0.062(62)",
        "      40: 0.250 0.125 0.062",
        "T = 4.00000: 0.125(0) 0.125(0) 0.125(0)",
        "       0: 0.008 0.008 0.008",
    ]


def test_the_error_of_the_ratio_is_that_of_repeated_draws() -> None:
    rng = np.random.default_rng(1)
    top, bottom = rng.normal(2, 1, (400, 50)), rng.normal(4, 1, (400, 50))
    ratio, error = ratio_with_error(top, bottom)
    assert error.mean() == pytest.approx(ratio.std(), rel=0.15)
