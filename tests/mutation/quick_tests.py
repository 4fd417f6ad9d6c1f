"""The quick tests of a build as ctest lists them, run one by one: a mutant meets only the tests that reach it."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# A mutant that makes a test this much slower than usual, in processor time, is taken for one that hangs.
SLOWER = 10
SPARE = 3  # seconds


@dataclass
class QuickTest:
    """One test of ctest."""

    name: str
    command: list[str]
    folder: str
    environment: dict[str, str]
    labels: list[str]
    skip_code: int | None
    sets_up: list[str] = field(default_factory=list)
    seconds: float = 0.0  # processor time without a mutant
    reached: list[int] = field(default_factory=list)


def command_of(one: dict[str, Any]) -> list[str]:
    """Empty for a test that only tells what another one found; a test that runs a file of Python tests ends at once."""
    command = one.get("command", [])
    if command and command[0].endswith("/tell_outcome.sh"):
        return []
    if "--outcomes" in command:
        return [command[0], "-x", "-m", "not slow", *command[3:]]
    return command


def tests_of(build: Path, without: tuple[str, ...] = ("slow", "style", "mutation")) -> list[QuickTest]:
    """Tests with one of the labels `without` are left out: style reads sources."""
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True)
    tests = []
    for one in json.loads(shown.stdout)["tests"]:
        command = command_of(one)
        values = {entry["name"]: entry["value"] for entry in one.get("properties", [])}
        if not command or values.get("DISABLED") or set(values.get("LABELS", [])) & set(without):
            continue
        environment = dict(entry.split("=", 1) for entry in values.get("ENVIRONMENT", []))
        folder, labels = values.get("WORKING_DIRECTORY", str(build)), values.get("LABELS", [])
        # A test that runs a file of Python tests is the fixture only of those that tell its outcomes.
        sets_up = [fixture for fixture in values.get("FIXTURES_SETUP", []) if fixture != one["name"]]
        skip = values.get("SKIP_RETURN_CODE")
        tests.append(QuickTest(one["name"], command, folder, environment, labels, skip, sets_up))
    # What others need comes first.
    return sorted(tests, key=lambda test: not test.sets_up)


def limit_processor_time(seconds: float) -> None:
    whole = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))


def run(
    test: QuickTest, extra: dict[str, str], processor: float | None = None, clock: float = 900.0
) -> tuple[str, float]:
    """How a test ended (passed, failed, skipped, timeout) and its processor time."""
    environment = os.environ | test.environment | extra
    prepare = None if processor is None else (lambda: limit_processor_time(processor))
    process = subprocess.Popen(
        test.command,
        cwd=test.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=prepare,
    )
    start, out = time.monotonic(), ""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        out, _ = process.communicate(timeout=clock)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "timeout", time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout", used
    if process.returncode == test.skip_code or re.search(r"(^|\n)1 skipped in ", out):
        return "skipped", used
    return ("passed" if process.returncode == 0 else "failed"), used


def record(test: QuickTest, file: Path) -> str:
    """Runs a test without a mutant; fills its time and the mutants that it reaches."""
    file.unlink(missing_ok=True)
    outcome, test.seconds = run(test, {"PSFLIP_MUTANT_RECORD": str(file)})
    if file.exists():
        test.reached = sorted({int(line) for line in file.read_text().split()})
        file.unlink()
    return outcome


def judge(mutant: int, tests: list[QuickTest]) -> tuple[str, str, int]:
    """The fate of a mutant (killed, timeout, survived, unreached), the test that killed it, and how many tests ran."""
    reaching = sorted((test for test in tests if mutant in test.reached), key=lambda test: test.seconds)
    for count, test in enumerate(reaching, 1):
        processor = SLOWER * test.seconds + SPARE
        outcome, _ = run(test, {"PSFLIP_MUTANT": str(mutant)}, processor, 60 + 4 * processor)
        if outcome in ("failed", "timeout"):
            return ("killed" if outcome == "failed" else "timeout"), test.name, count
    return ("survived" if reaching else "unreached"), "", len(reaching)
