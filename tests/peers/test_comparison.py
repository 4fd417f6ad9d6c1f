"""The comparison with another program finds what differs, on made-up chains; peapods itself is not started."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import compare_peapods as peers

SLOTS = 24


def values(rng: np.random.Generator, truth: np.ndarray, noise: float) -> dict[str, dict[str, Any]]:
    """Measured values of one program: the noise is its own."""

    def one() -> dict[str, Any]:
        error = np.full(SLOTS, noise)
        drift = peers.tested(noise * rng.standard_normal(SLOTS), error, 20)
        return {"mean": truth + noise * rng.standard_normal(SLOTS), "error": error, "freedom": 20, "drift": drift}

    return {"energy": one(), "overlap2": one()}


def test_programs_that_agree_are_said_to_agree_and_a_shift_is_found() -> None:
    rng = np.random.default_rng(1)
    truth = 1.5 + rng.standard_normal(SLOTS)
    ours, theirs = values(rng, truth, 0.01), values(rng, truth, 0.01)
    assert peers.compared(ours, theirs)["same"]["agrees"]
    theirs["overlap2"]["mean"][5] += 0.15
    found = peers.compared(ours, theirs)
    assert not found["same"]["agrees"] and found["equilibrium"]["agrees"]
    ours["energy"]["drift"]["probability"][2] = 1e-6
    assert not peers.compared(ours, theirs)["equilibrium"]["agrees"]


def test_errors_of_blocks_hold_when_all_samples_share_their_random_numbers() -> None:
    rng = np.random.default_rng(2)
    pulls = []
    for _ in range(400):
        shared = rng.standard_normal((1, peers.BLOCKS, 1))  # the same for all samples, whose mean is 0
        chains = np.arange(peers.SAMPLES)[:, None, None] - (peers.SAMPLES - 1) / 2 + shared
        found = peers.peapods_values({"energy": chains, "overlap2": chains})["overlap2"]
        pulls.append(float(found["mean"][0] / found["error"][0]))
    assert 0.95 < np.std(pulls) < 1.3  # 1.11 for Student's distribution with 11 degrees of freedom


def test_the_error_of_sets_is_that_of_a_mean_of_independent_sets() -> None:
    rng = np.random.default_rng(3)
    sets = rng.standard_normal((400, peers.SETS, 1))
    expected = sets.std(1, ddof=1) / np.sqrt(peers.SETS)
    assert np.allclose(peers.set_error(sets, peers.mean_of_sets), expected)


def test_couplings_of_other_directions_or_signs_are_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    couplings = rng.choice(np.array([-1, 1], np.int8), (peers.SAMPLES, 4, 4, 4, 3))
    spins = rng.choice(np.array([-1, 1], np.int8), (2, peers.SAMPLES, peers.SETS, 4, 4, 4))
    bonds = np.stack([peers.bonds_of(spins[:, k], couplings[k]) for k in range(peers.SAMPLES)], 1)
    with h5py.File(tmp_path / "one.h5", "w") as file:
        file["spins"], file["bond_sum"] = spins, bonds[:, None].astype(float)
    peers.require_psflip_convention(tmp_path / "one.h5", couplings)
    for wrong in (couplings[..., ::-1], -couplings):
        with pytest.raises(SystemExit):
            peers.require_psflip_convention(tmp_path / "one.h5", wrong)


def test_bond_sums_count_every_bond_of_a_site_once() -> None:
    spins = np.ones((4, 4, 4), np.int8)
    couplings = np.ones((4, 4, 4, 3), np.int8)
    assert peers.bonds_of(spins, couplings) == 3 * 64
    spins[1, 2, 3] = -1
    assert peers.bonds_of(spins, couplings) == 3 * 64 - 12
    couplings[1, 2, 3, 0] = couplings[0, 2, 3, 0] = -1  # the two bonds of that site along the first axis
    assert peers.bonds_of(spins, couplings) == 3 * 64 - 12 + 4
