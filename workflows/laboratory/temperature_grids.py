"""Grids of temperatures of the 3D random-field Ising model at h = J: table 1 and figure 9 of Navarro, Huang and Deng (2015).

python -m workflows.laboratory.temperature_grids --L 8 --json FILE [--device cuda]

Equally spaced slots (sparse, dense), slots inserted where exchanges are rare (adaptive), slots moved to equal exchange rates, and
as many of these as have rates near --rate. The programs are psflip, psflip-analysis and psflip-lab of build/bin.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import NormalDist
from typing import Any

import h5py
import pandas as pd

from workflows.study.error import StudyError, answered

BIN = Path("build/bin")
MODEL = "rfim3d"
MOST_SLOTS = 256  # that have random numbers
BLOCKS = 32  # of the jackknife, about
COMPARED = ("C", "U4")


def length_of(rate: float) -> float:
    """erfc^-1: the distance of two slots with this exchange rate in units of the energy fluctuation (Kofke 2002)."""
    return -NormalDist().inv_cdf(rate / 2) / math.sqrt(2)


def slots_for(slots: int, mean_rate: float, wanted: float) -> int:
    """Slots over the same temperatures whose neighbours have another exchange rate."""
    return math.ceil((slots - 1) * length_of(mean_rate) / length_of(wanted)) + 1


def equally_spaced(low: float, high: float, slots: int) -> list[float]:
    inner = [round(low + (high - low) * slot / (slots - 1), 5) for slot in range(1, slots - 1)]
    return [low, *inner, high]


def run(*words: Any) -> float:
    """Seconds of a program. StudyError with its last line if it refuses."""
    start = time.perf_counter()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise StudyError(lines[-1] if lines else f"{words[0]}: exit code {done.returncode}; run it alone to see why")
    return time.perf_counter() - start


@dataclass
class Found:
    """A simulation on one grid."""

    name: str
    slots: int
    seconds: float
    flips: float
    observables: pd.DataFrame  # of psflip-analysis
    trials: int = 0
    seconds_of_trials: float = 0.0
    rates_of_trials: list[list[float]] = field(default_factory=list)

    def values(self, observable: str, column: str = "value") -> pd.Series:
        """By temperature, without those that are not known."""
        rows = self.observables[self.observables.observable == observable]
        return rows.set_index("T")[column].dropna()

    def error_at(self, observable: str, temperature: float) -> float:
        """Of the nearest slot; the grids of the paper have the slots of the sparse one."""
        errors = self.values(observable, "error")
        return float(errors.iloc[abs(errors.index.to_numpy() - temperature).argmin()])


class Runs:
    """The simulations, with their files in a folder."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.ends = f"{options.T[0]},{options.T[1]}"

    def common(self, seed: int, samples: int) -> list[Any]:
        o = self.options
        backend = ["--backend", "cuda"] if o.device == "cuda" else ["--backend", "cpu", "--threads", o.threads]
        run = ["--samples", f"0:{samples}", "--sweeps", o.steps * o.interval, "--exchange-interval", o.interval]
        return ["--L", o.L, "--h", 1, "--seed", seed, *run, *backend]

    def simulated(self, name: str, grid: list[Any], slots: int) -> Found:
        """`grid`: the option --T or --grid."""
        file, sums, table = (self.folder / f"{name}.{kind}" for kind in ("h5", "sums.h5", "csv"))
        common = self.common(self.options.seed, self.options.samples)
        run(BIN / "psflip", MODEL, "tempering", *common, *grid, "--output", file)
        block = max(1, self.options.samples // BLOCKS)
        run(BIN / "psflip-analysis", "reduce", file, "--block-samples", block, "--output", sums)
        run(BIN / "psflip-analysis", "combine", sums, "--output", table)
        with h5py.File(file) as content:
            seconds, ps = float(content.attrs["seconds"]), float(content.attrs["ps_per_flip"])
        file.unlink()
        return Found(name, slots, seconds, 1e12 * seconds / ps, pd.read_csv(table))

    def homogeneous(self, name: str, slots: int) -> Found:
        temperatures = equally_spaced(*self.options.T, slots)
        return self.simulated(name, ["--T", ",".join(f"{T:.6g}" for T in temperatures)], slots)

    def adapted(self, name: str, slots: int, method: list[Any], trials: int) -> Found:
        """Adaptation runs with other random numbers than the simulation, then the simulation on the last grid."""
        grid = self.folder / f"{name}.json"
        words = ["--T", self.ends, "--slots", slots, "--method", *method, "--trials", trials, "--output", grid]
        common = self.common(self.options.seed + 1, self.options.trial_samples)
        seconds = run(BIN / "psflip", MODEL, "adapt", *common, *words)
        content = json.loads(grid.read_text())
        found = self.simulated(name, ["--grid", grid], len(content["temperatures"]))
        found.trials, found.seconds_of_trials = len(content["trials"]), seconds
        found.rates_of_trials = [trial["rates"] for trial in content["trials"]]
        return found

    def all(self) -> Iterator[Found]:
        o = self.options
        yield self.homogeneous("sparse", o.sparse)
        yield self.homogeneous("dense", o.dense)
        yield self.adapted("adaptive", o.sparse, ["insert", "--insertions", o.insertions], o.trials)
        equal = self.adapted("equal_rates", o.equal, ["equal-rates"], o.equal_trials)
        yield equal
        rate = float(equal.values("exchange_rate").mean())
        slots = slots_for(o.equal, min(max(rate, 1e-3), 0.999), o.rate)
        if slots > MOST_SLOTS:
            raise StudyError(
                f"--rate {o.rate:g}: needs {slots} slots, at most {MOST_SLOTS} have random numbers; give a lower --rate"
            )
        yield self.adapted("more_slots", slots, ["equal-rates"], o.equal_trials)


def variance_ratio(found: Found, dense: Found, sparse: Found, observable: str) -> float | None:
    """Squared error over that of the dense grid: geometric mean over the slots of the sparse one."""
    logs = []
    for temperature in sparse.values(observable).index:
        errors = [one.error_at(observable, temperature) for one in (found, dense)]
        if all(error > 0 for error in errors):
            logs.append(2 * math.log(errors[0] / errors[1]))
    return math.exp(sum(logs) / len(logs)) if logs else None


def described(found: Found, sparse: Found, dense: Found, options: argparse.Namespace) -> dict[str, Any]:
    """A row of the key `grids`."""
    rates = found.values("exchange_rate")
    trips, errors = found.values("round_trip_time"), found.values("round_trip_time", "error")
    passed = found.observables[found.observables.observable == "U4"].equilibrated
    sites = options.L**3
    row = {
        "grid": found.name,
        "L": options.L,
        "slots": found.slots,
        "samples": options.samples,
        "steps": options.steps,
        "interval": options.interval,
        "trials": found.trials,
        "trial_samples": options.trial_samples,
        "seconds_of_trials": found.seconds_of_trials,
        "seconds": found.seconds,
        "lowest_rate": float(rates.min()),
        "highest_rate": float(rates.max()),
        "mean_rate": float(rates.mean()),
        "rates": [[float(T), float(rate)] for T, rate in rates.items()],
        "rates_of_trials": found.rates_of_trials,
        "passed": int((passed == 1).sum()),
        "device": options.device,
    }
    row |= {f"variance_{name}": variance_ratio(found, dense, sparse, name) for name in COMPARED}
    if len(trips):
        row |= {"flips_per_round_trip": sites * float(trips.iloc[0]), "flips_error": sites * float(errors.iloc[0])}
    return row | ({"threads": options.threads} if options.device == "cpu" else {})


def timing(found: Found, scalar: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """A row of the table: ps/flip of the simulation."""
    ps = 1e12 * found.seconds / found.flips
    row = {"system": MODEL, "variant": found.name, "layout": "psflip", "generator": "philox", "L": options.L}
    row |= {"ps_per_flip": ps, "seconds": found.seconds, "flips": found.flips, "slots": found.slots}
    row |= {"speedup": scalar["ps_per_flip"] / ps, "device": options.device, "realizations": options.samples}
    return row | ({"threads": options.threads} if options.device == "cpu" else {})


def check(options: argparse.Namespace) -> None:
    """What psflip itself does not refuse in terms of these options."""
    for program in ("psflip", "psflip-analysis", "psflip-lab"):
        if not (BIN / program).is_file():
            raise StudyError(f"{BIN / program}: there is no such program, build it with ninja -C build {program}")
    if len(options.T) != 2 or not 0 < options.T[0] < options.T[1]:
        raise StudyError("--T: give the coldest and the hottest temperature, such as 2.8,4.7")
    for name in ("sparse", "dense", "equal"):
        if not 2 <= getattr(options, name) <= MOST_SLOTS:
            raise StudyError(f"--{name} {getattr(options, name)}: exchanges need 2 to {MOST_SLOTS} slots, give as many")
    if options.dense <= options.sparse:
        raise StudyError(f"--dense {options.dense}: has no more slots than --sparse {options.sparse}, give more")
    for name in ("samples", "steps", "interval", "trials", "trial_samples", "insertions", "equal_trials", "threads"):
        if getattr(options, name) < 1:
            raise StudyError(f"--{name.replace('_', '-')} {getattr(options, name)}: give at least 1")
    if options.steps < 16:
        raise StudyError(f"--steps {options.steps}: bins of a run have too few exchanges, give at least 16")
    if options.samples < 16:
        raise StudyError(f"--samples {options.samples}: errors need 16 blocks of samples, give at least 16")
    if not 0 < options.rate < 1:
        raise StudyError(f"--rate {options.rate:g}: a rate lies between 0 and 1, give such a rate")
    if not options.json.parent.is_dir():
        raise StudyError(f"--json {options.json}: there is no such folder, make it first")


def integer_options(parser: argparse.ArgumentParser) -> None:
    for name, value, words in (
        ("L", 8, "linear size"),
        ("samples", 512, "realizations of the field; a word of a CPU holds up to 512"),
        ("steps", 2000, "exchanges of a run"),
        ("interval", 10, "sweeps between two exchanges"),
        ("sparse", 5, "equally spaced slots; the adaptive grid begins with them"),
        ("dense", 13, "equally spaced slots"),
        ("trials", 4, "adaptation runs of the adaptive grid after which slots are inserted"),
        ("insertions", 1, "slots inserted after each of them"),
        ("equal", 8, "slots of the grid of equal rates"),
        ("equal-trials", 4, "adaptation runs of the grids of equal rates"),
        ("seed", 1, "of every random number"),
        ("threads", 1, "of a CPU"),
    ):
        parser.add_argument(f"--{name}", type=int, default=value, help=words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    integer_options(parser)
    parser.add_argument("--trial-samples", type=int, help="realizations of an adaptation run; default --samples")
    parser.add_argument("--T", type=lambda text: [float(T) for T in text.split(",")], default=[2.8, 4.7])
    parser.add_argument("--rate", type=float, default=0.4, help="exchange rate of the grid with more slots")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args()
    if options.trial_samples is None:
        options.trial_samples = options.samples
    check(options)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reference = folder / "reference.json"
        words = ["--system", MODEL, "--L", options.L, "--beta", 0.25, "--seconds", 0.3, "--output", reference]
        run(BIN / "psflip-lab", "reference", *words)
        provenance = json.loads(reference.read_text())
        found = list(Runs(options, folder).all())
    scalar = provenance["table"][0]
    table = [scalar, *(timing(one, scalar, options) for one in found)]
    grids = [described(one, found[0], found[1], options) for one in found]
    command = shlex.join(["python", "-m", "workflows.laboratory.temperature_grids", *sys.argv[1:]])
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = provenance | {"command": command, "created": created, "table": table, "grids": grids}
    temporary = options.json.with_name(options.json.name + ".part")
    temporary.write_text(json.dumps(content, indent=1) + "\n")
    temporary.replace(options.json)
    for row in grids:
        print(
            f"{row['grid']:12} {row['slots']:3} slots: {row['seconds']:8.2f} s, rates {row['lowest_rate']:.3f} to {row['highest_rate']:.3f}"
        )


if __name__ == "__main__":
    sys.exit(answered(main))
