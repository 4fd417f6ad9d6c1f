"""Takes a finished study into the repository: results/published/<study>/, the results in the README, and the tables of pages in docs/.

python -m workflows.scripts.publish results/demo results/rfim3d   copies summaries, figures, small tables and block sums, writes the README
python -m workflows.scripts.publish results/benchmark             figures and tables of a benchmark, next to the files they are made from
python -m workflows.scripts.publish results/seeds                 files of psflip-lab, figures and the page of a study of the laboratory
python -m workflows.scripts.publish                               only writes the README and the pages again
python -m workflows.scripts.publish --check                       fails when the README or a page does not show the content of results/published/
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

import pandas as pd

from workflows.critical.published import sharing, transition_page
from workflows.laboratory import published as laboratory
from workflows.models.registry import sections_of
from workflows.scripts import page_tables
from workflows.scripts.archive import write_archive
from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.tables.notation import signed, with_error

README = Path("README.md")
BEGIN, END = "<!-- results: written by workflows/scripts/publish.py -->", "<!-- end of results -->"
PUBLISHED = Path("results/published")

# Of the demo, which everybody runs, the figures of the README alone.
FIGURES = {"demo": ["ising2d_specific_heat", "ea3d_binder_of_xi"]}
TABLES = ["observables.csv", "boundary.csv", "identities.csv", "line.csv", "line_curves.csv", "verdicts.csv"]
TABLES += ["provenance.csv", "*/crossing_*.csv", "*/dynamics_*.csv"]
TABLES += ["*/specific_heat_*.csv", "*/log_bins_*.csv", "*/sample_times_*.csv", "*/overlaps_*.csv"]
# Of a study of the transition of ea3d, whose observables at all times are too large.
TRANSITION = ["critical.csv", "clock.csv", "provenance.csv", "*/dynamics_*.csv"]

# The results of the README: numbers of each study by the beginning of their names, and what the README calls them.
QUOTED = {
    "demo": {
        "2D Ising: critical temperature, crossing of U₄, L → ∞": "2D Ising: T_c from crossings of U₄",
        "2D Ising: energy, χ² probability": "2D Ising: energy at 63 points, χ² probability",
        "3D EA: energy after one sweep": "3D EA: energy after one sweep, L = 32",
    },
    "rfim3d": {
        "3D RFIM, h = 1: g, L = 8": "3D RFIM, h = 1: Binder ratio g, L = 8, T = 4",
        "3D RFIM, h = 1: crossing of ξ/L, L → ∞": "3D RFIM, h = 1: T_c from crossings of ξ/L",
    },
    "ea3d_equilibrium": {
        "3D Edwards-Anderson spin glass, tempering: ξ/L, L = 10": "3D EA equilibrium: ξ/L, L = 10, T = 1.1019",
    },
    "ea3d_critical": {
        "3D EA: β_c from relaxation": "3D EA: β_c, with ω = 1.12 fixed",
        "3D EA: ν from relaxation": "3D EA: ν, with ω = 1.12 fixed",
        "3D EA: z from relaxation": "3D EA: z",
        "3D EA: η from relaxation": "3D EA: η",
    },
}
# The authors of a reference and its year.
AUTHORS = re.compile(r"([A-Z][\w-]+(?: and [A-Z][\w-]+| et al\.)?)[^,]*,[^(]*.*\((\d{4})\)")
HEAD = "| quantity | psflip | reference | deviation / error | verdict | source |\n|---|---|---|---|---|---|\n"
DEMO_PAGE = """# Two-dimensional Ising model, three-dimensional Edwards-Anderson and random-field Ising models

Written by `workflows/scripts/publish.py`: the numbers of `./study run` ([config/demo.yaml](../../../config/demo.yaml)),
compared with exact and published values. Figures in brackets are one standard error, a second bracket is a systematic
error. A number is called effective if it was measured at times or sizes to which the published asymptotic value does
not yet apply.

{numbers}

