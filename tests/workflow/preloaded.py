"""Snakemake in forks of one process that has imported it, because the import takes longer than planning a small study.
A fork imports nothing of psflip before it is in the folder of the run. `python preloaded.py` is that process: it reads one
request per line and answers each with an exit code.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any


@cache
def server() -> subprocess.Popen[str]:
    """It ends with the process that started it, because its input does."""
    command = [sys.executable, __file__]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
    atexit.register(process.communicate)
    return process


def run_snakemake(folder: Path, *arguments: str) -> tuple[int, str]:
    """As `python -m snakemake ARGUMENTS` in `folder`: the exit code and all that it said."""
    process = server()
    assert process.stdin and process.stdout
    with tempfile.NamedTemporaryFile() as said:
        request = {
            "folder": str(folder),
            "arguments": arguments,
            "environment": dict(os.environ),
            "output": said.name,
        }
        print(json.dumps(request), file=process.stdin, flush=True)
        return int(process.stdout.readline()), Path(said.name).read_text()


def enter(request: dict[str, Any]) -> None:
    """What a new process would find."""
    os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    nothing, output = os.open(os.devnull, os.O_RDONLY), os.open(request["output"], os.O_WRONLY | os.O_APPEND)
    for opened, descriptor in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(opened, descriptor)
    os.close(nothing)
    os.close(output)
    sys.path[0] = request["folder"]
    sys.argv[1:] = request["arguments"]


def serve() -> None:
    from snakemake import cli

    for line in sys.stdin:
        child = os.fork()
        if not child:
            enter(json.loads(line))
            cli.main()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
