#!/usr/bin/env python3
"""Compares psflip with peapods 0.2.0: exchange Monte Carlo of the 3D Edwards-Anderson model on the same samples.

    python tests/peers/compare_peapods.py PSFLIP --output FILE.json [--time] [--core N]

psflip draws the couplings (--save-disorder), peapods gets those of the first samples; both run at 24 temperatures on one
core. Energies and q^2 have to agree within errors, at every temperature and as a family. With --time the file holds the
time of a flip of both as well; the machine should be idle then. Exit code: 0 if both agree, 1 if not.

Installs peapods into build/peers/peapods, an environment of its own; the lock file of psflip does not name it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
PEAPODS = "peapods==0.2.0"
L, SLOTS, COLDEST, HOTTEST = 6, 24, 1.1, 2.0
SETS = 4
SAMPLES, WORD = 24, 512  # compared; simulated by psflip, which has them in one word
EXCHANGE_INTERVAL = 10
SWEEPS = 20000  # of psflip; the second half is measured
WARMUP, BLOCK, BLOCKS = 2000, 1500, 12  # sweeps of peapods
LEVEL = 1e-3  # two programs that agree fail with at most this probability

Array = np.ndarray[Any, Any]


def temperatures() -> Array:
    """As single-precision numbers, which peapods takes; psflip gets the same values."""
    return np.linspace(COLDEST, HOTTEST, SLOTS).astype(np.float32)


def pairs(sets: int) -> list[tuple[int, int]]:
    """Pairs of sets in the order of the files."""
    return list(itertools.combinations(range(sets), 2))


def bonds_of(spins: Array, couplings: Array) -> Array:
    """Sum over bonds of J s s of [..., z, y, x] spins with couplings [z, y, x, axis] of the array."""
    wide, signs = spins.astype(int), couplings.astype(int)
    return sum((wide * np.roll(wide, -1, axis - 3) * signs[..., axis]).sum((-3, -2, -1)) for axis in range(3))


def couplings_by_axis(file: h5py.File) -> Array:
    """[sample, z, y, x, axis]: directions x, y, z of psflip are the axes 2, 1, 0 of the array."""
    return np.moveaxis(file["couplings"][:SAMPLES][:, ::-1], 1, -1)


def set_error(values: Array, statistic: Any) -> Array:
    """Jackknife error over sets: values [sample, set or pair, slot], `statistic` of the sets that are left."""
    without = np.array([statistic(values, left_out) for left_out in range(SETS)])
    return np.sqrt((SETS - 1) * without.var(0))


def mean_of_sets(values: Array, left_out: int) -> Array:
    return np.delete(values, left_out, 1).mean(1)


def mean_of_pairs(values: Array, left_out: int) -> Array:
    return values[:, [left_out not in pair for pair in pairs(SETS)]].mean(1)


def psflip_bins(file: h5py.File, bin_number: int) -> dict[str, Array]:
    """Means over the measurements of a bin: energy per site [sample, set, slot] and q^2 [sample, pair, slot]."""
    count, sites = file["measurements"][bin_number], L**3
    of_bin = {"energy": file["bond_sum"], "overlap2": file["overlap_2"]}
    scale = {"energy": -sites, "overlap2": sites**2}
    return {
        name: np.moveaxis(data[:, bin_number, :SAMPLES], 0, -1) / count / scale[name] for name, data in of_bin.items()
    }


def tested(mean: Array, error: Array, freedom: float | Array) -> dict[str, Array]:
    """Of each slot the pull, and Student's probability that the true value is zero."""
    pull = mean / error
    return {"mean": mean, "error": error, "pull": pull, "probability": 2 * stats.t.sf(abs(pull), freedom)}


def psflip_values(path: Path) -> dict[str, dict[str, Any]]:
    """Of each quantity the mean over samples [slot], its thermal error, and the test of the change from the bin before.

    Samples have their own random numbers, so their errors, from the scatter of the replica sets, add in squares."""
    with h5py.File(path) as file:
        last, before = psflip_bins(file, -1), psflip_bins(file, -2)
    found: dict[str, dict[str, Any]] = {}
    for name, statistic in (("energy", mean_of_sets), ("overlap2", mean_of_pairs)):
        values, count = last[name].mean(1), SAMPLES
        error = np.sqrt((set_error(last[name], statistic) ** 2).sum(0)) / count
        change = values - before[name].mean(1)
        drift = tested(change.mean(0), change.std(0, ddof=1) / np.sqrt(count), count - 1)
        found[name] = {"mean": values.mean(0), "error": error, "freedom": count * (SETS - 1), "drift": drift}
    return found


