#!/usr/bin/env python3
"""Times `psflip bench` of two programs in turn on one core and prints the ratios of their times.

    python tests/equality/paired_speed.py OLD_PSFLIP NEW_PSFLIP [--rounds N] [--filter TEXT] [--core N]

One line a job: picoseconds per flip of both (median over rounds), the median of the ratios of the rounds, the ratio of the
fastest runs, and the same ratio for measurements alone. A machine with other work on it makes medians scatter; the ratio of
the fastest runs is then the better one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

Times = dict[str, list[dict[str, float]]]  # by job, one entry a round


def bench(program: str, text: str, core: int, output: Path) -> list[dict[str, float]]:
    output.unlink(missing_ok=True)
    command = [program, "bench", "--backend", "cpu", "--threads", "1", "--runs", "1", "--filter", text]
    pinned = ["taskset", "-c", str(core), *command, "--output", str(output)]
    subprocess.run(pinned, check=True, stdout=subprocess.DEVNULL)
    return json.loads(output.read_text())


def measured(programs: dict[str, str], text: str, core: int, rounds: int) -> dict[str, Times]:
    """Times of both programs; the one that comes first changes from round to round."""
    times: dict[str, Times] = {name: {} for name in programs}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            order = list(programs) if number % 2 == 0 else list(programs)[::-1]
            for name in order:
                for job in bench(programs[name], text, core, Path(folder) / "bench.json"):
                    times[name].setdefault(job["name"], []).append(job)
    return times


def line(job: str, old: list[dict[str, float]], new: list[dict[str, float]]) -> str:
    def all_of(jobs: list[dict[str, float]]) -> list[float]:
        return [one["ps_per_flip"] for one in jobs]

    def fastest_measurement(jobs: list[dict[str, float]]) -> float:
        return min(one["ps_per_flip"] - one["ps_per_flip_updates"] for one in jobs)

    ratio = statistics.median(b / a for a, b in zip(all_of(old), all_of(new)))
    medians = f"{statistics.median(all_of(old)):.2f},{statistics.median(all_of(new)):.2f}"
    fastest = min(all_of(new)) / min(all_of(old))
    return f"{job},{medians},{ratio:.3f},{fastest:.3f},{fastest_measurement(new) / fastest_measurement(old):.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--filter", default="-", help="only jobs with this in their name")
    parser.add_argument("--core", type=int, default=0)
    arguments = parser.parse_args()
    programs = {"old": arguments.old, "new": arguments.new}
    times = measured(programs, arguments.filter, arguments.core, arguments.rounds)
    print("job,old_ps_per_flip,new_ps_per_flip,median_ratio,fastest_ratio,fastest_measurement_ratio")
    for job in [name for name in times["old"] if name in times["new"]]:
        print(line(job, times["old"][job], times["new"][job]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
