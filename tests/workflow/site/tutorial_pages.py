"""The blocks of the tutorial and of the pages in docs/howto, read from the pages and executed in a copy of the tree."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"(?ms)^```([\w+]+)( gpu| no-gpu)?\n(.*?)^```$")
# The sentence before a block names its file, and for a change the only line that is, or has, these words.
NEW = re.compile(r"New file `([^`]+)`:$")
CHANGE = re.compile(r"In `([^`]+)`, (after|before|instead of) the line( with)? `([^`]+)`:$")


@dataclass
class Step:
    """A command or a program of Python, and the output that the page shows; None if it shows none. `where`: gpu or no-gpu
    for a block that is only for machines with, or without, a GPU."""

    page: str
    command: list[str]
    output: str | None
    where: str = ""


@dataclass
class NewFile:
    """A file that the reader writes. Its first line names it, or the sentence before the block."""

    name: str
    text: str

    def apply(self, folder: Path) -> None:
        (folder / self.name).write_text(self.text, encoding="utf-8")


@dataclass
class Change:
    """Lines that the reader adds to a file after, before or instead of one of its lines, which is or has these words."""

    name: str
    where: str
    is_part: bool
    words: str
    text: str

    def apply(self, folder: Path) -> None:
        lines = (folder / self.name).read_text(encoding="utf-8").splitlines(keepends=True)
        found = [
            i for i, line in enumerate(lines) if (self.words in line if self.is_part else self.words == line.strip())
        ]
        assert len(found) == 1, f"{self.name}: {len(found)} lines for `{self.words}`"
        old = lines[found[0]]
        lines[found[0]] = {"after": old + self.text, "before": self.text + old, "instead of": self.text}[self.where]
        (folder / self.name).write_text("".join(lines), encoding="utf-8")


def patch_of(before: str, content: str) -> NewFile | Change | None:
    """The new or changed file of a block, if the paragraph before it names one."""
    sentence = " ".join(before.rstrip().rpartition("\n\n")[2].split())
    if new := NEW.search(sentence):
        return NewFile(new[1], content)
    if change := CHANGE.search(sentence):
        return Change(change[1], change[2], bool(change[3]), change[4], content)
    return None


def steps_of(page: str, text: str) -> list[Step | NewFile | Change]:
    """In the order of the page. Blocks without a language are not executed."""
    found: list[Step | NewFile | Change] = []
    for block in BLOCK.finditer(text):
        language, only, content = block.groups()
        where = (only or "").strip()
        if patch := patch_of(text[: block.start()], content):
            found.append(patch)
        elif language == "yaml":
            name = re.match(r"# (\S+)\n", content)
            assert name, f"{page}: the first line of a YAML block names its file"
            found.append(NewFile(name[1], content))
        elif language == "python":
            found.append(Step(page, ["./study", "exec", "python", "-c", content], None, where))
        elif language == "console":
            for command, output in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", content):
                found.append(Step(page, ["bash", "-c", command], output or None, where))
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


def difference(step: Step, folder: Path, environment: dict[str, str]) -> str | None:
    """Executes a step; says whether it failed or printed something else than the page shows."""
    done = subprocess.run(
        step.command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode == 0 and (step.output is None or agrees(step.output, done.stdout)):
        return None
    what = f"{step.page}: {step.command[-1]}\nprinted, with exit code {done.returncode}"
    return f"{what}:\n{done.stdout}\nbut the page shows:\n{step.output}"


def steps_of_pages(pages: list[Path]) -> list[Step | NewFile | Change]:
    return [step for page in pages for step in steps_of(page.name, page.read_text(encoding="utf-8"))]


def differences(pages: list[Path], folder: Path, environment: dict[str, str], where: str = "no-gpu") -> list[str]:
    """Executes the pages one after the other, without the blocks for other machines; says where a command fails or prints
    something else."""
    wrong = []
    for step in steps_of_pages(pages):
        if not isinstance(step, Step):
            step.apply(folder)
        elif step.where in ("", where) and (found := difference(step, folder, environment)):
            wrong.append(found)
    return wrong
