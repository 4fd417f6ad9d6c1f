"""The page of a published study of the random-field Ising model: its jobs, its crossings, and the slots that passed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from workflows.diagnostics import names as diagnostics
from workflows.models.registry import sections_by_part
from workflows.models.rfim3d.drift import IN_FIELD, WITHOUT_FIELD
from workflows.models.section import Section
from workflows.report.markdown import distinct, lines
from workflows.study.reading import read_record
from workflows.tables.crossings import crossed
from workflows.tables.notation import with_error
from workflows.tables.provenance import working_time
from workflows.tables.table import known

WITHOUT_FIELD_SENTENCE = (
    f" At h = 0: {WITHOUT_FIELD.words}, and half the spread over {WITHOUT_FIELD.alternatives}; no dotted line."
)
SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}
BOUNDARY = "rfim3d_boundary.svg"
PAGE = """# {title}

Written by `workflows/scripts/publish.py`. Simulated on {devices}, sources {commits}, in {cost}{without}
([tables/provenance.csv](tables/provenance.csv)); the study is [study.json](study.json).

{images}

| crossing | T | value | in equilibrium |
|---|---|---|---|
{crossings}

A crossing is in equilibrium if all slots next to it passed the test of [docs/analysis.md](../../../docs/analysis.md); one that is not is shown and not to be quoted.{limit} Slots that passed
([tables/verdicts.csv](tables/verdicts.csv)), for even moments of m and for first powers:

| part | L | slots | T | even moments | first powers | even moments fail at T = |
|---|---|---|---|---|---|---|
{slots}

Comparisons with published values and with an independent program:

{numbers}

{figures}, [all numbers](summary.json).
"""

LIMIT = """ L → ∞: from the crossings in equilibrium,
if there are two, else from all, with {exponents}; the second bracket is the systematic error, half the spread over {alternatives} (dotted in the figure).{without_field} U₄ itself has no limit that could be quoted."""


def limit(study: dict) -> str:
    """How crossings are extrapolated to infinite size."""
    without_field = any(part.get("h") == 0 for part in study["parts"])
    return LIMIT.format(
        exponents=IN_FIELD.words,
        alternatives=IN_FIELD.alternatives,
        without_field=WITHOUT_FIELD_SENTENCE if without_field else "",
    )


def crossing_row(row: pd.Series, words: list[str]) -> list[object]:
    """`words`: the system, where the study has several."""
    finite = np.isfinite(row["L2"])
    pair = f"L = {row['L1']:.0f}, {row['L2']:.0f}" if finite else "L → ∞"
    # Small sizes are far from where corrections of one power hold, so values at crossings are not extrapolated.
    value = with_error(row["value"], row["value_error"]) if finite else "–"
    numbers = [with_error(row["T_crossing"], row["error"], known(row["error_systematic"])), value]
    return [
        ", ".join([SYMBOLS[row["observable"]], *words, pair]),
        *numbers,
        "yes" if row["equilibrated"] == 1 else "no",
    ]


def slot_row(row: pd.Series) -> list[object]:
    failed = str(row["even_fails_at"]).replace("-", "–").replace(" ", ", ")
    span = f"{row['T_min']} to {row['T_max']}"
    return [row["part"], row["L"], row["slots"], span, row["passed_even"], row["passed_first_powers"], failed]


def figure_links(sections: list[Section], folder: Path) -> tuple[str, str]:
    """The figures of crossings, and links to the others in the folder; of each system, where there are several."""
    images, links = [], []
    for section in sections:
        names = dict(zip(section.figures, section.figure_names))
        words = "".join(f", {word}" for word in section.words)
        images.append(f"![crossings and their drift{words}]({names['crossings']}.svg)")
        links.append(f"[Observables{words}]({names['observables']}.svg)")
        if "grids" in names:
            links.append(f"[grids of temperatures{words}]({names['grids']}.svg)")
        of_runs = diagnostics.shown(section, (path.stem for path in folder.glob("*.svg")))
        links += [f"[{name.replace('_', ' ')}{words}]({figure}.svg)" for name, figure in of_runs.items()]
    return "\n\n".join(images), ", ".join(links)


def page(folder: Path, numbers: str) -> str | None:
    """Markdown from the tables in the folder of a published study; nothing without slots of rfim3d. `numbers` is the table of
    its summary."""
    verdicts = pd.read_csv(folder / "tables" / "verdicts.csv", dtype=str, keep_default_na=False)
    if not len(verdicts):
        return None
    study = read_record(folder / "study.json")
    sections = sections_by_part(study)
    crossings = [
        crossing_row(row, sections[part].words)
        for part in verdicts["part"].unique()
        for path in (folder / "tables" / part / f"crossing_{name}.csv" for name in SYMBOLS)
        if path.exists()
        for _, row in crossed(pd.read_csv(path)).iterrows()
    ]
    images, figures = figure_links(list(dict.fromkeys(sections[part] for part in verdicts["part"].unique())), folder)
    if (folder / BOUNDARY).exists():
        images = f"![crossings of pairs of sizes at each strength of the field]({BOUNDARY})\n\n{images}"
    origin = pd.read_csv(folder / "tables" / "provenance.csv", dtype={"git_commit": str}).query("model == 'rfim3d'")
    return PAGE.format(
        title=study["title"],
        images=images,
        figures=figures,
        devices=distinct(origin["device"]),
        commits=distinct(origin["git_commit"], 7),
        cost=working_time(origin),
        without=" without the adaptation runs of the grids" if (folder / "grids").exists() else "",
        limit=limit(study) if any(row[0].endswith("L → ∞") for row in crossings) else "",
        crossings=lines(crossings),
        slots=lines([slot_row(row) for _, row in verdicts.iterrows()]),
        numbers=numbers,
    )
