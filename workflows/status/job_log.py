"""What the log of a job says: its speed, its progress, why it failed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# Seconds are rounded to hundredths, so short jobs have 0.00; ps/flip has more digits.
DONE = re.compile(r"^done: (\S+) flips in \S+ s, (\S+) ps/flip", re.MULTILINE)
PROGRESS = re.compile(r"^ *(\d+\.\d) %  (\S+) ps/flip  \d+ s left", re.MULTILINE)
ANNOUNCED = re.compile(r"\w+ \w+ on \w+: ")  # the first line of every simulation
STOPPED = "stopped at "  # with a checkpoint: to be run again, no failure


@dataclass(frozen=True)
class Cost:
    """Of finished jobs together. Seconds are those of the simulation, without the writing of files."""

    flips: float = 0
    seconds: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.flips + other.flips, self.seconds + other.seconds)

    @property
    def ps_per_flip(self) -> float | None:
        return 1e12 * self.seconds / self.flips if self.flips > 0 else None


def read_text(path: Path) -> str:
    """The text of a log; none where it is not there (yet, or any more: logs of reduced shards are gathered)."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def cost_of(text: str) -> Cost:
    """Of all jobs of a log; a gathered log has many."""
    found = [(float(flips), float(flips) * float(ps) * 1e-12) for flips, ps in DONE.findall(text)]
    return Cost(sum(flips for flips, _ in found), sum(seconds for _, seconds in found))


def progress_of(text: str) -> tuple[float, float]:
    """The done fraction of a job that runs, and its ps/flip, as its last line of progress says."""
    found = PROGRESS.findall(text)
    return (float(found[-1][0]) / 100, float(found[-1][1])) if found else (0.0, 0.0)


def last_sentence(text: str) -> str:
    """The last line of a log that is no progress."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not PROGRESS.match(line)]
    return lines[-1] if lines else ""


def why_failed(log: str, interrupted: bool = False) -> str:
    """One sentence about a failed job; empty for one that only has to be run again: it stopped with a checkpoint, or a signal
    ended the run and with it the job, which had nothing to say."""
    sentence = last_sentence(read_text(Path(log)) if log else "")
    if sentence.startswith(STOPPED):
        return ""
    if not sentence or ANNOUNCED.match(sentence) or sentence == "KeyboardInterrupt":
        return "" if interrupted else f"{log}: the job ended without a message; it was killed, or memory ran out"
    return f"{log}: {sentence}"
