"""The display of a run: what the user reads, where Snakemake's output goes, signals, the lock."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Workspace
from workflows.status.run import lock
from workflows.study.error import StudyError


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "workflows.status.run", "config/smoke.yaml", "--", *words]


def run(workspace: Workspace, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), cwd=workspace.folder, capture_output=True, text=True, check=False)


def log_of(workspace: Workspace) -> str:
    (path,) = (workspace.results() / "logs" / "run").glob("*.log")
    return path.read_text()


def wait_for(workspace: Workspace, text: str) -> None:
    """Until the log of the run has the text."""
    while True:
        logs = list((workspace.results() / "logs" / "run").glob("*.log"))
        if logs and text in logs[0].read_text():
            return
        time.sleep(0.05)


def test_output_goes_to_a_log_and_the_user_reads_lines_about_parts(workspace: Workspace) -> None:
    done = run(workspace, "bash", "-c", "seq 1000; seq 5 >&2")
    assert done.returncode == 0 and done.stderr == ""
    assert re.match(r"Log of Snakemake: results/smoke/logs/run/[\d-]+\.log\n", done.stdout)
    assert len(done.stdout.splitlines()) < 10 and "ising 0/6, relaxation 0/4, field 0/4" in done.stdout
    lines = log_of(workspace).splitlines()
    assert len(lines) == 1007 and lines[-1] == "study: ended with exit code 0"


def test_exit_codes_pass_and_without_failed_jobs_the_end_of_the_log_is_shown(workspace: Workspace) -> None:
    done = run(workspace, "bash", "-c", "echo 'no such rule'; exit 3")
    assert done.returncode == 3
    assert "no such rule" in done.stderr and "results/smoke/logs/run/" in done.stderr


def test_a_study_is_run_by_one_process_at_a_time(workspace: Workspace) -> None:
    workspace.results().mkdir(parents=True)
    with (workspace.results() / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run(workspace, "touch", "it-ran")
    assert (done.returncode, done.stdout) == (99, "")
    assert not (workspace.folder / "it-ran").exists()
    assert run(workspace, "touch", "it-ran").returncode == 0


def test_a_results_folder_that_cannot_be_made_is_told_in_one_sentence(workspace: Workspace) -> None:
    (workspace.folder / "results" / "smoke").touch()
    done = run(workspace, "true")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr


def test_a_disk_without_locks_is_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(
        StudyError, match=r"/\.lock: cannot be locked \(No locks available\); put results/ on another disk"
    ):
        lock(tmp_path)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_reach_snakemake_whose_end_is_waited_for(workspace: Workspace, number: int, status: int) -> None:
    child = "trap 'sleep 1; echo ended orderly; exit 5' INT TERM; echo ready; while true; do sleep 0.1; done"
    process = subprocess.Popen(command("bash", "-c", child), cwd=workspace.folder, start_new_session=True)
    wait_for(workspace, "ready")
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    assert process.wait() == status
    assert log_of(workspace).endswith(f"ended orderly\nstudy: ended with exit code {status}\n")


def test_in_a_terminal_the_lines_are_written_over(workspace: Workspace) -> None:
    terminal, end = pty.openpty()
    with subprocess.Popen(
        command("sleep", "3"), cwd=workspace.folder, stdout=end, stderr=end, env=os.environ | {"TERM": "xterm"}
    ) as process:
        os.close(end)
        text = b""
        while True:
            try:
                text += os.read(terminal, 4096)
            except OSError:  # the other end is closed
                break
    os.close(terminal)
    assert process.returncode == 0
    shown = text.decode()
    assert len(re.findall(r"relaxation +0/4", shown)) >= 2, "refreshed"
    assert "\033[5A" in shown, "over the heading, three parts and the steps"


def test_jobs_that_fail_are_shown_with_what_their_programs_said(workspace: Workspace) -> None:
    engine = workspace.folder / "build" / "bin" / "psflip"
    engine.write_text("#!/bin/sh\necho 'psflip: no luck today.' >&2\nexit 2\n")
    done = run(workspace, *workspace.command("smoke", "--keep-going", "--until", "simulate"))
    assert done.returncode == 1
    assert done.stderr.count("psflip: no luck today.") == 5 and "/logs/simulate/" in done.stderr
    assert "Log of Snakemake: results/smoke/logs/run/" in done.stderr
    state = subprocess.run(
        [sys.executable, "-m", "workflows.status", "config/smoke.yaml"],
        cwd=workspace.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert state.returncode == 1
    rows = {line.split()[0]: line.split() for line in state.stdout.splitlines()}
    assert rows["ising"][3:7] == ["0/6", "0", "6", "0"] and rows["field"][3:7] == ["0/4", "0", "0", "8"]
    assert re.search(r"^error: results/smoke/logs/simulate/\S+: psflip: no luck today\.$", state.stdout, re.M)
