"""The log of one run of a study, as Snakemake writes it: which jobs started, finished and failed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FIRST = "study: process {pid} on {host} runs {file}"
LAST = "study: ended with exit code {status}"
BEGUN = re.compile(r"study: process (\d+) on (\S+) runs ")
ENDED = re.compile(r"study: ended with exit code (\d+)")
JOB = re.compile(r"(?:    )?(?:local)?rule (\w+):$")
ERROR = re.compile(r"Error in rule (\w+):$|        rule (\w+):$")  # the latter in a group of jobs
KEY = re.compile(r" +(output|log|jobid): (.+)$")
FINISHED = re.compile(r"Finished jobid: (\d+)")
STEPS = re.compile(r"(\d+) of (\d+) steps \(")
# Jobs that simulate; the others analyse.
ENGINE_RULES = ("simulate", "temper", "adapt")


@dataclass(frozen=True)
class Job:
    rule: str
    output: str  # the first file that it makes
    log: str


class RunLog:
    """What the log says so far. `read` continues where it stopped, so that a log of 20,000 jobs can be followed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.jobs: dict[int, Job] = {}
        self.running: set[int] = set()
        self.failed: set[int] = set()
        self.steps: tuple[int, int] | None = None  # done, all
        self.process: tuple[int, str] | None = None  # number and host
        self.status: int | None = None  # exit code, once ended
        self.most_engines = 0  # that ran at the same time
        self._offset = 0
        self._block: tuple[bool, str] | None = None  # whether it is about an error, and the rule
        self._keys: dict[str, str] = {}

    def read(self) -> None:
        """Takes in the lines that are complete by now."""
        with self.path.open("rb") as file:
            file.seek(self._offset)
            text = file.read()
        text = text[: text.rfind(b"\n") + 1]
        self._offset += len(text)
        for line in text.decode(errors="replace").splitlines():
            self._line(line)

    def of(self, rules: tuple[str, ...], which: set[int]) -> list[Job]:
        return [self.jobs[number] for number in sorted(which) if self.jobs[number].rule in rules]

    def _line(self, line: str) -> None:
        if found := ERROR.match(line):
            self._block, self._keys = (True, found[1] or found[2]), {}
        elif found := JOB.match(line):
            self._block, self._keys = (False, found[1]), {}
        elif self._block and (found := KEY.match(line)):
            self._keys[found[1]] = found[2].split(", ")[0].removesuffix(" (check log file(s) for error details)")
            if found[1] == "jobid":
                self._job(int(found[2]))
        elif found := FINISHED.match(line):
            self.running.discard(int(found[1]))
            self.failed.discard(int(found[1]))
        elif found := STEPS.match(line):
            self.steps = int(found[1]), int(found[2])
        elif found := BEGUN.match(line):
            self.process = int(found[1]), found[2]
        elif found := ENDED.match(line):
            self.status = int(found[1])

    def _job(self, number: int) -> None:
        """A job that starts, also again after an error, or one that failed. The block of an error begins with its number."""
        assert self._block
        is_error, rule = self._block
        if is_error:
            self.jobs.setdefault(number, Job(rule, "", ""))
            self.running.discard(number)
            self.failed.add(number)
        else:
            self.jobs[number] = Job(rule, self._keys.get("output", ""), self._keys.get("log", ""))
            self.failed.discard(number)
            self.running.add(number)
            self.most_engines = max(self.most_engines, len(self.of(ENGINE_RULES, self.running)))


def newest_log(folder: Path) -> Path | None:
    """The log of the last run; names of logs are times."""
    return max(folder.glob("logs/run/*.log"), default=None)
