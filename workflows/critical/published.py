"""The page of a published study of the transition of ea3d: numbers compared with the literature, scans, and the cost of shared random numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from workflows.critical.production import speed_section
from workflows.critical.report import pair_table, scan_table, together_table
from workflows.report.markdown import distinct, lines
from workflows.study.reading import read_record
from workflows.tables.notation import signed, with_error

SYMBOLS = {"e": "e", "m2": "m²", "q2": "q²", "chi_k": "χ(k)", "xi": "ξ", "U4": "U₄", "U22": "U₂₂"}
PAGE = """# {title}

Written by `workflows/scripts/publish.py`. Simulated on {devices}, sources {commits}: {flips:.2g} flips in {shards} files ([provenance.csv](tables/provenance.csv)). The study is [study.json](study.json); [docs/ea3d_critical.md](../../../docs/ea3d_critical.md)
says how it was planned and what it found, [docs/analysis.md](../../../docs/analysis.md#the-transition-of-ea3d-from-relaxation) how it is fitted.

![U4 at fixed xi/L against beta, and readings in the scaling variable without their correction](critical_collapse.svg)

| quantity | psflip | reference | deviation / error | verdict | note |
|---|---|---|---|---|---|
{numbers}

First bracket: statistical error. Second bracket: systematic error, half the spread over fits one step away. All numbers, with the checks of energies and moments: [summary.json](summary.json). Figures: [the clock](critical_clock.svg), [two sizes](critical_pairs.svg), [the scan](critical_scans.svg).

{tables}
{sharing}{speed}"""
SHARING = """
## The price of shared random numbers

Design effects at the end of the runs: the variance of a mean over that of independent samples, 32 samples sharing a number; lowest, median and highest of {runs} runs ([all](tables/design_effects.csv)):

| | {names} |
|---|{rules}|
{effects}
"""


def headlines(summary: list[dict]) -> list[dict]:
    """The numbers of the README: the transition and equilibrium at T_c, but no checks of single energies and moments."""
    return [number for number in summary if "from relaxation" in number["name"] or "in equilibrium" in number["name"]]


def sharing(observables: Path) -> pd.DataFrame:
    """Design effects at the last time of every run."""
    table = pd.read_csv(observables)
    rows = table[table["observable"].str.startswith("design_effect_")]
    last = rows["t"] == rows.groupby(["L", "T"])["t"].transform("max")
    return rows[last][["L", "T", "t", "observable", "value", "error"]]


def effect_rows(effects: pd.DataFrame) -> list[list[object]]:
    columns = [effects[effects["observable"] == f"design_effect_{name}"]["value"] for name in SYMBOLS]
    return [[label, *(f"{getattr(np, label)(column):.2f}" for column in columns)] for label in ("min", "median", "max")]


def sharing_section(effects: pd.DataFrame) -> str:
    """Nothing where no samples shared their numbers."""
    if not len(effects):
        return ""
    return SHARING.format(
        runs=len(effects.drop_duplicates(["L", "T"])),
        names=" | ".join(SYMBOLS.values()),
        rules="---|" * (len(SYMBOLS) - 1) + "---",
        effects=lines(effect_rows(effects)),
    )


def number_row(number: dict[str, Any]) -> list[object]:
    value = with_error(number["value"], number["error"], number["error_systematic"])
    reference = with_error(number["reference"], number["reference_error"])
    return [number["name"], value, reference, signed(number["pull"]), number["verdict"] or "", number.get("note") or ""]


def markdown(table: dict[str, Any] | None) -> str:
    if not table or not table["rows"]:
        return ""
    head = [table["head"], ["---"] * len(table["head"])]
    return f"{table['caption']}\n\n{lines(head + table['rows'])}\n"


def transition_page(folder: Path) -> str:
    """Markdown from the files in the folder of a published study."""
    study = read_record(folder / "study.json")
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    fits = pd.read_csv(folder / "tables" / "critical.csv")
    origin = pd.read_csv(folder / "tables" / "provenance.csv", dtype={"git_commit": str})
    effects = pd.read_csv(folder / "tables" / "design_effects.csv")
    tables = [make(fits, study["critical"]) for make in (together_table, pair_table, scan_table)]
    flips = origin["L"] ** 3.0 * origin["samples"] * origin["replicas"] * origin["sweeps"]
    return PAGE.format(
        title=study["title"],
        devices=distinct(origin["device"]),
        commits=distinct(origin["git_commit"], 7),
        flips=flips.sum(),
        shards=origin["shards"].sum(),
        numbers=lines([number_row(number) for number in headlines(summary)]),
        tables="\n".join(markdown(table) for table in tables),
        sharing=sharing_section(effects),
        speed=speed_section(origin, folder.parent / "benchmark"),
    )
