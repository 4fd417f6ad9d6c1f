"""Takes a finished study into the repository: results/published/<study>/, and the results in the README.

python -m workflows.scripts.publish results/demo results/rfim3d   copies summaries, figures and small tables, writes the README
python -m workflows.scripts.publish results/benchmark             figures and tables of a benchmark, next to the files they are made from
python -m workflows.scripts.publish --check                       fails when the README does not show the content of results/published/
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from workflows.critical.published import headlines, sharing, transition_page
from workflows.methods.tempering.published import page as tempering_page
from workflows.models.rfim3d.published import page as rfim3d_page
from workflows.report.markdown import distinct
from workflows.tables.notation import signed, with_error

README = Path("README.md")
BEGIN, END = "<!-- results: written by workflows/scripts/publish.py -->", "<!-- end of results -->"
PUBLISHED = Path("results/published")

# Of the demo, which everybody runs, the figures of the README alone.
FIGURES = {"demo": ["ising2d_specific_heat", "ea3d_binder_of_xi"]}
TABLES = ["observables.csv", "verdicts.csv", "provenance.csv", "*/crossing_*.csv", "*/dynamics_*.csv"]
# Of a study of the transition of ea3d, whose observables at all times are too large.
TRANSITION = ["critical.csv", "clock.csv", "provenance.csv", "*/dynamics_*.csv"]

RFIM3D = """
**3D random-field Ising model, h = 1**, `./study run config/rfim3d.yaml` on {device}:
[figures and tables](results/published/rfim3d). The crossing temperature depends on L; the figure shows this dependence
and its extrapolation to infinite L with ω = 0.52 and ν = 1.38 of the zero-temperature fixed point. The second bracket
of a limit is half the spread over ω = 0.52(11), ν = 1.38(10) and the exponents of the pure model, dotted lines in the
figure. Crossings called "not in equilibrium", hollow in the figure, are not to be quoted: slots next to them failed the
test of [docs/analysis.md](docs/analysis.md). For results and cost see
[docs/rfim3d.md](docs/rfim3d.md#one-study-on-one-gpu).

![Binder ratio and correlation length near their crossings,
and the dependence of the crossings on size](results/published/rfim3d/rfim3d_crossings.svg)
"""


EQUILIBRIUM = """
**3D Edwards-Anderson model in equilibrium**, exchange Monte Carlo at small sizes, `./study run
config/ea3d_equilibrium_small.yaml` on {device}: [figures and tables](results/published/ea3d_equilibrium_small). The
references are values of the relaxation study below, with other random numbers and without exchanges.

![Exchange rates, autocorrelation times and the distribution of the overlap]({figure})
"""

EA3D = """
**3D Edwards-Anderson transition from relaxation**, `./study run config/ea3d_critical.yaml`
on {device}: [fits, figures and plan](results/published/ea3d_critical). Curves of U₄ at the
same ξ(t)/L, long before equilibrium, cross; the crossings approach β_c with growing L. All quoted fits have a correction
L^−1.12 with the exponent of Baity-Jesi et al. The second bracket is half the spread over other ω, degrees, R_ξ and
least lengths ξ. [The page](results/published/ea3d_critical/README.md) has all fits, also those without the correction,
which give other values. [docs/ea3d_critical.md](docs/ea3d_critical.md) gives the effect of the choice of fit: for β_c
about its error.

![U4 at fixed xi/L against beta, and values at fixed xi/L
in the scaling variable without their correction](results/published/ea3d_critical/critical_collapse.svg)
"""


def row(number: dict) -> str:
    exact = number["reference"] is not None and not number["reference_error"]
    reference = with_error(number["reference"], number["reference_error"])
    if exact:
        reference = f"{number['reference']:.7g}".replace("-", "−")
    value = f"{number['value']:.2g}"
    if number["error"]:
        value = with_error(number["value"], number["error"], number["error_systematic"])
    cells = [number["name"], value, reference, signed(number["pull"]), number["verdict"] or "", number["source"] or ""]
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def table(study: str, chosen: Callable[[list[dict]], list[dict]] = list) -> str:
    summary = chosen(json.loads((PUBLISHED / study / "summary.json").read_text(encoding="utf-8")))
    head = "| quantity | psflip | reference | deviation / error | verdict | source |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(row(number) for number in summary)


def devices(study: str) -> str:
    """Where its shards were made, by the column of the table of provenance."""
    origin = pd.read_csv(PUBLISHED / study / "tables" / "provenance.csv")
    return distinct(origin["device"])


def shown() -> str:
    """The text between the marks of the README."""
    parts = [table("demo")]
    if (PUBLISHED / "rfim3d" / "summary.json").exists():
        parts += [RFIM3D.format(device=devices("rfim3d")), table("rfim3d")]
    if (PUBLISHED / "ea3d_equilibrium_small" / "summary.json").exists():
        study = "ea3d_equilibrium_small"
        figure = f"results/published/{study}/ea3d_tempering_slots.svg"
        parts += [EQUILIBRIUM.format(device=devices(study), figure=figure), table(study)]
    if (PUBLISHED / "ea3d_critical" / "summary.json").exists():
        parts += [EA3D.format(device=devices("ea3d_critical")), table("ea3d_critical", headlines)]
    return "\n".join(parts)


def copy(results: Path) -> None:
    """Summary, figures, tables and a page of one study; of the demo the summary, and figures into docs/."""
    study = results.name
    target = PUBLISHED / study
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(results / "summary.json", target / "summary.json")
    if study in FIGURES:
        for name in FIGURES[study]:
            shutil.copy(results / "plots" / f"{name}.svg", Path("docs") / f"{name}.svg")
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
    if text := page_of(target):
        (target / "README.md").write_text(text, encoding="utf-8")


def page_of(target: Path) -> str | None:
    """The page of a study in its folder; none for a study without a transition or temperature slots."""
    if (target / "tables" / "critical.csv").exists():
        return transition_page(target)
    content = json.loads((target / "study.json").read_text(encoding="utf-8"))
    if any(part["model"] == "rfim3d" for part in content["parts"]):
        return rfim3d_page(target)
    has_slots = len(pd.read_csv(target / "tables" / "verdicts.csv")) > 0
    return tempering_page(target, table(target.name)) if has_slots else None


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
        if not (results / "summary.json").exists():
            print(f"{results}: no summary.json; give the folder of a study that has run to its end", file=sys.stderr)
            return 2
        copy(results)
    text = README.read_text(encoding="utf-8")
    wanted = with_results(text, shown())
    if arguments.check:
        return int(text != wanted)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
