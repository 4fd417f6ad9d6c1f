"""A copy of the pages of the repository for Sphinx, with links that also work in the site."""

from __future__ import annotations

import re
import shutil
from fnmatch import fnmatch
from pathlib import Path

from workflows.site.gallery import gallery
from workflows.site.reference import reference_pages

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("analysis", "config", "docs", "engine", "results/published", "tests", "workflows")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
FIGURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
IMG = re.compile(r'<img src="([^"]+)"(?: width="([^"]+)")?(?: alt="([^"]*)")?>')


def pages() -> list[Path]:
    """The pages of the repository, relative to its root; docs/site has those that are for the site alone."""
    found = [*ROOT.glob("*.md"), *(path for room in ROOMS for path in (ROOT / room).rglob("*.md"))]
    relative = [path.relative_to(ROOT) for path in [*found, ROOT / "results" / "README.md"]]
    return sorted(path for path in relative if path.parts[:2] != ("docs", "site"))


def for_site(page: Path, text: str, known: set[Path]) -> tuple[str, set[Path]]:
    """The text of a page as the site shows it, and the files, no pages, that it links to. A link to a folder leads to its
    README; where it has none, the words stay without a link."""
    files: set[Path] = set()

    def target_of(link: str) -> Path:
        return Path(*_normal((page.parent / link.partition("#")[0]).parts))

    def rewrite(match: re.Match[str]) -> str:
        words, link = match[1], match[2]
        if re.match(r"[a-z]+:|#", link):
            return match[0]
        target = target_of(link)
        if target in known:
            return match[0]
        if target / "README.md" in known:
            return f"[{words}]({link.rstrip('/')}/README.md)"
        if not (ROOT / target).is_file():
            return words
        files.add(target)
        return f"[{words}](<path:{link}>)"

    def figure(match: re.Match[str]) -> str:
        files.add(target_of(match[2]))
        return match[0]

    parts = re.split(r"(?ms)(^ *```.*?^ *```)", text)  # blocks of code stay as they are
    for i in range(0, len(parts), 2):
        part = re.sub(r"(?m)^</?p>\n", "", IMG.sub(r"![\3](\1)", parts[i]))
        parts[i] = LINK.sub(rewrite, FIGURE.sub(figure, part))
    return "".join(parts), files


def _normal(parts: tuple[str, ...]) -> list[str]:
    """Parts of a path without `..`."""
    found: list[str] = []
    for part in parts:
        if part == "..":
            found.pop()
        else:
            found.append(part)
    return found


def with_pages(index: str, names: list[str]) -> str:
    """The patterns in the tables of contents of the index replaced by the pages that they match. A page belongs to the
    longest pattern that matches it. A line `Title <page>` stays as it is."""
    blocks = re.findall(r"(?ms)^```\{toctree\}\n(.*?)^```", index)
    lines_of_blocks = [line for block in blocks for line in block.splitlines()]
    patterns = [line for line in lines_of_blocks if line and not line.startswith(":") and not line.endswith(">")]
    owner = {name: max((p for p in patterns if fnmatch(name, p)), key=len, default=None) for name in names}

    def expand(match: re.Match[str]) -> str:
        lines = []
        for line in match[0].splitlines():
            is_pattern = line in patterns
            lines += [name for name in names if owner[name] == line] if is_pattern else [line]
        return "\n".join(lines)

    return re.sub(r"(?ms)^```\{toctree\}\n.*?^```", expand, index)


def citation() -> str:
    cff, licence = (ROOT / "CITATION.cff").read_text(), (ROOT / "LICENSE").read_text()
    return f"# Citation and licence\n\n```yaml\n{cff}```\n\n```text\n{licence}```\n"


def write_sources(folder: Path) -> None:
    """Everything that Sphinx reads, into an empty folder."""
    shutil.copytree(ROOT / "docs" / "site", folder / "docs" / "site")
    (folder / "docs" / "site" / "root.txt").write_text(f"{ROOT}\n")
    made = {Path("gallery.md"): gallery(ROOT), Path("citation.md"): citation(), **reference_pages(ROOT)}
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in pages()} | made
    names = sorted(str(path.with_suffix("")) for path in texts)
    texts[Path("index.md")] = with_pages((ROOT / "docs" / "site" / "index.md.in").read_text(encoding="utf-8"), names)
    files: set[Path] = set()
    for path, text in texts.items():
        shown, linked = for_site(path, text, set(texts))
        files |= linked
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(shown, encoding="utf-8")
    for path in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
