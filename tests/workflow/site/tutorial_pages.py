"""The blocks of the tutorial, read from its pages and executed in a copy of the tree."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"(?ms)^```(\w+)\n(.*?)^```$")


@dataclass
class Step:
    """A command or a program of Python, and the output that the page shows; None if it shows none."""

    page: str
    command: list[str]
    output: str | None


@dataclass
class NewFile:
    """A file that the reader writes; its first line names it."""

    name: str
    text: str


def steps_of(page: str, text: str) -> list[Step | NewFile]:
    """In the order of the page. Blocks without a language are not executed."""
    found: list[Step | NewFile] = []
    for language, content in BLOCK.findall(text):
        if language == "yaml":
            name = re.match(r"# (\S+)\n", content)
            assert name, f"{page}: the first line of a YAML block names its file"
            found.append(NewFile(name[1], content))
        elif language == "python":
            found.append(Step(page, ["./study", "exec", "python", "-c", content], None))
        elif language == "console":
            for command, output in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", content):
                found.append(Step(page, ["bash", "-c", command], output or None))
        else:
            assert language == "text" and isinstance(found[-1], Step), f"{page}: no command before this output"
            found[-1].output = content
    return found


def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows this output: a line `...` stands for any lines, `...` in a line for any text. Spaces at the ends of
    lines do not count."""
    pattern = ""
    for line in shown.splitlines():
        pattern += "(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + "\n"
    return re.fullmatch(pattern, re.sub(r"(?m)[ ]+$", "", printed.strip("\n")) + "\n") is not None


def differences(pages: list[Path], folder: Path, environment: dict[str, str]) -> list[str]:
    """Executes the pages one after the other; says where a command fails or prints something else."""
    wrong = []
    for page in pages:
        for step in steps_of(page.name, page.read_text(encoding="utf-8")):
            if isinstance(step, NewFile):
                (folder / step.name).write_text(step.text)
                continue
            done = subprocess.run(
                step.command,
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if done.returncode or (step.output is not None and not agrees(step.output, done.stdout)):
                what = f"{step.page}: {step.command[-1]}\nprinted, with exit code {done.returncode}"
                wrong.append(f"{what}:\n{done.stdout}\nbut the page shows:\n{step.output}")
    return wrong
