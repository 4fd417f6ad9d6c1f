"""The page of a published study of exchange Monte Carlo of a model without a page of its own."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from workflows.report.markdown import distinct, lines
from workflows.study.reading import read_record
from workflows.tables.provenance import working_time

PAGE = """# {title}

Written by `workflows/scripts/publish.py`. Simulated on {devices}, sources {commits}, in {cost}
([tables/provenance.csv](tables/provenance.csv)); the study is [study.json](study.json).

{numbers}

{figures}

Temperature slots that passed the equilibration test of [docs/analysis.md](../../../docs/analysis.md)
([tables/verdicts.csv](tables/verdicts.csv)):

| part | L | slots | T | passed | not passed at T = |
|---|---|---|---|---|---|
{slots}

All numbers: [summary.json](summary.json), [tables/observables.csv](tables/observables.csv).{notebook}
"""
NOTEBOOK = " What was found about them: [NOTEBOOK.md](NOTEBOOK.md)."


def slot_row(row: pd.Series) -> list[object]:
    failed = str(row["even_fails_at"]).replace("-", "–").replace(" ", ", ")
    return [row["part"], row["L"], row["slots"], f"{row['T_min']} to {row['T_max']}", row["passed_even"], failed]


def figures(folder: Path) -> str:
    """The figures of the study; of a sweep those against its key, and links to the others."""
    names = {path.name: path.stem.replace("_", " ") for path in sorted(folder.glob("*.svg"))}
    images = [name for name in names if name.endswith(("_boundary.svg", "_sweep.svg", "_line.svg"))] or list(names)
    links = ", ".join(f"[{words}]({name})" for name, words in names.items() if name not in images)
    return "\n\n".join(
        [f"![{names[name]}]({name})" for name in images] + ([f"Other figures: {links}."] if links else [])
    )


def page(folder: Path, numbers: str) -> str:
    """Markdown from the tables and figures in the folder of a published study; `numbers` is the table of its summary."""
    verdicts = pd.read_csv(folder / "tables" / "verdicts.csv", dtype=str, keep_default_na=False)
    origin = pd.read_csv(folder / "tables" / "provenance.csv", dtype={"git_commit": str})
    return PAGE.format(
        title=read_record(folder / "study.json")["title"],
        devices=distinct(origin["device"]),
        commits=distinct(origin["git_commit"], 7),
        cost=working_time(origin),
        numbers=numbers,
        figures=figures(folder),
        slots=lines([slot_row(row) for _, row in verdicts.iterrows()]),
        notebook=NOTEBOOK if (folder / "NOTEBOOK.md").exists() else "",
    )
