"""./study status: what it counts, its exit codes, and that it only reads."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from conftest import Workspace
from workflows.status.run_log import RunLog
from workflows.status.show import duration
from workflows.study.study import Study

RUNNING = "[Wed Nov 25 02:06:04 2026]\n{local}rule {rule}:\n    output: {output}\n    log: {log}\n    jobid: {number}\n"
FAILED = "Error in rule {rule}:\n    jobid: {number}\n    output: {output}\n    log: {log} (check log file(s) for error details)\n"


def status(workspace: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workflows.status", *arguments]
    return subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=False)


def parts_of(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    return {part["part"]: part for part in json.loads(done.stdout)["parts"]}


def files_of(folder: Path) -> dict[str, tuple[float, int]]:
    return {str(path): (path.stat().st_mtime, path.stat().st_size) for path in folder.rglob("*")}


class MadeUp:
    """The log of a run that continues on another machine, and the logs of its jobs."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.study = Study(workspace.study())
        self.text = "study: process 1 on another-machine runs config/smoke.yaml\n"
        self.number = 0

    def job(self, part: str, says: str, fails: bool = False, shard: int = 0) -> str:
        """A shard of the first run of a part that runs or failed; its log."""
        found = self.study.parts[part]
        (size, _), run = next(iter(found.runs.items()))
        first, count = found.shards(size)[shard]
        rule = "temper" if found.grids else "simulate"
        log = f"results/smoke/logs/{rule}/{run.name}/{first}_{count}.log"
        self.number += 1
        words = {"rule": rule, "output": self.study.shard(run, first, count), "log": log, "number": self.number}
        self.text += RUNNING.format(local="local", **words) + (FAILED.format(**words) if fails else "")
        path = self.workspace.folder / log
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(says)
        return log

    def write(self, end: str = "") -> None:
        path = self.workspace.results() / "logs" / "run" / "20261125-020000.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text + end)


