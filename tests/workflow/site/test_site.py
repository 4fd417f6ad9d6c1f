"""The site of ./study docs: Sphinx has no warning, its pages hold what they are made of, and no text has a spelling mistake."""

from __future__ import annotations

import fcntl
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import BUILD, ROOT
from in_browser import new_page, serious_findings
from workflows.methods.registry import METHODS
from workflows.site.help_texts import Option, options_in, subcommands_in
from workflows.site.keys import WRITTEN, keys_page
from workflows.site.pages import for_site, pages, with_pages
from workflows.site.tables import cell
from workflows.study.presets import presets

LIST = ROOT / "workflows" / "environment" / "site.txt"
# Not texts: figures, binary files, and lists of packages with their hashes.
NO_TEXTS = {".svg", ".png", ".h5", ".xz", ".lock"}

HELP = """A title
Usage: psflip ea3d [OPTIONS]

Physics:
  --L INT REQUIRED            linear size, even
  --gpu-lock TEXT (Env:LOCK)
                              lock file of a GPU:
                              one job simulates at a time
  --checkpoint-interval FLOAT seconds between checkpoints
  --save-spins [last|LIST]    write the spins

Subcommands:
  bench                       measure
"""


def test_options_are_read_from_help_texts() -> None:
    assert list(options_in(HELP)) == [
        ("Physics", Option("--L", "INT REQUIRED", "linear size, even")),
        ("Physics", Option("--gpu-lock", "TEXT (Env:LOCK)", "lock file of a GPU: one job simulates at a time")),
        ("Physics", Option("--checkpoint-interval", "FLOAT", "seconds between checkpoints")),
        ("Physics", Option("--save-spins", "[last|LIST]", "write the spins")),
    ]
    assert subcommands_in(HELP) == ["bench"]


def test_links_of_a_page_lead_to_pages_and_files_of_the_site() -> None:
    known = {Path("README.md"), Path("config/README.md"), Path("docs/models.md")}
    text = "[a](../config) [b](models.md#limits) [c](../study) [d](../engine/core) [e](https://f.g)\n```\n[h](../study)\n```\n"
    shown, files = for_site(Path("docs/page.md"), text, known)
    words = "[a](../config/README.md) [b](models.md#limits) [c](<path:../study>) d [e](https://f.g)"
    assert shown == f"{words}\n```\n[h](../study)\n```\n"
    assert files == {Path("study")}


def test_a_page_belongs_to_the_longest_pattern_of_the_index() -> None:
    index = "```{toctree}\n:hidden:\nOne <README>\ndocs/*\n```\n\n```{toctree}\ndocs/tutorial/*\n```"
    made = with_pages(index, ["docs/a", "docs/tutorial/1", "docs/use/b"])
    assert made == "```{toctree}\n:hidden:\nOne <README>\ndocs/a\ndocs/use/b\n```\n\n```{toctree}\ndocs/tutorial/1\n```"


def test_signs_of_markdown_in_a_cell_are_shown() -> None:
    assert cell("results/<name>/ `a_b` c_d | e") == "results/\\<name>/ `a_b` c\\_d \\| e"


def test_the_page_of_keys_has_every_key_with_a_description() -> None:
    schema = yaml.safe_load((ROOT / "workflows" / "schemas" / "study.schema.yaml").read_text())
    page = keys_page(ROOT)
    keys = {key for method in METHODS for key in schema["$defs"][method]["properties"]} | set(schema["properties"])
    assert not [key for key in keys - {"critical", *WRITTEN} if f"\n| `{key}` |" not in page]
    assert not re.findall(r"(?m)^.*\|  \|$", page), "keys without a description"


def install() -> None:
    """The packages of the site, as ./study docs installs them; skips visibly where there is no network. An environment that
    several trees share is never changed."""
    stamp, key = Path(sys.prefix) / ".site", hashlib.sha256(LIST.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text().strip() == key:
        return
    if not Path(sys.prefix).resolve().is_relative_to(ROOT.resolve()):
        pytest.skip("the packages of the site are missing, and the Python environment belongs to another tree")
    with (Path(sys.prefix) / ".site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several tests may run at the same time
        if stamp.is_file() and stamp.read_text().strip() == key:
            return  # by another test meanwhile
        options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps", "--only-binary", ":all:"]
        command = [sys.executable, "-m", "pip", "install", *options, "-r", str(LIST)]
        if subprocess.run(command, check=False).returncode:
            pytest.skip("the packages of workflows/environment/site.txt cannot be installed without a network")
        stamp.write_text(f"{key}\n")


def test_an_environment_of_another_tree_is_not_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match="belongs to another tree"):
        install()
    assert not list(tmp_path.iterdir())


def built_site(folder: Path) -> Path:
    if not all((BUILD / "bin" / program).exists() for program in ("psflip", "psflip-analysis")):
        pytest.skip("psflip or psflip-analysis is not built")
    install()
    command = [sys.executable, "-m", "workflows.site", str(folder / "site")]
    environment = os.environ | {"PSFLIP_BUILD": str(BUILD)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    site = built_site(tmp_path)
    assert not [page for page in pages() if not (site / page.with_suffix(".html")).is_file()]
    made = {path.stem: path.read_text() for path in (site / "reference").glob("*.html")}
    assert all(f">{name}<" in made["models"] for name in presets())
    assert "--checkpoint-interval" in made["options"] and 'id="psflip.block_sums"' in made["python"]
    # Readable without a network: no style, script or figure of another machine.
    outside = re.compile(r'<(?:link|script|img)[^>]*(?:href|src)="(?:https?:)?//[^"]*')
    found = {str(path): outside.findall(path.read_text()) for path in site.rglob("*.html")}
    assert len(found) > 60 and not {name: links for name, links in found.items() if links}


@pytest.mark.release
def test_every_page_of_the_site_is_readable_in_a_browser(browser: Any, tmp_path: Path) -> None:
    """On a desk and on a phone, without a network. Axe-core looks at one page of each kind."""
    site = built_site(tmp_path)
    kinds = ("index", "README", "docs/tutorial/2_first_study", "reference/keys", "reference/python", "gallery")
    wrong = []
    for width in (1280, 390):
        page, messages = new_page(browser, width, "light")
        page.context.set_offline(True)
        for path in sorted(site.rglob("*.html")):
            page.goto(path.as_uri())
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wrong.append(f"{path.relative_to(site)}: scrolls sideways at {width} px")
        wrong += messages
        page.close()
        for kind, colours in itertools.product(kinds, ("light", "dark")):
            page, _ = new_page(browser, width, colours)
            page.goto((site / f"{kind}.html").as_uri())
            wrong += [f"{kind}, {width} px, {colours}: {found}" for found in serious_findings(page)]
            page.close()
    assert not wrong, "\n".join(wrong)
    page, messages = new_page(browser, 1280, "light")
    page.context.set_offline(True)
    page.goto((site / "search.html").as_uri() + "?q=Binder")
    page.locator("#search-results li a", has_text="Observables").first.wait_for()
    assert messages == []


@pytest.mark.slow
def test_no_text_has_a_spelling_mistake() -> None:
    """Exceptions are in pyproject.toml."""
    install()
    command = ["git", "-c", "safe.directory=*", "ls-files"]  # the owner of a checkout and its user may differ
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    texts = [name for name in names if Path(name).suffix not in NO_TEXTS and (ROOT / name).is_file()]
    codespell = shutil.which("codespell", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert codespell and len(texts) > 500
    done = subprocess.run([codespell, *texts], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stdout, done.stdout
