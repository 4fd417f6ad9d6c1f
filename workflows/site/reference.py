"""Pages of reference, each from the one place that decides: options from --help, keys from the schema, models and methods
from their registries, observables from psflip-analysis, Python from its docstrings."""

from __future__ import annotations

import csv
import importlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from workflows.methods.registry import METHODS
from workflows.site.help_texts import Option, options_in, subcommands_in
from workflows.site.keys import keys_page
from workflows.site.tables import cell, code, header, row
from workflows.study.presets import presets

PYTHON = """# Python package psflip

How to read results with it: [Python](../docs/python.md).

```{eval-rst}
.. automodule:: psflip
   :no-members:

.. autofunction:: psflip.open
.. autofunction:: psflip.block_sums
.. autofunction:: psflip.table
.. autofunction:: psflip.jackknife
.. autofunction:: psflip.covariance
.. autoclass:: psflip.Estimate
   :members:
.. autoexception:: psflip.PsflipError
```
"""


def output_of(root: Path, *command: str) -> str:
    """What a program of psflip prints."""
    programs = Path(os.environ.get("PSFLIP_BUILD", root / "build")) / "bin"
    return subprocess.run([programs / command[0], *command[1:]], capture_output=True, text=True, check=True).stdout


def reference_pages(root: Path) -> dict[Path, str]:
    made = {"options": options_page(root), "keys": keys_page(root), "models": models_page(root), "python": PYTHON}
    return {Path("reference") / f"{name}.md": text for name, text in made.items()}


def options_page(root: Path) -> str:
    lines = [
        "# Options of the commands",
        "",
        "From `--help` of the programs. What they do: [command line](../docs/command-line.md).",
        "",
    ]
    lines += [
        "## psflip MODEL METHOD",
        "",
        "An option without a remark in the last column exists for every model and method.",
        "",
    ]
    for group, rows in job_options(root).items():
        lines += [f"### {group}", "", *header("option", "value", "meaning", "only for"), *rows, ""]
    for program in ("psflip", "psflip-analysis"):
        top = output_of(root, program, "--help")
        lines += [f"## {program}", "", "```text", top.strip(), "```", ""]
        for name in subcommands_in(top):
            if name not in presets():
                lines += [
                    f"### {program} {name}",
                    "",
                    "```text",
                    output_of(root, program, name, "--help").strip(),
                    "```",
                    "",
                ]
    return "\n".join(lines)


def job_options(root: Path) -> dict[str, list[str]]:
    """Rows of a table for each group of options of `psflip MODEL METHOD`."""
    jobs = [
        (model["name"], method)
        for model in json.loads(output_of(root, "psflip", "models", "--json"))
        for method in model["commands"]
    ]
    found: dict[str, dict[Option, list[tuple[str, str]]]] = {}
    for job in jobs:
        text = output_of(root, "psflip", *job, "--help").replace(f"psflip {job[0]} adapt", "psflip MODEL adapt")
        for group, option in options_in(text):
            found.setdefault(group, {}).setdefault(option, []).append(job)
    rows = {}
    for group, options in found.items():
        names = list(dict.fromkeys(option.name for option in options))  # rows of one name follow each other
        rows[group] = [
            row(code(o.name), code(o.value), cell(o.meaning), applies(options[o], jobs))
            for o in sorted(options, key=lambda option: names.index(option.name))
        ]
    return rows


def applies(where: list[tuple[str, str]], jobs: list[tuple[str, str]]) -> str:
    """The models and methods of an option, in words; empty for all."""
    models, methods = [list(dict.fromkeys(names)) for names in zip(*where)]
    all_models, all_methods = [list(dict.fromkeys(names)) for names in zip(*jobs)]
    if len(where) != len(models) * len(methods):
        return "; ".join(f"{model} {method}" for model, method in where)
    words = [] if len(methods) == len(all_methods) else [", ".join(methods)]
    words += [] if len(models) == len(all_models) else [", ".join(models)]
    return "; ".join(words)


def models_page(root: Path) -> str:
    lines = ["# Models, methods and observables", "", "More on them: [models](../docs/models.md).", ""]
    lines += ["## Models", "", "From `engine/models/presets.def`.", ""]
    lines += header("model", "title", "number", "D", "bonds", "field", "default method")
    for preset in presets().values():
        words = [preset.couplings.replace("_", " "), preset.field.replace("_", " "), preset.method]
        lines.append(row(code(preset.name), preset.title, str(preset.number), str(preset.dimension), *words))
    lines += ["", "## Methods", "", "From `workflows/methods`.", ""]
    lines += header("method", "meaning", "figures of a report, for any model")
    for method in METHODS.values():
        meaning = importlib.import_module(f"workflows.methods.{method.name}").__doc__ or ""
        lines.append(row(code(method.name), " ".join(meaning.split()), ", ".join(method.figures)))
    lines += ["", "## Observables", "", "From `psflip-analysis observables`.", "", *observables(root), ""]
    return "\n".join(lines)


def observables(root: Path) -> list[str]:
    """A table of the names in tables, with the models that have them for each method."""
    found: dict[tuple[str, str], list[str]] = {}
    histogram = "P_q_0, P_q_1, ..."
    for entry in csv.DictReader(output_of(root, "psflip-analysis", "observables").splitlines()):
        name: Any = histogram if entry["observable"].startswith("P_q_") else entry["observable"]
        models = found.setdefault((entry["method"], name), [])
        models += [] if entry["model"] in models else [entry["model"]]
    rows = [
        row(method, code(name), "all" if len(models) == len(presets()) else ", ".join(models))
        for (method, name), models in sorted(found.items(), key=lambda item: list(METHODS).index(item[0][0]))
    ]
    return [*header("method", "observable", "models"), *rows]
