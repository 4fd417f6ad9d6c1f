"""The pages on adding a model, an observable and an integer: their code is built, and their tests and jobs run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import BUILD, ROOT
from tutorial_pages import Change, NewFile, Step, difference, steps_of, steps_of_pages

PAGES = [ROOT / "docs" / "howto" / f"add_{name}.md" for name in ("a_model", "an_observable", "an_integer")]
# Of one word width and compiled fast: bits do not depend on either.
OPTIONS = ["-DPSFLIP_CUDA=OFF", "-DPSFLIP_MPI=OFF", "-DPSFLIP_ARCH=x86-64", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]


def test_the_sentence_before_a_block_says_where_it_belongs() -> None:
    page = """New file `a.txt`:

```c++
one
two
```

Text. In `a.txt`, before the line `two`:

```c++
before
```

In `a.txt`,
instead of the line with `ne`:

```c++
three
```
"""
    assert steps_of("page", page) == [
        NewFile("a.txt", "one\ntwo\n"),
        Change("a.txt", "before", False, "two", "before\n"),
        Change("a.txt", "instead of", True, "ne", "three\n"),
    ]


def test_the_blocks_of_a_page_change_files_as_it_says(tmp_path: Path) -> None:
    NewFile("a.txt", "one\n  two\n").apply(tmp_path)
    Change("a.txt", "before", False, "two", "before\n").apply(tmp_path)
    Change("a.txt", "instead of", True, "ne", "three\n").apply(tmp_path)
    Change("a.txt", "after", False, "two", "after\n").apply(tmp_path)
    assert (tmp_path / "a.txt").read_text() == "three\nbefore\n  two\nafter\n"
    with pytest.raises(AssertionError, match="3 lines for `e`"):
        Change("a.txt", "after", True, "e", "").apply(tmp_path)


def copy_of_the_tree(folder: Path) -> None:
    """The files that are under version control, in a repository of their own."""
    git = ["git", "-c", "safe.directory=*"]  # the owner of a checkout and its user may differ
    names = subprocess.run([*git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run([*git, *command], cwd=folder, check=True)


def configured(folder: Path) -> dict[str, str]:
    """Configures the build of a copy of the tree as ./study would; returns the environment of its commands."""
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    environment = dict(os.environ)
    if shutil.which("ccache"):
        for language in ("C", "CXX"):
            environment[f"CMAKE_{language}_COMPILER_LAUNCHER"] = "ccache"
        environment |= {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    subprocess.run(["cmake", "--preset", "default", *OPTIONS], cwd=folder, env=environment, check=True)
    packages = (folder / "workflows" / "environment" / "packages.txt").read_bytes()
    (folder / "build" / ".packages").write_text(hashlib.sha256(packages).hexdigest() + "\n")
    return environment


@pytest.mark.release
def test_the_model_the_observable_and_the_integer_of_the_pages_work(tmp_path: Path) -> None:
    """All changes come before all commands, so that psflip is compiled once."""
    if not (BUILD / "build.ninja").exists():
        pytest.skip("psflip is not built")
    copy_of_the_tree(tmp_path)
    environment = configured(tmp_path)
    steps = steps_of_pages(PAGES)
    for step in steps:
        if not isinstance(step, Step):
            step.apply(tmp_path)
    wrong = [found for step in steps if isinstance(step, Step) and (found := difference(step, tmp_path, environment))]
    assert not wrong, "\n\n".join(wrong)