def test_a_finished_study_is_complete_and_a_lost_sum_is_not(finished: Workspace) -> None:
    done = status(finished, "config/smoke.yaml", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["complete"]
    parts = parts_of(done)
    assert {name: (part["shards_done"], part["shards"]) for name, part in parts.items()} == {
        "ising": (6, 6),
        "relaxation": (4, 4),
        "field": (4, 4),
    }
    assert all(part["ps_per_flip"] > 0 and part["seconds_left"] == 0 for part in parts.values())
    record = finished.results() / "study.json"
    content = record.read_bytes()
    for garbage in (b"\xff\xfe", b"[" * 100_000, b"{}"):
        record.write_bytes(garbage)
        done = status(finished, "config/smoke.yaml", "--json")
        assert (done.returncode, done.stderr) == (1, "") and not json.loads(done.stdout)["complete"]
    record.write_bytes(content)
    assert status(finished, "config/smoke.yaml", "--json").returncode == 0
    reduced = next((finished.results() / "reduced").glob("ea3d_L4_*/*.h5"))
    reduced.unlink()
    done = status(finished, "config/smoke.yaml", "--json")
    assert done.returncode == 1 and parts_of(done)["relaxation"]["shards_done"] == 4, "the shards are there"
    next((finished.results() / "shards").glob("ea3d_L4_*/*.h5")).unlink()
    done = status(finished, "config/smoke.yaml", "--json")
    assert (parts_of(done)["relaxation"]["shards_done"], parts_of(done)["relaxation"]["waiting"]) == (3, 1)
    assert parts_of(done)["relaxation"]["seconds_left"] > 0


def test_a_study_whose_file_has_changed_since_its_report_is_not_complete(finished: Workspace) -> None:
    finished.write_study(finished.study() | {"title": "Another title"})
    done = status(finished, "config/smoke.yaml")
    assert done.returncode == 1 and "not running" in done.stdout
    finished.write_study(finished.study() | {"title": finished.study("smoke")["title"], "seed": 8})
    assert status(finished, "config/smoke.yaml").returncode == 1


def test_jobs_that_run_failed_stopped_and_wait_are_told_apart_and_idle_parts_are_listed(workspace: Workspace) -> None:
    run = MadeUp(workspace)
    run.job("relaxation", "ea3d relaxation on cpu: X (AVX2)\n 40.0 %  20.00 ps/flip  9 s left\n")
    failed = run.job("relaxation", "ea3d relaxation on cpu: X\npsflip: the disk is full.\n", fails=True, shard=1)
    killed = run.job("ising", "ising2d equilibrium on cpu: X (AVX2)\n", fails=True)
    run.write()
    done = status(workspace, "config/smoke.yaml", "--json")
    assert done.returncode == 1
    parts, whole = parts_of(done), json.loads(done.stdout)
    assert whole["running"]
    relaxation, ising, field = parts["relaxation"], parts["ising"], parts["field"]
    assert (relaxation["running"], relaxation["failed"], relaxation["waiting"]) == (1, 1, 2)
    assert relaxation["error"] == f"{failed}: psflip: the disk is full."
    assert relaxation["runs"] == ["L = 4, T = 1.1: 40%"] and relaxation["ps_per_flip"] == 20
    flips = 64 * 4 * 64 * 256  # of a shard of L = 4; 1.6 of these are left, and 2 of L = 6
    # Two jobs have run at the same time.
    assert abs(relaxation["seconds_left"] - 20e-12 * flips * (1.6 + 2 * 27 / 8) / 2) < 1e-9
    assert ising["error"] == f"{killed}: the job ended without a message; it was killed, or memory ran out"
    assert (field["running"], field["failed"], field["waiting"], field["shards_done"]) == (0, 0, 8, 0)
    text = status(workspace, "config/smoke.yaml").stdout.splitlines()
    assert [line.split()[0] for line in text[:4]] == ["part", "ising", "relaxation", "field"]
    assert f"error: {failed}: psflip: the disk is full." in text


def test_a_job_that_stopped_with_a_checkpoint_waits_and_did_not_fail(workspace: Workspace) -> None:
    run = MadeUp(workspace)
    run.job("relaxation", "stopped at 30.0 %, run the same command again to continue\n", fails=True)
    run.write("study: ended with exit code 1\n")
    done = status(workspace, "config/smoke.yaml", "--json")
    part, whole = parts_of(done)["relaxation"], json.loads(done.stdout)
    assert not whole["running"] and whole["errors"] == []
    assert (part["running"], part["failed"], part["waiting"], part["stopped"]) == (0, 0, 4, 1)
    assert "not running; 1 stopped with a checkpoint" in status(workspace, "config/smoke.yaml").stdout


def test_jobs_that_ended_with_a_run_that_a_signal_ended_did_not_fail(workspace: Workspace) -> None:
    for status_of_run, failed in ((130, 0), (1, 2)):
        run = MadeUp(workspace)
        run.job("ising", "Traceback\nKeyboardInterrupt\n", fails=True)
        run.job("relaxation", "", fails=True)
        run.write(f"study: ended with exit code {status_of_run}\n")
        whole = json.loads(status(workspace, "config/smoke.yaml", "--json").stdout)
        assert sum(part["failed"] for part in whole["parts"]) == len(whole["errors"]) == failed


def test_nothing_runs_after_the_process_of_the_run_was_killed(workspace: Workspace) -> None:
    run = MadeUp(workspace)
    run.text = f"study: process {os.getpid()} on {os.uname().nodename} runs config/smoke.yaml\n"
    run.job("ising", "")
    run.write()
    done = status(workspace, "config/smoke.yaml", "--json")
    assert not json.loads(done.stdout)["running"]
    assert parts_of(done)["ising"]["waiting"] == 6, "the process is there, but runs something else"


def test_status_takes_no_lock_and_writes_nothing(finished: Workspace) -> None:
    before = files_of(finished.folder)
    with (finished.results() / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = files_of(finished.folder)
        assert status(finished, "config/smoke.yaml").returncode == 0
    assert {path: kept for path, kept in files_of(finished.folder).items() if "__pycache__" not in path} == {
        path: kept for path, kept in before.items() if "__pycache__" not in path
    }


def test_a_study_without_results_waits_and_none_are_made(workspace: Workspace) -> None:
    done = status(workspace, "config/smoke.yaml")
    assert done.returncode == 1 and "0/6" in done.stdout and not (workspace.folder / "results" / "smoke").exists()


def test_bad_input_is_refused(workspace: Workspace) -> None:
    for arguments in (["config/none.yaml"], ["README.md"], [], ["config/smoke.yaml", "--xml"]):
        done = status(workspace, *arguments)
        assert (done.returncode, done.stdout) == (2, "") and done.stderr, arguments


def test_a_log_is_followed_from_where_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    words = {"rule": "simulate", "output": "a.h5", "log": "a.log", "number": 3, "local": ""}
    text = RUNNING.format(**words)
    log = RunLog(path)
    for end, running, failed in (
        (len(text) - 3, set(), set()),  # in the middle of a line
        (len(text), {3}, set()),
    ):
        path.write_text(text[:end])
        log.read()
        assert (log.running, log.failed) == (running, failed)
    for more, running, failed in (
        (FAILED.format(**words), set(), {3}),
        (RUNNING.format(**words | {"local": "local"}), {3}, set()),  # tried again
        ("Finished jobid: 3 (Rule: simulate)\n4 of 7 steps (57%) done\n", set(), set()),
    ):
        path.write_text(path.read_text() + more)
        log.read()
        assert (log.running, log.failed) == (running, failed)
    assert log.steps == (4, 7) and log.most_engines == 1


def test_times_are_told_in_the_largest_unit_that_leaves_two_digits() -> None:
    told = [duration(seconds) for seconds in (None, 0, 4.4, 119, 150, 3600, 9000, 86400, 1e6)]
    assert told == ["?", "-", "4.4 s", "119 s", "2.5 min", "60 min", "2.5 h", "24 h", "12 d"]
