"""One self-contained HTML page: headline numbers, figures, tables, provenance."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from workflows.critical.report import pair_table, scan_table, together_table
from workflows.models.rfim3d.grids import read_grids
from workflows.models.rfim3d.report import grid_table, slot_table
from workflows.report.page import Figures, citation, html_table, render_page
from workflows.report.tables import costs, crossing_table, design_table, dynamics_table, equilibration, provenance
from workflows.statistics.headline import FALSE_ALARM_RATE, FEWEST_BLOCKS, NOT_IN_EQUILIBRIUM
from workflows.tables.notation import signed, with_error
from workflows.tables.table import join, read, select


def shown(row: dict[str, Any]) -> dict[str, Any]:
    """A headline number with its columns as text."""
    reference = with_error(row["reference"], row["reference_error"]) if row["reference"] is not None else "–"
    if row["reference"] is not None and not row["reference_error"]:
        reference = f"{row['reference']:.8g}".replace("-", "−")
    return row | {
        "shown": with_error(row["value"], row["error"], row["error_systematic"]) if row["error"] else f"{row['value']:.3g}",
        "reference_shown": reference,
        "pull_shown": signed(row["pull"]),
    }


def agreement(headlines: list[dict[str, Any]]) -> dict[str, str]:
    """One sentence for the reader who reads only one."""
    judged = [row for row in headlines if row["verdict"] not in (None, "effective", NOT_IN_EQUILIBRIUM)]
    wrong = [row["name"] for row in judged if row["verdict"] == "differs"]
    if not judged:
        return {"sentence": "This study has no number with an exact or published value to compare with."}
    sentence = f"{len(judged) - len(wrong)} of {len(judged)} comparisons with exact or published values agree."
    return {"sentence": sentence + (f" Different: {'; '.join(wrong)}." if wrong else "")}


def few_blocks(table: pd.DataFrame) -> str:
    """A warning, or nothing."""
    few = table[(table["blocks"] < FEWEST_BLOCKS) & table["error"].notna()]
    if not len(few):
        return ""
    return (
        f"Warning: {len(few)} of {len(table)} rows of the table of observables have fewer than {FEWEST_BLOCKS} jackknife "
        f"blocks (smallest number: {few['blocks'].min()}). Their errors are uncertain themselves. Simulate more samples or use smaller blocks."
    )


def render(arguments: argparse.Namespace) -> str:
    study = json.loads(arguments.study.read_text(encoding="utf-8"))
    headlines = json.loads(arguments.summary.read_text(encoding="utf-8"))
    table = read(arguments.observables)
    origin = pd.read_csv(arguments.provenance, dtype={"stream_version": str, "git_commit": str})
    square, glass, field = (select(table, model=name) for name in ("ising2d", "ea3d", "rfim3d"))
    grids = read_grids(arguments.grids)
    return render_page(
        "report/report.html.j2",
        title=study["title"],
        study=study,
        study_text=yaml.safe_dump(study, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110),
        root=f"results/{study['name']}",
        headlines=[shown(row) for row in headlines],
        agreement=agreement(headlines),
        few_blocks=few_blocks(table),
        false_alarms=f"{100 * FALSE_ALARM_RATE:g}",
        square=len(square) > 0,
        glass=len(glass) > 0,
        field=len(field) > 0,
        h=f"{grids['h'].iloc[0]:g}" if len(grids) else "",
        tempered=crossing_table(join(arguments.tempered), "rfim3d"),
        grids=grid_table(grids),
        slots=slot_table(field),
        figure=Figures(arguments.figures),
        table=html_table,
        crossings=crossing_table(join(arguments.crossings)),
        dynamics=dynamics_table(join(arguments.dynamics)),
        designs=design_table(glass),
        critical=study.get("critical"),
        scan=scan_table(join(arguments.critical), study.get("critical", {})),
        together=together_table(join(arguments.critical), study.get("critical") or {}),
        pairs=pair_table(join(arguments.critical), study.get("critical", {})),
        equilibration=equilibration(square),
        costs=costs(origin),
        provenance=provenance(origin),
        command=arguments.command,
        citation=citation(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "summary", "observables", "provenance", "output"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name in ("figures", "crossings", "dynamics", "tempered", "grids", "critical"):
        parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)
    parser.add_argument("--command", required=True)
    arguments = parser.parse_args()
    arguments.output.write_text(render(arguments), encoding="utf-8")


if __name__ == "__main__":
    main()
