"""Time of a flip of one model and method at many sizes and fields, as JSON: where is a case slower than its neighbours?

One job for each L and h, about --seconds long (updates, exchanges and measurements, without start and end of the
process). Exchange Monte Carlo has 24 temperatures and exchanges every 10 sweeps; other jobs have one temperature and
measure every 500 sweeps. Models and methods: as psflip takes them. A table goes to standard error.

python3 tests/gpu/survey.py --psflip build/bin/psflip --model rfim3d --method tempering --L 8,10,12,14,16 --h 0,0.5,1,2
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

SLOTS = 24
RANGES = {  # temperatures: lowest and highest of exchange Monte Carlo, and that of other jobs
    "ea2d": (0.5, 1.4, 1.1),
    "ea3d": (0.9, 1.8, 1.1),
    "ising2d": (2.0, 2.6, 2.269),
    "ising3d": (4.0, 5.0, 4.5115),
    "rfim2d": (1.5, 2.5, 2.0),
    "rfim3d": (2.8, 4.7, 3.9),
}


def job_of(options: argparse.Namespace, L: int, h: float | None) -> list[str]:
    """The command of a job without its number of sweeps and its file."""
    low, high, single = RANGES[options.model]
    command = [str(options.psflip), options.model, options.method, "--backend", options.backend, "--L", str(L)]
    command += ["--samples", f"0:{options.samples}", "--seed", "1"]
    if h is not None:
        command += ["--h", f"{h:g}"]
    if options.method == "tempering":
        T = ",".join(f"{low + (high - low) * k / (SLOTS - 1):.6g}" for k in range(SLOTS))
        return [*command, "--T", T, "--exchange-interval", "10", "--bins", "1"]
    return [*command, "--T", str(single), "--measure-interval", str(unit_of(options)), "--bins", "1"]


def unit_of(options: argparse.Namespace) -> int:
    """The number of sweeps is a multiple of this."""
    return 10 if options.method == "tempering" else 500


def timed(command: list[str], sweeps: int, folder: Path) -> dict[str, float]:
    """Seconds of updates and measurements, and picoseconds of a flip."""
    output = folder / "job.h5"
    command = [*command, "--sweeps", str(sweeps), "--output", str(output)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    with h5py.File(output) as file:
        times = {key: float(file.attrs[key]) for key in ("seconds", "ps_per_flip")}
    output.unlink()
    return times


def measure(options: argparse.Namespace, L: int, h: float | None, folder: Path) -> dict[str, object]:
    """One job. Shorter ones tell how many sweeps it needs."""
    command, sweeps = job_of(options, L, h), unit_of(options)
    times = timed(command, sweeps, folder)
    for _ in range(4):
        if times["seconds"] >= 0.7 * options.seconds:
            break
        longer = options.seconds / max(times["seconds"], 0.02 * options.seconds)
        sweeps = max(1, int(sweeps * longer) // unit_of(options)) * unit_of(options)
        times = timed(command, sweeps, folder)
    return {"model": options.model, "method": options.method, "L": L, "h": h, "samples": options.samples} | {
        "sweeps": sweeps,
        "seconds": round(times["seconds"], 6),
        "ps_per_flip": round(times["ps_per_flip"], 5),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psflip", type=Path, default=Path("build/bin/psflip"), help="default build/bin/psflip")
    parser.add_argument("--backend", default="cuda", help="as psflip takes it (default cuda)")
    parser.add_argument("--model", choices=sorted(RANGES), required=True)
    parser.add_argument("--method", choices=["tempering", "equilibrium"], required=True)
    parser.add_argument("--L", required=True, help="sizes, comma separated")
    parser.add_argument("--h", help="fields, comma separated (default: none is given to psflip)")
    parser.add_argument("--samples", type=int, default=1024, help="realizations (default 1024)")
    parser.add_argument("--seconds", type=float, default=2, help="of each job, about (default 2)")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for L in map(int, options.L.split(",")):
                for h in map(float, options.h.split(",")) if options.h else [None]:
                    rows.append(measure(options, L, h, Path(folder)))
                    field = "" if h is None else f"  h = {h:g}"
                    print(f"L = {L}{field}  {rows[-1]['ps_per_flip']:.4f} ps/flip", file=sys.stderr, flush=True)
        except OSError as error:
            sys.exit(f"survey.py: --psflip {options.psflip}: {error.strerror}, build it or give its path.")
        except subprocess.CalledProcessError as error:
            sys.exit(error.stderr.strip().splitlines()[-1])
    version = subprocess.run([options.psflip, "--version"], check=True, capture_output=True, text=True).stdout
    print(json.dumps({"version": version.splitlines(), "jobs": rows}, indent=1))


if __name__ == "__main__":
    main()
