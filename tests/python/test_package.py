"""The Python reader as a package."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import psflip
from conftest import ROOT

PACKAGE = ROOT / "analysis" / "python"


def test_pip_installs_the_reader_without_a_network(tmp_path: Path) -> None:
    source = shutil.copytree(PACKAGE, tmp_path / "python", ignore=shutil.ignore_patterns("__pycache__"))
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", tmp_path / "site", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    installed = {path.name for path in (tmp_path / "site" / "psflip").iterdir()} - {"__pycache__"}
    assert installed == {path.name for path in (PACKAGE / "psflip").iterdir()} - {"__pycache__"}
    assert "py.typed" in installed
    program = "import psflip; print(psflip.__file__, psflip.open.__annotations__['return'])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={"PYTHONPATH": tmp_path / "site"}
    )
    assert done.stdout.split() == [str(tmp_path / "site" / "psflip" / "__init__.py"), "xr.Dataset"], done.stderr


def test_the_launcher_installs_the_reader_into_its_environment(tmp_path: Path) -> None:
    shutil.copy(ROOT / "study", tmp_path / "study")
    site = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    functions = (
        (ROOT / "study").read_text().rsplit('main "$@"', 1)[0].replace("${BASH_SOURCE[0]}", str(tmp_path / "study"))
    )
    subprocess.run(["bash", "-c", f"{functions}\nenter"], check=True)
    entry = (site / "psflip.pth").read_text().strip()
    assert (site / entry).resolve() == tmp_path / "analysis" / "python"


def test_the_version_is_that_of_psflip() -> None:
    header = (ROOT / "engine" / "core" / "version.hpp").read_text()
    version = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]["version"]
    assert version == re.search(r'code_version = "([^"]+)"', header)[1]


def test_the_page_on_python_names_every_function() -> None:
    page = (ROOT / "docs" / "python.md").read_text()
    assert not [name for name in psflip.__all__ if f"psflip.{name}" not in page]
