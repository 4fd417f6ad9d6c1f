"""A campaign of faults against every engine; exit code 0 only if no result was wrong or lost."""

from __future__ import annotations

import argparse
import json
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import faults
from jobs import JOBS, Fault, Workshop

ROOT = Path(__file__).resolve().parents[2]


class Campaign:
    """Counts of what was done and of what went wrong."""

    def __init__(self, program: Path, folder: Path, backend: str, seed: int) -> None:
        # A copy, which no build replaces while it is used.
        self.program = Path(shutil.copy2(program, folder / "psflip"))
        self.folder, self.backend = folder, backend
        self.rng = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.seconds: dict[str, float] = {}
        self.workshops = {engine: self._workshop(engine) for engine in JOBS}

    def _workshop(self, engine: str) -> Workshop:
        folder = self.folder / engine
        folder.mkdir()
        return Workshop(engine, self.program, folder, self.backend)

    def expected(self, engine: str) -> Path:
        return self.folder / f"{engine}.undisturbed.h5"

    def make_undisturbed(self) -> None:
        for engine, workshop in self.workshops.items():
            start = time.monotonic()
            workshop.finish()
            self.seconds[engine] = time.monotonic() - start
            workshop.output.rename(self.expected(engine))
            print(f"{engine}: {self.seconds[engine]:.1f} s when nothing happens", flush=True)

    def attempt(self, name: str, action, *arguments) -> None:
        """Logs a fault; its files are kept next to the working folder for inspection."""
        try:
            more = action(*arguments)
            self.counts.update(more if more is not None else {name: 1})
        except Fault as fault:
            self.failures.append(str(fault))
            print(f"FAULT: {fault}", flush=True)

    def kills(self) -> int:
        return sum(count for name, count in self.counts.items() if name.startswith("killed"))

    def kill(self, total: int) -> None:
        engines = list(JOBS)
        while self.kills() < total and not self.failures:
            engine = engines[self.counts["finished jobs"] % len(engines)]
            most = min(total - self.kills(), self.rng.randint(2, 8))
            arguments = (self.workshops[engine], self.expected(engine), self.seconds[engine], most, self.rng)
            self.attempt("", faults.kill_until_done, *arguments)
            print(f"{self.kills()} kills, {self.counts['finished jobs']} finished jobs", flush=True)

    def damage(self, rounds: int) -> None:
        for engine, workshop in self.workshops.items():
            expected = self.expected(engine)
            for _ in range(rounds):
                for how in ("truncated", "flipped"):
                    name = f"{how} checkpoint"
                    self.attempt(name, faults.damaged_checkpoint, workshop, expected, how, self.rng)
                name = "both checkpoints damaged"
                self.attempt(name, faults.two_damaged_checkpoints, workshop, expected, self.rng)

    def fill_disks(self, rounds: int) -> None:
        disk = self.folder / "disk"
        mounts = faults.may_mount(disk)
        if not mounts:
            print("skipped: a full file system, because only root may mount one; ulimit -f takes its place", flush=True)
        for engine, workshop in self.workshops.items():
            for _ in range(rounds):
                self.attempt("file size limit", faults.file_size_limit, workshop, self.expected(engine))
                if mounts:
                    self.attempt("full disk", faults.full_disk, workshop, self.expected(engine), disk, self.rng)

    def summary(self) -> dict[str, object]:
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
        return {
            "command": shlex.join(["tests/faults/run", *sys.argv[1:]]),
            "commit": commit.stdout.strip(),
            "backend": self.backend,
            "kills": self.kills(),
            "events": dict(sorted(self.counts.items())),
            "wrong or lost results": len(self.failures),
            "failures": self.failures,
        }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/faults/run", description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="how often SIGKILL is sent (default 20)")
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often each other fault strikes each engine (default 1)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the moments and the damaged bytes")
    parser.add_argument("--backend", default="cpu", help="backend of psflip (default cpu)")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bin" / "psflip", help="the engine")
    parser.add_argument("--output", type=Path, help="JSON file of the counts")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if not options.program.exists():
        print(f"{options.program} is not there; build it with ./study exec true", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="psflip-faults-") as folder:
        campaign = Campaign(options.program, Path(folder), options.backend, options.seed)
        campaign.make_undisturbed()
        campaign.damage(options.rounds)
        campaign.fill_disks(options.rounds)
        campaign.kill(options.kills)
    summary = campaign.summary()
    text = json.dumps(summary, indent=2) + "\n"
    if options.output:
        options.output.write_text(text)
    print(text, end="")
    return 1 if campaign.failures else 0


if __name__ == "__main__":
    sys.exit(main())