All numbers: [summary.json](summary.json). A GPU gives the same measurements, bit for bit: the simulations take 44 s on
one H200 ([file](../benchmark/checks/h200_start_and_end.txt), section 6).
"""


def row(number: dict) -> str:
    exact = number["reference"] is not None and not number["reference_error"]
    reference = with_error(number["reference"], number["reference_error"])
    if exact:
        reference = f"{number['reference']:.7g}".replace("-", "−")
    if (number["source"] or "").startswith("between "):  # a published range
        low, high = (number["reference"] + sign * number["reference_error"] for sign in (-1, 1))
        reference = f"{low:g} to {high:g}"
    value = f"{number['value']:.2g}"
    if number["error"]:
        value = with_error(number["value"], number["error"], number["error_systematic"])
    cells = [
        number["name"],
        value,
        reference,
        signed(number["pull"]),
        number["verdict"] or "",
        number.get("short", number["source"]) or "",
    ]
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def summary_of(study: str) -> list[dict]:
    """The headline numbers of a published study; none if it is not published."""
    path = PUBLISHED / study / "summary.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def table(study: str) -> str:
    """All headline numbers of a published study."""
    return HEAD + "\n".join(row(number) for number in summary_of(study))


def short_source(source: str) -> str:
    """Authors and year of a reference; else its first words."""
    found = AUTHORS.search(source)
    return f"{found[1]} ({found[2]})" if found else re.split(r",| \(", source)[0]


def quoted(study: str) -> list[dict]:
    """The numbers of a study that the README shows, under their names there."""
    return [
        {**number, "name": name, "short": short_source(number["source"])}
        for beginning, name in QUOTED[study].items()
        for number in summary_of(study)
        if number["name"].startswith(beginning)
    ]


def shown() -> str:
    """The text between the marks of the README."""
    return HEAD + "\n".join(row(number) for study in QUOTED for number in quoted(study))


def copy(results: Path) -> None:
    """Summary, figures, tables and a page of one study; of the demo the summary, and figures into docs/."""
    study = results.name
    target = PUBLISHED / study
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(results / "summary.json", target / "summary.json")
    if study in FIGURES:
        for name in FIGURES[study]:
            shutil.copy(results / "plots" / f"{name}.svg", Path("docs") / f"{name}.svg")
        write_page(target)
        return
    transition = (results / "tables" / "critical.csv").exists()
    for figure in sorted((results / "plots").glob("critical_*.svg" if transition else "*.svg")):
        shutil.copy(figure, target / figure.name)
    for folder in ("tables", "grids"):  # those of an earlier state of the study
        shutil.rmtree(target / folder, ignore_errors=True)
    patterns = TRANSITION if transition else TABLES
    for path in sorted(path for pattern in patterns for path in (results / "tables").glob(pattern)):
        place = target / "tables" / path.relative_to(results / "tables")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    shutil.copy(results / "study.json", target / "study.json")
    for grid in sorted((results / "grids").glob("*/*.json")):
        (target / "grids").mkdir(exist_ok=True)
        shutil.copy(grid, target / "grids" / grid.name)
    if transition:
        sharing(results / "tables" / "observables.csv").to_csv(target / "tables" / "design_effects.csv", index=False)
    elif why_not := write_archive(results, target):
        print(f"{study}: {why_not}", file=sys.stderr)
    write_page(target)


def write_page(target: Path) -> None:
    if text := page_of(target):
        (target / "README.md").write_text(text, encoding="utf-8")


def written_pages() -> dict[Path, str]:
    """The texts of all pages that show published numbers: those of studies, the README, and pages of docs/."""
    folders = sorted(path for path in PUBLISHED.iterdir() if path.is_dir())
    pages = {folder / "README.md": text for folder in folders if (text := page_of(folder))}
    for path in {README: None} | page_tables.TABLES:
        if path.exists():
            text = page_tables.with_tables(path, path.read_text(encoding="utf-8"))
            pages[path] = with_results(text, shown()) if path == README else text
    return pages


def page_of(target: Path) -> str | None:
    """The page of a study in its folder; none for a study without a transition or temperature slots, and none for folders
    of other content."""
    if target.name in FIGURES:
        return DEMO_PAGE.format(numbers=table(target.name))
    if laboratory.is_of(target):
        return laboratory.page(target)
    if not (target / "summary.json").exists():
        return None
    if (target / "tables" / "critical.csv").exists():
        return transition_page(target)
    content = read_record(target / "study.json")
    if not len(pd.read_csv(target / "tables" / "verdicts.csv")):
        return None
    # The page of a model with a section of its own before that of a method.
    sections = sorted(sections_of(content), key=lambda section: section.package.startswith("methods."))
    module = next((module for section in sections if (module := section.published_page())), None)
    return module.page(target, table(target.name)) if module else None


def copy_benchmark(results: Path) -> None:
    """Figures and tables of config/benchmark.yaml; the jobs and commits are in the files they are made from."""
    target = PUBLISHED / "benchmark"
    for path in sorted([*(results / "plots").glob("*.svg"), *(results / "tables").glob("*.csv")]):
        place = target / path.relative_to(results / "plots" if path.suffix == ".svg" else results)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


def with_results(text: str, content: str) -> str:
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{content}\n{END}{rest.split(END)[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    for results in arguments.results:
        if (results / "tables" / "targets.csv").exists():
            copy_benchmark(results)
            continue
        if (results / "laboratory").is_dir() and (results / "report.html").exists():
            laboratory.copy(results, PUBLISHED / results.name)
            continue
        if not (results / "summary.json").exists():
            print(f"{results}: no summary.json; give the folder of a study that has run to its end", file=sys.stderr)
            return 2
        copy(results)
    wanted = written_pages()
    if arguments.check:
        old = [
            path for path, text in wanted.items() if not (path.exists() and path.read_text(encoding="utf-8") == text)
        ]
        complaints = [
            f"{path} does not show the published numbers; run python -m workflows.scripts.publish" for path in old
        ]
        complaints += page_tables.missing_sentences()
        for complaint in complaints:
            print(complaint, file=sys.stderr)
        return int(bool(complaints))
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(answered(main))
