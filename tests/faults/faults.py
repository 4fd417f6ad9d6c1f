"""Each kind of fault: what is done to a job, and how the job must take it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jobs import AGAIN, DONE, REFUSED, Fault, Workshop, require_equal

MOMENTS = {"any": 0.4, "checkpoint": 0.45, "output": 0.15}  # and how often each is chosen


def is_writing(workshop: Workshop, path: Path) -> bool:
    """A temporary file with something in it: an empty one is only the first look whether the folder is writable."""
    with os.scandir(workshop.folder) as entries:
        for entry in entries:
            try:
                if entry.name.startswith(f"{path.name}.tmp.") and entry.stat().st_size > 0:
                    return True
            except OSError:  # renamed in the meantime
                continue
    return False


def wait_for_moment(
    workshop: Workshop, process: subprocess.Popen[str], moment: str, seconds: float, rng: random.Random
) -> None:
    """Returns at a random time, or somewhere near the writing of a checkpoint (after a random time) or of the output."""
    if moment != "output":
        deadline = time.monotonic() + rng.uniform(0, seconds / 2 if moment == "any" else seconds / 5)
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
    if moment != "any":
        path = workshop.output if moment == "output" else workshop.checkpoint
        while process.poll() is None and not is_writing(workshop, path):
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.01))


def has_begun(said: str) -> bool:
    """Whether a job said more than what it is and which files it will write: then it has looked for a checkpoint."""
    return any(not line.startswith("--save-") for line in said.splitlines()[1:])


def kill_until_done(workshop: Workshop, expected: Path, seconds: float, kills: int, rng: random.Random) -> Counter[str]:
    """SIGKILL at random moments, a new process after each, until the job is done: never more than `kills`."""
    counts: Counter[str] = Counter()
    workshop.clear()
    for moment in rng.choices(list(MOMENTS), list(MOMENTS.values()), k=kills):
        had_checkpoint = workshop.checkpoint.exists() or workshop.previous.exists()
        process = workshop.start(rng.choice([0.03, 0.1, 0.3]))
        wait_for_moment(workshop, process, moment, seconds, rng)
        process.send_signal(signal.SIGKILL)
        code = workshop.end(process)
        if code == DONE:
            break
        if code != -signal.SIGKILL:
            raise Fault(f"{workshop.engine} ended with exit code {code} before it was killed: {workshop.said.strip()}")
        if had_checkpoint and has_begun(workshop.said) and "continuing" not in workshop.said:
            raise Fault(f"{workshop.engine} did not continue from its checkpoint: {workshop.said.strip()}")
        counts[f"killed while writing {workshop.being_written()}"] += 1
        if workshop.output.exists():  # killed between the last rename and the end: then the file must be complete
            require_equal(workshop.output, expected)
            workshop.clear()
            counts["finished jobs"] += 1
    workshop.finish()
    require_equal(workshop.output, expected)
    left = sorted(path.name for path in workshop.folder.iterdir() if path != workshop.output)
    if left:
        raise Fault(f"a finished job left {left}")
    counts["finished jobs"] += 1
    return counts


def stop_with_two_checkpoints(workshop: Workshop) -> None:
    """A job that was stopped in its middle and has a checkpoint and a previous one."""
    workshop.clear()
    while not workshop.previous.exists():
        code = workshop.end(workshop.start(0.05, "--max-seconds", "0.3"))
        if code != AGAIN:
            raise Fault(f"{workshop.engine} did not stop with two checkpoints: {workshop.said.strip()}")


def damage(path: Path, how: str, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    if how == "truncated":
        data = data[: rng.randrange(len(data))]
    else:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def damaged_checkpoint(workshop: Workshop, expected: Path, how: str, rng: random.Random) -> None:
    """One sentence refuses the file, one says that the previous one is used; the result is the same."""
    stop_with_two_checkpoints(workshop)
    damage(workshop.checkpoint, how, rng)
    workshop.percent = 0.0  # the previous one is older
    workshop.finish()
    lines = workshop.said.splitlines()
    if not any(str(workshop.checkpoint) in line and line.startswith("Cannot use") for line in lines):
        raise Fault(f"{workshop.engine} said nothing about a {how} checkpoint: {workshop.said.strip()}")
    if f"The previous checkpoint {workshop.previous} is used instead." not in lines:
        raise Fault(f"{workshop.engine} did not use the previous checkpoint: {workshop.said.strip()}")
    require_equal(workshop.output, expected)


def two_damaged_checkpoints(workshop: Workshop, expected: Path, rng: random.Random) -> None:
    """Refused with exit code 2, nothing touched; without the files the job begins anew."""
    stop_with_two_checkpoints(workshop)
    for path in (workshop.checkpoint, workshop.previous):
        damage(path, rng.choice(["truncated", "flipped"]), rng)
    before = {path: path.read_bytes() for path in workshop.folder.iterdir()}
    code = workshop.end(workshop.start(0.1))
    if code != REFUSED or "remove both" not in workshop.said or len(workshop.said.splitlines()[-1].split(". ")) > 1:
        raise Fault(f"{workshop.engine}, two damaged checkpoints: exit code {code}, {workshop.said.strip()}")
    if before != {path: path.read_bytes() for path in workshop.folder.iterdir()}:
        raise Fault(f"{workshop.engine} changed files that it refused")
    workshop.clear()
    workshop.finish()
    require_equal(workshop.output, expected)


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of its own; only root may mount one."""
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "psflip-faults", folder], check=True, capture_output=True
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
        folder.rmdir()


def require_full_disk(workshop: Workshop, code: int) -> None:
    last = workshop.said.splitlines()[-1] if workshop.said else ""
    if code != REFUSED or "Cannot write" not in last:
        raise Fault(f"{workshop.engine} on a full disk: exit code {code}, {workshop.said.strip()}")
    if workshop.being_written() != "nothing":
        raise Fault(f"{workshop.engine} left a temporary file on a full disk")
    if workshop.output.exists():
        raise Fault(f"{workshop.engine} left an output on a full disk")


def full_disk(workshop: Workshop, expected: Path, folder: Path, rng: random.Random) -> None:
    """The disk fills up while the job runs: it stops with a sentence, keeps its checkpoint, and continues when there is space."""
    with small_disk(folder, 8192) as disk:
        there = Workshop(workshop.engine, workshop.program, disk, workshop.backend)
        log_is_there = rng.random() < 0.5  # as in a study, whose logs lie on the same disk
        process = there.start(0.1, shell=f"exec 2> {disk}/log" if log_is_there else "true")
        deadline = time.monotonic() + rng.uniform(0.3, 1.5)
        while process.poll() is None and (time.monotonic() < deadline or not there.checkpoint.exists()):
            time.sleep(0.001)
        fill(disk / "filler")
        code = there.end(process)
        if not (log_is_there and code == REFUSED):
            require_full_disk(there, code)
        (disk / "filler").unlink()
        there.finish()
        require_equal(there.output, expected)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096):
                continue
        except OSError:
            return


def file_size_limit(workshop: Workshop, expected: Path) -> None:
    """ulimit -f, with its signal as a shell leaves it: the output does not fit, and fits in the next run."""
    workshop.clear()
    process = workshop.start(0.5, shell="ulimit -f 64")
    require_full_disk(workshop, workshop.end(process))
    workshop.finish()
    require_equal(workshop.output, expected)


def may_mount(folder: Path) -> bool:
    try:
        with small_disk(folder, 64):
            return True
    except (OSError, subprocess.CalledProcessError):
        folder.rmdir()
        return False
