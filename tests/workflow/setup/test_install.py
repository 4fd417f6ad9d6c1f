"""cmake --install into a folder of the user, and the reader by pip."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import BUILD, PROGRAMS, ROOT


def install(folder: Path, *options: str) -> Path:
    if not all((BUILD / "bin" / program).exists() for program in PROGRAMS):
        pytest.skip("the programs are not built; ./study test builds them")
    command = ["cmake", "--install", str(BUILD), "--prefix", str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installed tree."""
    return install(tmp_path_factory.mktemp("home") / ".local")


def complete(prefix: Path, *line: str) -> list[str]:
    """What bash offers for the last word of a line."""
    script = f'. "$0/share/bash-completion/completions/{line[0]}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))\n'
    script += f'_{line[0].replace("-", "_")} "$1" "${{@: -1}}" "${{@: -2:1}}"; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return subprocess.run(
        ["bash", "-c", script, prefix, *line], capture_output=True, text=True, check=True
    ).stdout.split()


def help_of(prefix: Path, *words: str) -> str:
    command = [prefix / "bin" / words[0], *words[1:], "--help"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_installed_programs_run_from_another_folder(prefix: Path, tmp_path: Path) -> None:
    environment = {"PATH": f"{prefix / 'bin'}:/usr/bin:/bin"}
    job = "psflip ea3d relaxation --L 4 --T 1.1 --samples 0:64 --sweeps 16 --seed 1 --output file.h5"
    for command in (
        job,
        "psflip-analysis reduce file.h5 --output sums.h5",
        "psflip-analysis combine sums.h5 --output t.csv",
    ):
        done = subprocess.run(command.split(), cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert ",1.1,16,1,e," in (tmp_path / "t.csv").read_text()


def test_an_installed_tree_has_the_licence_and_the_pages(prefix: Path) -> None:
    folder = prefix / "share" / "doc" / "psflip"
    for name in ("LICENSE", "THIRD_PARTY.md", "README.md", "CITATION.cff", "docs/command-line.md"):
        assert (folder / name).read_bytes() == (ROOT / name).read_bytes()


def test_the_list_of_installed_files_is_complete(tmp_path: Path) -> None:
    # With the component that all rules have, the list has a name that no other test writes.
    install(tmp_path / "tree", "--component", "Unspecified")
    lines = (BUILD / "install_manifest_Unspecified.txt").read_text().splitlines()
    listed = {Path(line) for line in lines}
    assert listed == {path for path in (tmp_path / "tree").rglob("*") if path.is_file()}


def test_man_shows_the_options_of_every_command(prefix: Path) -> None:
    if shutil.which("man") is None:
        pytest.skip("man is not installed (Debian: man-db)")
    environment = {**os.environ, "MANWIDTH": "120", "MAN_KEEP_FORMATTING": "", "LC_ALL": "C.UTF-8"}
    for program in PROGRAMS:
        page = prefix / "share" / "man" / "man1" / f"{program}.1"
        shown = subprocess.run(
            ["man", "--warnings", "-l", page], env=environment, capture_output=True, text=True, check=True
        )
        assert not shown.stderr
        assert shown.stdout.startswith(f"{program.upper()}(1)")
        shown_options = set(re.findall(r"--[\w-]+", shown.stdout))
        commands = [("psflip", "ea3d", "relaxation"), ("psflip", "rfim3d", "adapt"), ("psflip-analysis", "reduce")]
        for command in commands:
            if command[0] == program:
                assert set(re.findall(r"^  (--[\w-]+)", help_of(prefix, *command), re.M)) - {"--help"} <= shown_options


def test_bash_completes_commands_and_options(prefix: Path) -> None:
    for command in (
        ("psflip", "ea3d", "relaxation"),
        ("psflip", "ising2d", "tempering"),
        ("psflip-analysis", "reduce"),
    ):
        options = re.findall(r"^  (?:-h,)?(--[\w-]+)", help_of(prefix, *command), re.M)
        assert len(options) > 3 and sorted(complete(prefix, *command, "--")) == sorted(options)
    assert complete(prefix, "psflip", "ea3d", "") == ["relaxation", "equilibrium", "tempering", "adapt"]
    assert complete(prefix, "psflip", "ea3d", "relaxation", "--back") == ["--backend"]
    assert complete(prefix, "psflip", "ea3d", "relaxation", "--output", "") == []


def test_zsh_reads_its_completions(prefix: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    for program in PROGRAMS:
        subprocess.run(["zsh", "-n", prefix / "share" / "zsh" / "site-functions" / f"_{program}"], check=True)


@pytest.mark.slow
def test_pip_installs_the_reader_with_what_it_needs(tmp_path: Path) -> None:
    source = shutil.copytree(ROOT / "analysis" / "python", tmp_path / "python")
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if re.search(r"Connection|Network is unreachable|name resolution", done.stderr):
        pytest.skip("no network to a package index")
    assert done.returncode == 0, done.stderr
    subprocess.run([python, "-m", "pip", "check"], check=True)
    program = (
        "import psflip; from importlib.metadata import metadata; m = metadata('psflip'); print(m['License-Expression'])"
    )
    assert subprocess.run([python, "-c", program], capture_output=True, text=True, cwd=tmp_path).stdout == "MIT\n"