def peapods_values(chains: dict[str, Array]) -> dict[str, dict[str, Any]]:
    """The same from blocks of successive sweeps, all samples together; the drift is that between the halves.

    All models of peapods begin with the same random numbers. So errors of samples are not independent, and only the
    scatter of the mean over samples from block to block shows the error."""
    found: dict[str, dict[str, Any]] = {}
    half = BLOCKS // 2
    for name, sign in (("energy", -1), ("overlap2", 1)):  # peapods gives the sum of J s s
        blocks = sign * chains[name].mean(0)  # block, slot
        halves = blocks[:half], blocks[half:]
        drift_error = np.sqrt(sum(part.var(0, ddof=1) / half for part in halves))
        drift = tested(halves[1].mean(0) - halves[0].mean(0), drift_error, BLOCKS - 2)
        error = blocks.std(0, ddof=1) / np.sqrt(BLOCKS)
        found[name] = {"mean": blocks.mean(0), "error": error, "freedom": BLOCKS - 1, "drift": drift}
    return found


def difference(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Array]:
    """Test of the difference of two means, with the degrees of freedom of Welch."""
    squares = a["error"] ** 2, b["error"] ** 2
    freedom = sum(squares) ** 2 / (squares[0] ** 2 / a["freedom"] + squares[1] ** 2 / b["freedom"])
    return tested(a["mean"] - b["mean"], np.sqrt(sum(squares)), freedom)


def family(tests: list[dict[str, Any]]) -> dict[str, Any]:
    """All tests as one (Bonferroni, so that correlated temperatures need no model)."""
    smallest = np.concatenate([test["probability"] for test in tests])
    probability = min(1.0, float(smallest.min() * smallest.size))
    largest = max(float(abs(test["pull"]).max()) for test in tests)
    return {
        "tests": smallest.size,
        "largest_pull": round(largest, 2),
        "probability": float(f"{probability:.3g}"),
        "agrees": probability >= LEVEL,
    }


