"""A study can be simulated from its printed commands where there is no Snakemake, and finished where there are no shards."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from commands import HEAD
from conftest import Workspace, make_workspace

REST = [
    "combine",
    "tabulate",
    "crossing",
    "dynamics",
    "plot_ising2d",
    "plot_ea3d",
    "plot_rfim3d",
    "summarize",
    "report",
]


def write_commands(workspace: Workspace) -> Path:
    script = workspace.folder / "commands.sh"
    command = [sys.executable, "workflows/scripts/commands.py", "config/smoke.yaml"]
    with script.open("w") as output:
        subprocess.run(command, cwd=workspace.folder, stdout=output, check=True)
    return script


def test_the_commands_of_a_study_make_the_sums_from_which_the_workflow_finishes_it(
    finished: Workspace, tmp_path: Path
) -> None:
    workspace = make_workspace(tmp_path / "printed" / "psflip")
    script = write_commands(workspace)
    for _ in range(2):  # the second time nothing is left to do
        done = subprocess.run(["bash", script], cwd=workspace.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    shutil.rmtree(workspace.results() / "shards")
    assert "simulate" not in workspace.rules("smoke", "--allowed-rules", "all", *REST)
    assert workspace.tables() == finished.tables()
    assert (workspace.results() / "report.html").exists()


def test_the_commands_find_python_where_it_is_named_python3_only(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "mkdir", "dirname", "date", "tail"):
        (programs / name).symlink_to(shutil.which(name))
    (programs / "python3").symlink_to(sys.executable)
    script = HEAD.format(study="none") + "make out/file out/log 'python -c \"print(3)\" > out/file'\n"
    environment = {"PATH": str(programs)}
    done = subprocess.run(
        [programs / "bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "file").read_text() == "3\n"


def test_a_command_that_fails_ends_the_script_with_what_it_said(workspace: Workspace) -> None:
    script = write_commands(workspace)
    (workspace.folder / "build" / "bin" / "psflip").unlink()
    done = subprocess.run(["bash", script], cwd=workspace.folder, capture_output=True, text=True)
    assert done.returncode != 0
    assert "build/bin/psflip" in done.stderr
