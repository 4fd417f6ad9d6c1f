"""What the result of a Python module depends on: the modules of this repository that it imports, and the data files that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from workflows.study.error import StudyError

PACKAGE = "workflows"
# Data files are known by their names in the text of a module. Templates are not: their names are made from those of sections.
DATA = ("workflows/references/*", "workflows/schemas/*", "CITATION.cff", "engine/models/presets.def")


@cache
def _names_in(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """What the text of a module imports of this package, anywhere in it, and its strings that may be names of files; * for what an
    f-string fills in."""
    imported, strings = set[str](), set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            imported |= {module, *(f"{module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            strings.add("".join(str(one.value) if isinstance(one, ast.Constant) else "*" for one in node.values))
    names = frozenset(name for name in strings if re.fullmatch(r"[\w./*-]+\.\w+", name))
    return frozenset(_with_packages(name for name in imported if name.partition(".")[0] == PACKAGE)), names


def _path_of(module: str, root: Path) -> Path | None:
    """The file of a module of this repository; None for any other name."""
    if module.partition(".")[0] != PACKAGE:
        return None
    path = root.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _with_packages(modules: Iterable[str]) -> Iterator[str]:
    """Modules and the packages that Python imports before them."""
    for module in modules:
        words = module.split(".")
        yield from (".".join(words[:count]) for count in range(1, len(words) + 1))


def module_sources(module: str, *more: str, root: str | Path = ".") -> set[str]:
    """The files from which a module makes its result, found by following imports inside the package.

    more: patterns of further files, such as modules that it imports by computed names. StudyError if there is no module.
    """
    root = Path(root)
    first = _path_of(module, root)
    if first is None:
        raise StudyError(f"{module}: there is no such module; restore its file")
    left = {first, *(path for pattern in more for path in root.glob(pattern))}
    left |= {path for name in _with_packages({module}) if (path := _path_of(name, root))}
    found, names, looked_up = set[Path](), set[str](), set[str]()
    while left:
        path = left.pop()
        found.add(path)
        if path.suffix == ".py":
            imported, strings = _names_in(path.read_text(encoding="utf-8"))
            names |= {name.rpartition("/")[2] for name in strings}
            left |= {file for name in imported - looked_up if (file := _path_of(name, root))} - found
            looked_up |= imported
    data = [path for pattern in DATA for path in root.glob(pattern)]
    found |= {path for path in data if any(fnmatchcase(path.name, name) for name in names)}
    return {path.relative_to(root).as_posix() for path in found}
