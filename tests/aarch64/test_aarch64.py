"""tests/aarch64/run needs a cross compiler and a network: its help, and what it refuses."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).with_name("run")


def run(*arguments: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": path}
    return subprocess.run([SCRIPT, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_the_script_for_aarch64_shows_its_options() -> None:
    shown = run("--help")
    assert shown.returncode == 0 and "--x86 PROGRAM" in shown.stdout


def test_the_script_for_aarch64_refuses_bad_options(tmp_path: Path) -> None:
    for arguments, sentence in [
        (["out", "--fast"], "no option '--fast'"),
        ([], "no output folder"),
        (["out", "out2"], "two output folders"),
        (["out", "--x86"], "--x86 needs a value"),
        (["out", "--jobs", "many"], "--jobs many is no positive number"),
        (["out", "--x86", str(tmp_path / "psflip")], "name psflip with --x86"),
    ]:
        done = run(*arguments)
        assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_the_script_for_aarch64_names_missing_packages(tmp_path: Path) -> None:
    for tool in ("bash", "dirname", "readlink", "mkdir"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    uname = tmp_path / "uname"
    uname.write_text("#!/usr/bin/env bash\necho x86_64\n")
    uname.chmod(0o755)
    program = str(tmp_path / "bash")
    (tmp_path / "psflip-analysis").symlink_to(program)
    done = run(str(tmp_path / "out"), "--no-install", "--x86", program, path=str(tmp_path))
    assert done.returncode == 2
    assert "apt-get install g++-aarch64-linux-gnu qemu-user cmake ninja-build" in done.stderr