def compared(ours: dict[str, dict[str, Any]], theirs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Tables and verdicts of energies and q^2 of two programs on the same samples."""
    found: dict[str, Any] = {}
    tests, drifts = [], []
    for name in ours:
        a, b = ours[name], theirs[name]
        test = difference(a, b)
        columns = {"psflip": a["mean"], "psflip_error": a["error"], "peapods": b["mean"], "peapods_error": b["error"]}
        columns |= {"difference": test["mean"], "pull": test["pull"]}
        found[name] = {key: [float(f"{x:.6g}") for x in values] for key, values in columns.items()}
        tests.append(test)
        drifts += [a["drift"], b["drift"]]
    return found | {"same": family(tests), "equilibrium": family(drifts)}


def installed_peapods() -> Path:
    """The interpreter of the environment with peapods, which is made where it is missing."""
    folder = ROOT / "build" / "peers" / "peapods"
    python = folder / "bin" / "python"
    known = python.exists() and subprocess.run([python, "-c", "import peapods"], check=False).returncode == 0
    if not known:
        venv.create(folder, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        subprocess.run([*pip, PEAPODS], check=True)
    return python


def on_core(core: int, command: list[Any]) -> None:
    environment = os.environ | {"RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run(["taskset", "-c", str(core), *map(str, command)], check=True, env=environment)


def run_psflip(program: str, core: int, mode: str, sweeps: int, output: Path) -> str:
    """The command line without the path of the output."""
    T = ",".join(f"{float(t):.17g}" for t in temperatures())
    options = f"--L {L} --T {T} --samples 0:{WORD} --replicas {SETS} --random {mode} --sweeps {sweeps} --seed 1"
    options += f" --exchange-interval {EXCHANGE_INTERVAL} --threads 1 --backend cpu --save-disorder --save-spins"
    on_core(core, [program, "ea3d", "tempering", *shlex.split(options), "--output", output])
    return f"psflip ea3d tempering {options}"


def run_peapods(core: int, couplings: Array, folder: Path) -> dict[str, Array]:
    np.savez(
        folder / "given.npz", couplings=couplings, temperatures=temperatures(), warmup=WARMUP, block=BLOCK,
        blocks=BLOCKS, interval=EXCHANGE_INTERVAL,
    )  # fmt: skip
    script = Path(__file__).with_name("peapods_chains.py")
    on_core(core, [installed_peapods(), script, folder / "given.npz", folder / "chains.npz"])
    return dict(np.load(folder / "chains.npz"))


def couplings_of(path: Path) -> Array:
    with h5py.File(path) as file:
        return couplings_by_axis(file)


def require_psflip_convention(path: Path, couplings: Array) -> None:
    """The bond sums of saved spins with these couplings are those that psflip measured of them; one measurement."""
    with h5py.File(path) as file:
        spins, measured = file["spins"][:, :SAMPLES], file["bond_sum"][:, 0, :SAMPLES]
    for sample in range(SAMPLES):
        if (bonds_of(spins[:, sample], couplings[sample]) != measured[:, sample]).any():
            raise SystemExit("psflip: the bond sums of its saved spins are not those that it measured")


def require_peapods_convention(chains: dict[str, Array], couplings: Array) -> None:
    energy = bonds_of(chains["one_spins"], couplings[0]).mean(0) / L**3
    if abs(energy - chains["one_energy"]).max() > 1e-6:
        raise SystemExit("peapods: the energies of its spins with psflip's couplings are not those that it measured")


def speeds(independent: Path, shared: Path, chains: dict[str, Array]) -> dict[str, Any]:
    """Picoseconds per attempted flip, measurements and exchanges included."""
    found: dict[str, Any] = {}
    for name, path in (("psflip, shared numbers", shared), ("psflip, independent numbers", independent)):
        with h5py.File(path) as file:
            found[name] = float(f"{file.attrs['ps_per_flip']:.4g}")
            found |= {key: str(file.attrs[key]) for key in ("device", "instruction_set", "code_version", "git_commit")}
    for name, key in ((f"{PEAPODS}", "seconds"), (f"{PEAPODS}, CPU time", "cpu_seconds")):
        found[name] = float(f"{1e12 * float(chains[key]) / int(chains['flips']):.4g}")
    return found


def print_tables(found: dict[str, Any]) -> None:
    for name in ("energy", "overlap2"):
        print(f"{'T':>8} {name:>10} of psflip {'peapods':>19} {'difference':>18} {'pull':>6}")
        for row in zip(found["temperatures"], *found[name].values()):
            print("{:8.4f} {:10.6f} {:8.1e} {:10.6f} {:8.1e} {:18.2e} {:6.2f}".format(*row))
    for name in ("same", "equilibrium"):
        print(f"{name}: {found[name]}")
    for name, value in found.get("ps_per_flip", {}).items():
        print(f"{name}: {value}" + (" ps/flip" if isinstance(value, float) else ""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("psflip", help="the program")
    parser.add_argument("--output", required=True, type=Path, help="JSON file to write")
    parser.add_argument("--time", action="store_true", help="write times of a flip too")
    parser.add_argument("--core", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = {mode: folder / f"{mode}.h5" for mode in ("independent", "shared", "short")}
        run_psflip(arguments.psflip, arguments.core, "independent", EXCHANGE_INTERVAL, paths["short"])
        command = run_psflip(arguments.psflip, arguments.core, "independent", SWEEPS, paths["independent"])
        couplings = couplings_of(paths["independent"])
        require_psflip_convention(paths["short"], couplings)
        chains = run_peapods(arguments.core, couplings, folder)
        require_peapods_convention(chains, couplings)
        found = {"psflip": command, "peapods": f"{PEAPODS}: {WARMUP} + {BLOCKS} x {BLOCK} sweeps, exchange every "}
        found["peapods"] += f"{EXCHANGE_INTERVAL}, 2 replicas"
        found |= {"samples": SAMPLES, "temperatures": [round(float(t), 6) for t in temperatures()]}
        found |= compared(psflip_values(paths["independent"]), peapods_values(chains))
        if arguments.time:
            run_psflip(arguments.psflip, arguments.core, "shared", SWEEPS, paths["shared"])
            found["ps_per_flip"] = speeds(paths["independent"], paths["shared"], chains)
    arguments.output.write_text(json.dumps(found, indent=1) + "\n")
    print_tables(found)
    return 0 if found["same"]["agrees"] and found["equilibrium"]["agrees"] else 1


if __name__ == "__main__":
    sys.exit(main())
