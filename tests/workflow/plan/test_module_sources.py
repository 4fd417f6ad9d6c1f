"""Rules that run a Python module depend on all that the module reads besides its inputs."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from workflows.study.error import StudyError
from workflows.study.identity import module_fingerprint
from workflows.study.module_sources import DATA, module_sources

# The rules that run a module, with the module, and the arguments of their fingerprint.
RULES = {
    name: (found[1], ast.literal_eval(f"[{code[1]}]") if code else [])
    for path in sorted((ROOT / "workflows" / "rules").glob("*.smk"))
    for name, body in re.findall(r"^rule (\w+):\n(.*?)(?=^rule |\Z)", path.read_text(), re.M | re.S)
    for found, code in [
        (re.search(r"python -m (workflows[\w.]+)", body), re.search(r"code=module_fingerprint\((.*?)\)", body, re.S))
    ]
    if found
}
SOURCES = {name: module_sources(*arguments, root=ROOT) for name, (_, arguments) in RULES.items() if arguments}


@pytest.mark.parametrize("rule", RULES)
def test_the_fingerprint_of_a_rule_is_that_of_the_module_it_runs(rule: str) -> None:
    module, arguments = RULES[rule]
    assert arguments and arguments[0] == module
    for pattern in arguments[1:]:
        assert list(ROOT.glob(pattern)), f"{pattern} matches no file"


# Imports the modules of each list of names on its input in a process of its own, and tells the files of all modules then. The
# libraries of other projects are imported once for all.
IMPORTER = """
import importlib, json, os, sys
import h5py, jinja2, matplotlib.pyplot, numpy, pandas, scipy.interpolate, scipy.special, xarray, yaml
for names in json.load(sys.stdin):
    if not os.fork():
        for name in names: importlib.import_module(name.removesuffix(".__init__"))
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        print(json.dumps([file for file in files if file]), flush=True)
        sys.exit()
    if os.wait()[1]: sys.exit(1)
"""


def test_the_sources_of_a_module_hold_all_that_python_imports_for_it() -> None:
    """Python itself says what it has imported; modules that the sources name by pattern are imported too. Those of the
    package psflip are sources as files of a pattern."""
    modules = [
        {path for path in sources if path.endswith(".py") and path.startswith("workflows/")}
        for sources in SOURCES.values()
    ]
    names = json.dumps([sorted(path.removesuffix(".py").replace("/", ".") for path in paths) for paths in modules])
    command = [sys.executable, "-c", IMPORTER]
    done = subprocess.run(command, input=names, cwd=ROOT, capture_output=True, text=True, check=True)
    for rule, paths, line in zip(SOURCES, modules, done.stdout.splitlines(), strict=True):
        files = {Path(file) for file in json.loads(line)}
        imported = {str(file.relative_to(ROOT)) for file in files if ROOT / "workflows" in file.parents}
        assert len(imported) > 2 and imported == paths, rule


def test_modules_imported_by_a_computed_name_are_those_of_sections() -> None:
    """The rules `summarize` and `report` name them by a pattern, `identities` those of exact results; another such import
    needs one too. No rule makes the site."""
    computed = [path for path in (ROOT / "workflows").rglob("*.py") if "import_module(" in path.read_text()]
    names = sorted(str(path.relative_to(ROOT)) for path in computed)
    assert names == ["workflows/identities/relations.py", "workflows/models/section.py", "workflows/site/reference.py"]
    assert "workflows/models/ising2d/exact.py" in SOURCES["identities"]
    for rule, module in (("summarize", "summary"), ("report", "report")):
        made = {str(path.relative_to(ROOT)) for path in (ROOT / "workflows").glob(f"m*/*/{module}.py")}
        assert len(made) > 5 and made <= SOURCES[rule]


def test_every_data_file_and_template_belongs_to_a_rule_or_to_the_command_of_scaling() -> None:
    data = {str(path.relative_to(ROOT)) for pattern in (*DATA, "workflows/**/*.j2") for path in ROOT.glob(pattern)}
    assert data <= set(module_sources("workflows.scaling.__main__", root=ROOT)).union(*SOURCES.values())
    templates = {name for name in SOURCES["report"] if name.endswith(".j2")}
    for name in templates:
        for other in re.findall(r'{% (?:extends|include) "([^"]+)"', (ROOT / name).read_text()):
            assert f"workflows/{other}" in templates


def test_imports_are_followed_wherever_they_stand_and_however_they_are_written(tmp_path: Path) -> None:
    texts = {
        "workflows/__init__.py": "",
        "workflows/a.py": "from __future__ import annotations\nimport json\nfrom workflows.b import c, value\n",
        "workflows/b/__init__.py": "value = 1\n",
        "workflows/b/c.py": 'def f(name):\n    import workflows.d as d\n    return d, f"x/{name}_old.csv"\n',
        "workflows/d.py": 'NAME = "table.yaml"\n',
        "workflows/other.py": "import workflows.a\n",
        "workflows/references/table.yaml": "1\n",
        "workflows/references/ea3d_old.csv": "2\n",
        "workflows/references/ea3d_new.csv": "3\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = module_sources("workflows.a", root=tmp_path)
    assert found == texts.keys() - {"workflows/other.py", "workflows/references/ea3d_new.csv"}
    before = module_fingerprint("workflows.a", root=tmp_path)
    for name in texts:
        path = tmp_path / name
        path.write_text(path.read_text() + "\n")
        after = module_fingerprint("workflows.a", root=tmp_path)
        assert (after != before) == (name in found)
        before = after
    with pytest.raises(StudyError, match=r"workflows.none: there is no such module; restore its file"):
        module_sources("workflows.none", root=tmp_path)
