"""Run a command, measure its phases (time, processor time, memory), write them to OUTPUT.json, print them to stderr.

python3 tests/bare/phases.py OUTPUT.json -- COMMAND...

A line `==> TITLE` of the command starts a phase, and so does the line with which `./study run` starts Snakemake.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

SECONDS_BETWEEN_SAMPLES = 0.5
TICKS = os.sysconf("SC_CLK_TCK")
STARTS = {"==> ": "{}", "Log of Snakemake: ": "Snakemake"}  # of lines, and titles of their phases


def fields(process: int) -> list[str]:
    """Fields of /proc/N/stat after the name, which may hold spaces; the first is the state."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def family(ancestor: int) -> list[int]:
    """A process and all its descendants."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(fields(int(entry.name))[1])
            except OSError:
                pass  # it has ended
    found = [ancestor]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def processor_seconds(ancestor: int) -> float:
    """User and system time of a process, its descendants, and those of their children that have ended."""
    total = 0
    for process in family(ancestor):
        try:
            total += sum(int(field) for field in fields(process)[11:15])
        except OSError:
            pass  # it has ended
    return total / TICKS


def memory(process: int) -> tuple[str, int, int]:
    """Name, resident memory now and its peak, in KiB."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    size = [int(lines.get(key, "0").split()[0]) for key in ("VmRSS", "VmHWM")]
    return lines["Name"].strip(), size[0], size[1]


class Phases:
    """What is known of the phases so far; the last one runs."""

    def __init__(self, process: int, title: str) -> None:
        self.process = process
        self.phases: list[dict] = []
        self.begin(title)

    def begin(self, title: str) -> None:
        self.end()
        self.phases.append({"phase": title, "sum_mib": 0, "largest_mib": 0, "largest": ""})
        self.start = time.monotonic(), processor_seconds(self.process)

    def end(self) -> None:
        """At a line `==>` the commands of the phase before have ended, except pip, which works while ./study compiles.
        Their processor time is counted."""
        if self.phases:
            self.phases[-1]["seconds"] = round(time.monotonic() - self.start[0], 1)
            self.phases[-1]["processor_seconds"] = round(processor_seconds(self.process) - self.start[1], 1)

    def sample(self) -> None:
        phase, total = self.phases[-1], 0
        for process in family(self.process):
            try:
                name, now, peak = memory(process)
            except (OSError, ValueError, KeyError):
                continue  # it has ended
            total += now
            if peak / 1024 > phase["largest_mib"]:
                phase.update(largest_mib=round(peak / 1024), largest=name)
        phase["sum_mib"] = max(phase["sum_mib"], round(total / 1024))


def measure(command: list[str]) -> tuple[int, list[dict]]:
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    phases = Phases(run.pid, "start")
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SECONDS_BETWEEN_SAMPLES):
            phases.sample()

    watcher = threading.Thread(target=watch)
    watcher.start()
    for line in run.stdout:
        text = line.decode(errors="replace").rstrip("\n")
        print(text, flush=True)
        for start, title in STARTS.items():
            if text.startswith(start):
                phases.begin(title.format(text.removeprefix(start)))
    os.waitid(os.P_PID, run.pid, os.WEXITED | os.WNOWAIT)  # its times are read before it is gone
    phases.end()
    ended.set()
    watcher.join()
    return run.wait(), phases.phases


def table(phases: list[dict]) -> str:
    lines = ["     s  CPU s  largest process        all  phase"]
    for phase in phases:
        numbers = f"{phase['seconds']:6.0f} {phase['processor_seconds']:6.0f}"
        process = f"{phase['largest_mib']:5} MiB {phase['largest']:11.11}"
        lines.append(f"{numbers}  {process} {phase['sum_mib']:5} MiB  {phase['phase'][:50]}")
    return "\n".join(lines) + "\n"


def main() -> None:
    if len(sys.argv) < 4 or sys.argv[2] != "--":
        sys.exit(__doc__)
    status, phases = measure(sys.argv[3:])
    Path(sys.argv[1]).write_text(json.dumps(phases, indent=1) + "\n")
    sys.stderr.write(table(phases))
    sys.exit(status)


if __name__ == "__main__":
    main()
