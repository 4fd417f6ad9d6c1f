"""The page of a published study of the random-field Ising model: its jobs, its crossings, and the slots that passed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from workflows.report.markdown import distinct, lines
from workflows.tables.notation import seconds, with_error
from workflows.tables.table import known

SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}
PAGE = """# {title}

Written by `workflows/scripts/publish.py`. Simulated on {devices}, sources {commits}, in {cost} without the adaptation runs of the grids
([tables/provenance.csv](tables/provenance.csv)); the study is [study.json](study.json).

![crossings and their drift](rfim3d_crossings.svg)

| crossing | T | value | in equilibrium |
|---|---|---|---|
{crossings}

A crossing is in equilibrium if all slots next to it passed the test of [docs/analysis.md](../../../docs/analysis.md); one that is not is shown and not to be quoted. L → ∞: from the crossings in equilibrium,
if there are two, else from all, with ω = 0.52, ν = 1.38 of the zero-temperature fixed point; the second bracket is the systematic error, half the spread over ω = 0.52(11), ν = 1.38(10) and ω = 0.832, ν = 0.63 of the pure model (dotted in the figure). U₄ itself has no limit that could be quoted. Slots that passed
([tables/verdicts.csv](tables/verdicts.csv)), for even moments of m and for first powers:

| part | L | slots | T | even moments | first powers | even moments fail at T = |
|---|---|---|---|---|---|---|
{slots}

Comparisons with published values and with an independent program:

{numbers}

[Observables](rfim3d_observables.svg), [grids of temperatures](rfim3d_grids.svg), [all numbers](summary.json).
"""


def crossing_row(row: pd.Series) -> list[object]:
    finite = np.isfinite(row["L2"])
    pair = f"L = {row['L1']:.0f}, {row['L2']:.0f}" if finite else "L → ∞"
    # Small sizes are far from where corrections of one power hold, so values at crossings are not extrapolated.
    value = with_error(row["value"], row["value_error"]) if finite else "–"
    numbers = [with_error(row["T_crossing"], row["error"], known(row["error_systematic"])), value]
    return [f"{SYMBOLS[row['observable']]}, {pair}", *numbers, "yes" if row["equilibrated"] == 1 else "no"]


def slot_row(row: pd.Series) -> list[object]:
    failed = str(row["even_fails_at"]).replace("-", "–").replace(" ", ", ")
    span = f"{row['T_min']} to {row['T_max']}"
    return [row["part"], row["L"], row["slots"], span, row["passed_even"], row["passed_first_powers"], failed]


def page(folder: Path, numbers: str) -> str | None:
    """Markdown from the tables in the folder of a published study; nothing without slots of rfim3d. `numbers` is the table of
    its summary."""
    verdicts = pd.read_csv(folder / "tables" / "verdicts.csv", dtype=str, keep_default_na=False)
    if not len(verdicts):
        return None
    paths = [
        folder / "tables" / part / f"crossing_{name}.csv" for part in verdicts["part"].unique() for name in SYMBOLS
    ]
    crossings = [row for path in paths if path.exists() for _, row in pd.read_csv(path).iterrows()]
    origin = pd.read_csv(folder / "tables" / "provenance.csv", dtype={"git_commit": str}).query("model == 'rfim3d'")
    return PAGE.format(
        title=json.loads((folder / "study.json").read_text(encoding="utf-8"))["title"],
        devices=distinct(origin["device"]),
        commits=distinct(origin["git_commit"], 7),
        cost=seconds(origin["core_seconds"].sum()),
        crossings=lines([crossing_row(row) for row in crossings]),
        slots=lines([slot_row(row) for _, row in verdicts.iterrows()]),
        numbers=numbers,
    )
