"""The tutorial: its commands work, and print what its pages show."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, Workspace, study_of
from tutorial_pages import NewFile, Step, agrees, differences, steps_of


def test_blocks_of_a_page_are_read_in_their_order() -> None:
    page = "A\n\n```yaml\n# a.yaml\nx: 1\n```\n\n```console\n$ one\n1\n$ two\n```\n\n```\nno\n```\n\n```python\np\n```\n\n```text\nq\n```\n\n```console gpu\n$ r\n```\n"
    python = ["./study", "exec", "python", "-c", "p\n"]
    assert steps_of("a", page) == [
        NewFile("a.yaml", "# a.yaml\nx: 1\n"),
        Step("a", ["bash", "-c", "one"], "1\n"),
        Step("a", ["bash", "-c", "two"], None),
        Step("a", python, "q\n"),
        Step("a", ["bash", "-c", "r"], None, "gpu"),
    ]


def test_another_output_than_the_page_shows_is_found() -> None:
    assert agrees("...\na 1 ...\nb\n", "x\ny\na 1 2\nb  \n")
    assert not agrees("a\n", "b\n") and not agrees("a\n", "a\nb\n") and not agrees("a\n...\nb\n", "a\nc\n")


def as_after_the_first_command(workspace: Workspace) -> dict[str, str]:
    """The workspace as ./study leaves it, so that it neither installs nor builds again; the environment of its commands."""
    folder = workspace.folder
    shutil.copy2(ROOT / "study", folder / "study")
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    for name in ("cmake", "tests", "tools"):
        (folder / name).mkdir()
    for name in ("CMakeLists.txt", "CMakePresets.json", "build/build.ninja"):
        (folder / name).touch()
    packages = (folder / "workflows" / "environment" / "packages.txt").read_bytes()
    (folder / "build" / ".packages").write_text(hashlib.sha256(packages).hexdigest() + "\n")
    (folder / "build" / ".built").touch()
    for name in ("cmake", "ninja"):
        (folder / "tools" / name).write_text("#!/bin/sh\n")
        (folder / "tools" / name).chmod(0o755)
    return os.environ | {"PATH": f"{folder / 'tools'}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.slow
def test_the_tutorial_prints_what_its_pages_show(workspace: Workspace) -> None:
    environment = as_after_the_first_command(workspace)
    pages: list[Path] = sorted((ROOT / "docs" / "tutorial").glob("*.md"))
    where = {"yes": "gpu", "not": "no-gpu"}.get(re.split(r"\W", cuda_of(workspace))[0], "neither")
    wrong = differences(pages, workspace.folder, environment, where)
    assert len(pages) >= 8 and not wrong, "\n\n".join(wrong)


def cuda_of(workspace: Workspace) -> str:
    """What psflip says about CUDA: `yes` and a GPU, `not built`, or `built`, but no GPU."""
    command = [workspace.folder / "build" / "bin" / "psflip", "--version"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return text.partition("\nCUDA: ")[2].partition("\n")[0]


@pytest.mark.slow
def test_the_page_on_gpus_prints_what_it_shows_on_a_gpu(workspace: Workspace) -> None:
    if not (found := cuda_of(workspace)).startswith("yes"):
        pytest.skip(f"blocks for a GPU are not executed: CUDA: {found}")
    environment = as_after_the_first_command(workspace)
    wrong = differences([ROOT / "docs" / "tutorial" / "8_gpu.md"], workspace.folder, environment, "gpu")
    assert not wrong, "\n\n".join(wrong)


def changed_once(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name}: {old}"
    path.write_text(text.replace(old, new))


@pytest.mark.slow
def test_the_figure_of_the_page_on_figures_is_drawn_and_shown(workspace: Workspace) -> None:
    page = (ROOT / "docs" / "howto" / "add_a_figure.md").read_text(encoding="utf-8")
    blocks = [re.sub("(?m)^   ", "", block) for block in re.findall(r"(?ms)^   ```\w*\n(.*?)^   ```$", page)]
    names, drawing, call, shown = blocks
    axes, function = drawing.split("\n", 1)
    method = workspace.folder / "workflows" / "methods" / "relaxation"
    changed_once(
        method / "__init__.py", 'figures=("energy", "susceptibility", "correlation_length", "binder"),\n', names
    )
    figures = method / "figures.py"
    changed_once(figures, next(line for line in figures.read_text().splitlines() if line.startswith("AXES = ")), axes)
    changed_once(figures, "def main()", f"{function.strip()}\n\n\ndef main()")
    changed_once(figures, "    plot_binder(table, output)\n", f"    plot_binder(table, output)\n    {call}")
    with (method / "report.html.j2").open("a") as report:
        report.write(f"\n{shown}")
    part = {
        "name": "quench",
        "model": "ea2d",
        "method": "relaxation",
        "L": [4, 6],
        "T": [1.1],
        "samples": 64,
        "sweeps": 64,
    }
    workspace.write_study(study_of("Figure", part))
    workspace.run("figure")
    assert (workspace.results("figure") / "plots" / "ea2d_relaxation_finite_size.svg").is_file()
    assert (
        "Correlation length ξ divided by L against time." in (workspace.results("figure") / "report.html").read_text()
    )
