"""A study can be simulated from its printed commands where there is no Snakemake, and finished where there are no shards."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Workspace, make_workspace
from workflows.scripts.commands import HEAD

REST = [
    "combine",
    "tabulate",
    "crossing",
    "dynamics",
    "specific_heat",
    "log_bins",
    "plot_specific_heat",
    "plot_equilibration",
    "plot_ising2d",
    "plot_ea3d",
    "plot_rfim3d",
    "summarize",
    "report",
]


def write_commands(workspace: Workspace) -> Path:
    script = workspace.folder / "commands.sh"
    command = [sys.executable, "-m", "workflows.scripts.commands", "config/smoke.yaml"]
    with script.open("w") as output:
        subprocess.run(command, cwd=workspace.folder, stdout=output, check=True)
    return script


@pytest.mark.slow
def test_the_commands_of_a_study_make_the_sums_from_which_the_workflow_finishes_it(
    finished: Workspace, tmp_path: Path
) -> None:
    workspace = make_workspace(tmp_path / "printed" / "psflip")
    script = write_commands(workspace)
    for _ in range(2):  # the second time nothing is left to do
        done = subprocess.run(["bash", script, "-j", "3"], cwd=workspace.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    shutil.rmtree(workspace.results() / "shards")
    assert "simulate" not in workspace.rules("smoke", "--allowed-rules", "all", *REST)
    of_sums = {name: text for name, text in finished.tables().items() if "sample_times" not in name}
    assert workspace.tables() == of_sums
    assert (workspace.results() / "report.html").exists()


def test_shards_of_a_sum_can_be_removed_and_are_not_made_again(workspace: Workspace) -> None:
    script = write_commands(workspace)
    shards = workspace.results() / "shards"
    for options, left in (["-j", "3"], True), (["-r"], False), (["-r"], False):
        done = subprocess.run(["bash", script, *options], cwd=workspace.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert bool(list(shards.rglob("*.h5"))) == left
        assert list((workspace.results() / "reduced").rglob("*.h5"))
    assert done.stdout == "", "nothing was left to do, though no shard is there"


def test_the_commands_find_python_where_it_is_named_python3_only(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "mkdir", "dirname", "date", "tail", "mktemp", "rm"):
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


def test_groups_are_made_side_by_side_on_gpus_in_turn_and_none_begins_after_a_failure(tmp_path: Path) -> None:
    jobs = "".join(
        f"group_{n}() {{ make out/{n} log/{n} "
        f"'touch $PSFLIP_GPU_LOCK && echo $CUDA_VISIBLE_DEVICES $PSFLIP_GPU_LOCK > out/{n}'; }}\nstart group_{n}\n"
        for n in (1, 2, 3)
    )
    broken = "broken() { make out/4 log/4 'echo why > log/4; exit 5'; }\nstart broken\n"
    late = "late() { make out/5 log/5 'touch out/5'; }\nstart late\nsettle\n"
    script = HEAD.format(study="none") + jobs + broken + "settle\n" + late
    command = ["bash", "-c", script, "commands.sh", "-j", "2", "-g", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (5, "why\n")
    gpus, turns = zip(*((tmp_path / "out" / str(n)).read_text().split() for n in (1, 2, 3)))
    assert gpus == ("0", "1", "0")
    assert turns[0] == turns[2] != turns[1], "jobs of one GPU take turns"
    assert not Path(turns[0]).parent.exists(), "nothing is left behind"
    assert not (tmp_path / "out" / "5").exists()


def test_numbers_of_groups_and_gpus_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for options in (["-j", "0"], ["-j", "two"], ["-g", "-1"], ["-x"]):
        command = ["bash", "-c", HEAD.format(study="none"), "commands.sh", *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2, options
        assert "commands.sh" in done.stderr
