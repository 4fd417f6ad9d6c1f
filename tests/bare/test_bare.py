"""tests/bare/run needs root and a network: its commands, what it refuses, and the phases that it measures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("run")
PHASES = Path(__file__).with_name("phases.py")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


def test_the_commands_of_a_bare_machine_are_those_of_the_pages() -> None:
    listed = run("--list").stdout
    subprocess.run(["bash", "-n"], input=listed, text=True, check=True)
    commands = [line.partition("#")[0].strip() for line in listed.splitlines()]
    pasted = [line for line in commands if line.startswith(("git clone", "./study", "cmake"))]
    assert pasted == [
        "git clone /srv/psflip.git psflip && cd psflip",
        "./study run",
        "./study test",
        "git clone /srv/reader/psflip.git psflip && cd psflip",
        "./study run",
        "cmake --install build --prefix ~/.local",
    ]


def test_the_script_for_a_bare_machine_refuses_bad_options(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    for arguments, sentence in [
        (["out", "--fast"], "no option '--fast'"),
        ([], "no output folder"),
        (["out", "out2"], "two output folders"),
        (["out", "--suite"], "--suite needs a value"),
        ([str(tmp_path)], "exists; give another folder"),
    ]:
        done = run(*arguments)
        assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1


def test_phases_of_a_command_have_their_processor_time_and_memory(tmp_path: Path) -> None:
    # It sleeps so that its memory is seen also where the samples are late.
    work = f"{sys.executable} -c 'import time; x = bytearray(10**8); sum(range(10**7)); time.sleep(2)'"
    # As below a script that types ./study, the work is that of a grandchild.
    lines = f"(echo '==> first'; echo '==> second'; {work}; echo 'Log of Snakemake: file'; true); exit 3"
    output = tmp_path / "phases.json"
    done = subprocess.run(
        [sys.executable, PHASES, output, "--", "bash", "-c", lines], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3 and done.stdout.splitlines()[-1] == "Log of Snakemake: file"
    phases = {phase["phase"]: phase for phase in json.loads(output.read_text())}
    assert list(phases) == ["start", "first", "second", "Snakemake"]
    assert phases["second"]["processor_seconds"] > phases["first"]["processor_seconds"]
    assert 95 < phases["second"]["largest_mib"]
    assert phases["second"]["largest"].startswith("python")
