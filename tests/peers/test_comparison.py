"""The comparison with another program finds what differs, on made-up chains; peapods itself is not started."""

from __future__ import annotations

import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import compare_peapods as peers

SAMPLES, SLOTS = 24, 24


def values(rng: np.random.Generator, truth: np.ndarray, noise: float) -> dict[str, dict[str, np.ndarray]]:
    """Measured values of one program: the samples are the same for both, the noise is not."""

    def one() -> dict[str, np.ndarray]:
        shape = (SAMPLES, SLOTS)
        mean = truth + noise * rng.standard_normal(shape)
        return {"mean": mean, "error": np.full(shape, noise), "drift": noise * rng.standard_normal(shape)}

    return {"energy": one(), "overlap2": one()}


def test_programs_that_agree_are_said_to_agree_and_a_shift_is_found() -> None:
    rng = np.random.default_rng(1)
    truth = 1.5 + 0.1 * rng.standard_normal((SAMPLES, SLOTS))  # samples differ far more than the errors
    ours, theirs = values(rng, truth, 0.01), values(rng, truth, 0.01)
    assert peers.compared(ours, theirs)["same"]["agrees"]
    theirs["overlap2"]["mean"][:, 5] += 0.03  # ten times the error of the mean at one temperature
    found = peers.compared(ours, theirs)
    assert not found["same"]["agrees"] and found["equilibrium"]["agrees"]
    ours["energy"]["drift"][:, 2] += 0.03
    assert not peers.compared(ours, theirs)["equilibrium"]["agrees"]


def test_the_thermal_error_is_the_scatter_of_differences_of_samples() -> None:
    rng = np.random.default_rng(2)
    truth = rng.standard_normal((SAMPLES, SLOTS))
    found = peers.compared(values(rng, truth, 0.02), values(rng, truth, 0.02))["energy"]
    assert np.mean(found["error"]) == pytest.approx(np.mean(found["thermal_error"]), rel=0.15)


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
