"""Runs Snakemake for a study: its output goes to a log, the user reads the state of the parts.

python -m workflows.status.run FILE -- snakemake OPTIONS...

Exit codes: that of Snakemake; 2 bad input; 99 another process runs the study. Ctrl-C reaches Snakemake too, which ends its
jobs; SIGTERM is handed on. The lock of the results folder is kept until Snakemake has ended, and ends with this process."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TextIO

from workflows.status.job_log import read_text
from workflows.status.run_log import ENDED, FIRST, LAST
from workflows.status.show import brief_table, line, steps, table
from workflows.status.state import FIRST_SIGNAL, Reader, StudyState
from workflows.study.error import StudyError
from workflows.study.study import open_study
from workflows.study.validation import read_study

IS_RUN_BY_ANOTHER = 99
SECONDS_BETWEEN_LINES = 60.0
SHOWN_LOGS = 5
SHOWN_LINES = 5


def lock(folder: Path) -> TextIO:
    """Held until the file is closed, also by a kill; BlockingIOError if another process has it."""
    file = (folder / ".lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:  # a network file system without locks
        raise StudyError(f"{file.name}: cannot be locked ({error.strerror}); put results/ on another disk") from error
    return file


def new_log(folder: Path) -> Path:
    logs = folder / "logs" / "run"
    logs.mkdir(parents=True, exist_ok=True)
    while (path := logs / f"{time.strftime('%Y%m%d-%H%M%S')}.log").exists():
        time.sleep(0.1)
    return path


class Display:
    """Lines that are written over in a terminal; else one line a minute."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lines = 0
        self._next = 0.0
        self._terminal = out.isatty() and os.environ.get("TERM") != "dumb"

    def show(self, state: StudyState, reading_took: float) -> None:
        """Shows the state if it is time for it."""
        now = time.monotonic()
        if now < self._next:
            return
        # Reading the state of 20,000 shards takes a while; a tenth of a core is enough for it.
        self._next = now + (max(1.0, 10 * reading_took) if self._terminal else SECONDS_BETWEEN_LINES)
        if self._terminal:
            self._draw([*brief_table(state), steps(state)])
        else:
            self._print(f"[{time.strftime('%H:%M:%S')}] {line(state)}")

    def end(self, state: StudyState) -> None:
        """The state at the end, which stays."""
        if self._terminal:
            self._draw([*brief_table(state), steps(state)])
        else:
            self._print("\n".join([*table(state), f"[{time.strftime('%H:%M:%S')}] {line(state)}"]))

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next

    def _draw(self, lines: list[str]) -> None:
        width, height = shutil.get_terminal_size()
        lines = [text[: width - 1] for text in lines[-(height - 1) :]]
        up = f"\033[{self._lines}A" if self._lines else ""
        self._print(up + "\n".join(f"\r\033[K{text}" for text in lines) + "\033[J")
        self._lines = len(lines)

    def _print(self, text: str) -> None:
        print(text, file=self._out, flush=True)


def watch(child: subprocess.Popen[bytes], reader: Reader, log: Path, display: Display) -> int:
    """Shows the state until Snakemake ends; its exit code, 128 + the number of a signal that ended it."""
    while True:
        try:
            status = child.wait(timeout=0.3)
            return status if status >= 0 else FIRST_SIGNAL - status
        except subprocess.TimeoutExpired:
            if display.is_due:
                started = time.monotonic()
                state = reader.read(log)
                display.show(state, time.monotonic() - started)


def explain(state: StudyState, log: Path, status: int) -> None:
    """Why a run did not finish: the last lines of the logs of failed jobs; without any, those of Snakemake."""
    stopped = sum(part.stopped for part in state.parts)
    shown = [path for path in state.failed_logs if read_text(Path(path)).strip()][:SHOWN_LOGS]
    if not shown and not stopped and status < FIRST_SIGNAL:
        shown = [str(log)]
    for path in shown:
        lines = [text for text in read_text(Path(path)).splitlines() if text.strip() and not ENDED.match(text)]
        print("\n".join(["", f"{path}:", *lines[-SHOWN_LINES:]]), file=sys.stderr)
    if stopped:
        print(f"\nJobs that stopped with a checkpoint and continue from it: {stopped}", file=sys.stderr)
    print(f"\nLog of Snakemake: {log}", file=sys.stderr, flush=True)


def run(file: Path, command: list[str]) -> int:
    """Runs the command with the results folder locked. StudyError, OSError: nothing was run."""
    study = open_study(read_study(file))
    root = Path(study.root)
    root.mkdir(parents=True, exist_ok=True)
    try:
        kept = lock(root)
    except BlockingIOError:
        return IS_RUN_BY_ANOTHER
    with kept:
        log = new_log(root)
        print(f"Log of Snakemake: {log}", flush=True)
        signals: list[int] = []
        with log.open("ab", buffering=0) as output:
            output.write((FIRST.format(pid=os.getpid(), host=socket.gethostname(), file=file) + "\n").encode())
            child = subprocess.Popen(command, stdout=output, stderr=output)
            signal.signal(signal.SIGINT, lambda number, _: signals.append(number))  # Snakemake has it from the terminal
            signal.signal(signal.SIGTERM, lambda number, _: (signals.append(number), child.terminate()))
            reader, display = Reader(study), Display(sys.stdout)
            status = watch(child, reader, log, display)
            if signals and status:
                status = FIRST_SIGNAL + signals[0]
            output.write((LAST.format(status=status) + "\n").encode())
        state = reader.read(log)
        display.end(state)
        if status:
            explain(state, log, status)
    return status


def main() -> int:
    file, separator, *command = sys.argv[1:]
    if separator != "--" or not command:
        print("usage: python -m workflows.status.run FILE -- snakemake OPTIONS...", file=sys.stderr)
        return 2
    try:
        return run(Path(file), command)
    except StudyError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(f"{error.filename}: cannot be written ({error.strerror}); make results/ writable", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
