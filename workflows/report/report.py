"""One self-contained HTML page: headline numbers, figures, tables, provenance."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from workflows.diagnostics import names as diagnostics
from workflows.diagnostics.report import sample_times
from workflows.identities.report import identity_tables
from workflows.line.report import lines
from workflows.models.registry import sections_of
from workflows.report.boundary import boundaries
from workflows.report.page import Figures, citation, render_page
from workflows.report.tables import cost_sentence, costs, provenance
from workflows.statistics.headline import FALSE_ALARM_RATE, FEWEST_BLOCKS, NOT_IN_EQUILIBRIUM
from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.tables.notation import signed, with_error
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import join

SHORT_TABLE = 8  # rows; longer tables of results begin with the numbers that were compared


def shown(row: dict[str, Any]) -> dict[str, Any]:
    """A headline number with its columns as text."""
    reference = with_error(row["reference"], row["reference_error"]) if row["reference"] is not None else "–"
    if row["reference"] is not None and not row["reference_error"]:
        reference = f"{row['reference']:.8g}".replace("-", "−")
    return row | {
        "shown": with_error(row["value"], row["error"], row["error_systematic"])
        if row["error"]
        else f"{row['value']:.3g}",
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


def first_rows(headlines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The numbers to show first, those that were compared, different ones before the rest; none if the table is short."""
    judged = [row for row in headlines if row["verdict"] not in (None, "effective", NOT_IN_EQUILIBRIUM)]
    different = [row for row in judged if row["verdict"] == "differs"]
    chosen = different + [row for row in judged if row["verdict"] != "differs"]
    return chosen if len(headlines) > SHORT_TABLE and 0 < len(chosen) < len(headlines) else []


def files(study: dict[str, Any], arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Tables and other files of the study, relative to its folder, each with its content in words."""
    found = [("tables/observables.csv", "every observable with its error, one a row")]
    found += [("tables/verdicts.csv", "equilibration tests"), ("tables/provenance.csv", "origin and cost")]
    named = {"identities": "exact results", "line": "crossings on Nishimori lines", "boundary": "crossings of a sweep"}
    named |= {"critical": "fits of the transition", "readings": "values that these fits use"}
    for name, words in named.items():
        given = getattr(arguments, name, None) or []
        found += [(f"tables/{path.name}", words) for path in (given if isinstance(given, list) else [given])]
    found += [(f"tables/{part['name']}/", f"all tables of part {part['name']}") for part in study["parts"]]
    return [*found, ("summary.json", "the numbers of Results"), ("study.json", "the study as it was run")]


def few_blocks(table: pd.DataFrame) -> str:
    """A warning, or nothing."""
    few = table[(table["blocks"] < FEWEST_BLOCKS) & table["error"].notna()]
    if not len(few):
        return ""
    return (
        f"Warning: {len(few)} of {len(table)} rows of the table of observables have fewer than {FEWEST_BLOCKS} jackknife "
        f"blocks (smallest number: {few['blocks'].min()}). Their errors are uncertain themselves. Simulate more samples or use smaller blocks."
    )


def parts(tables: StudyTables, figures: list[str], times: list[Path]) -> list[dict[str, Any]]:
    """The content of every section of the study, with its template; `figures`: names of all that there are; `times`: tables of
    times of samples."""
    found = []
    for section in sections_of(tables.study):
        page = {
            "template": section.template,
            "figures": dict(zip(section.figures, section.figure_names)),
            "words": "".join(f", {word}" for word in section.words),
            "diagnostics": diagnostics.shown(section, figures),
            "sample_times": sample_times(tables.study, section, times),
        }
        found.append(section.report().content(tables.of(section), section) | page)
    return found


def render(arguments: argparse.Namespace) -> str:
    study = read_record(arguments.study)
    headlines = json.loads(arguments.summary.read_text(encoding="utf-8"))
    tables = StudyTables.read(study, arguments)
    origin = pd.read_csv(arguments.provenance, dtype={"stream_version": str, "git_commit": str})
    return render_page(
        "report/report.html.j2",
        title=study["title"],
        study=study,
        study_text=yaml.safe_dump(study, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110),
        seeds=", ".join(dict.fromkeys(str(part.get("seed", study["seed"])) for part in study["parts"])),
        root=f"results/{study['name']}",
        headlines=[shown(row) for row in headlines],
        agreement=agreement(headlines),
        few_blocks=few_blocks(tables.observables),
        false_alarms=f"{100 * FALSE_ALARM_RATE:g}",
        parts=parts(tables, [path.stem for path in arguments.figures], arguments.times),
        sweeps=[path.stem.removesuffix("_sweep") for path in arguments.figures if path.stem.endswith("_sweep")],
        overlaps=[path.stem.removesuffix("_overlaps") for path in arguments.figures if path.stem.endswith("_overlaps")],
        boundaries=boundaries(join(arguments.boundary)),
        lines=lines(tables.line, study),
        identities=identity_tables(tables.identities),
        figure=Figures(arguments.figures),
        first=first_rows([shown(row) for row in headlines]),
        costs=costs(origin),
        cost_sentence=cost_sentence(origin),
        files=files(study, arguments),
        provenance=provenance(origin),
        command=arguments.command,
        citation=citation(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("study", "summary", "provenance", "output"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name in ("figures", "boundary", "times"):
        parser.add_argument(f"--{name}", nargs="*", default=[], type=Path)
    parser.add_argument("--command", required=True)
    StudyTables.add_options(parser)
    arguments = parser.parse_args()
    arguments.output.write_text(render(arguments), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(answered(main))
