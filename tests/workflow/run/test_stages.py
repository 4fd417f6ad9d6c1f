"""Each stage depends on its own sources: what runs again after a change of one file."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import BUILD, ROOT, Workspace
from workflows.study.identity import analysis_sources

STAGES = (
    "reduce",
    "combine",
    "overlaps",
    "crossing",
    "critical",
    "dynamics",
    "specific_heat",
    "log_bins",
    "sample_times",
)
END = {"summarize", "report"}
FIGURES = {"plot_ising2d", "plot_ea3d", "plot_rfim3d"}
# Of the runs of exchange Monte Carlo, from sums and from measurements.
OF_SUMS = {"specific_heat", "log_bins", "plot_specific_heat", "plot_equilibration"}
OF_SAMPLES = {"sample_times", "plot_sample_times"}
OF_RUNS = OF_SUMS | OF_SAMPLES
SECOND = {"combine", "tabulate", "crossing", "dynamics", *FIGURES, *END}

# No stage runs these: other commands, what they alone use, and the list of all commands.
NO_STAGE = {
    *(f"analysis/app/{name}.cpp" for name in ("main", "compare_command", "info_command", "interpolate_command", "join_blocks_command", "observables_command", "series_command")),
    *(f"analysis/{name}" for name in ("crossing/agreement", "dynamics/series", "ensemble/join_blocks", "interpolation/interpolation", "statistics/autocorrelation", "statistics/binning")),
}  # fmt: skip

CHANGES: list[tuple[str, set[str]]] = [
    ("analysis/app/reduce_command.cpp", {"reduce", "provenance", *SECOND, *OF_SUMS}),
    ("analysis/models/primaries.cpp", {"reduce", "provenance", *SECOND, *OF_SUMS}),
    ("analysis/models/quantities/replicas.cpp", {"reduce", "provenance", *SECOND, *OF_RUNS}),
    ("analysis/models/table.cpp", {"combine", "tabulate", *FIGURES, *END}),
    ("analysis/app/tables/csv.cpp", SECOND | OF_RUNS),
    ("analysis/interpolation/specific_heat.cpp", {"specific_heat", "plot_specific_heat", "report"}),
    ("analysis/ensemble/join_blocks.cpp", set()),
    ("analysis/interpolation/interpolation.cpp", set()),
    ("analysis/dynamics/sample_times.cpp", {*OF_SAMPLES, "report"}),
    ("analysis/app/tempering_commands.hpp", {*OF_RUNS, "report"}),
    ("analysis/crossing/tempered_crossing.cpp", {"crossing", "plot_ising2d", "plot_rfim3d", *END}),
    ("analysis/dynamics/dynamics.cpp", {"dynamics", "plot_ea3d", *END}),
    ("analysis/critical/joint_fit.cpp", set()),  # the study has no part for it
    ("analysis/app/main.cpp", set()),
    ("workflows/figures/style.py", {*FIGURES, *OF_RUNS, "report"} - {"specific_heat", "log_bins", "sample_times"}),
    ("workflows/diagnostics/equilibration.py", {"plot_equilibration", "report"}),
    ("workflows/diagnostics/report.html.j2", {"report"}),
    ("workflows/figures/arguments.py", {*FIGURES, "report"}),
    ("workflows/statistics/literature.py", {*FIGURES, *END}),
    ("workflows/references/literature.yaml", {*FIGURES, *END}),
    ("workflows/references/rfim3d_equilibrium.csv", END),
    ("workflows/models/ising2d/exact.py", {"plot_ising2d", *END}),
    ("workflows/models/ea3d/figures.py", {"plot_ea3d", "report"}),
    ("workflows/methods/relaxation/figures.py", {"plot_ea3d", "report"}),
    ("workflows/models/rfim3d/drift.py", {"plot_rfim3d", *END}),
    ("workflows/methods/tempering/figures.py", set()),  # the study has no part for it
    ("workflows/critical/figures.py", set()),
    ("workflows/tables/boundary.py", set()),
    ("workflows/tables/provenance.py", {"provenance", "report"}),
    ("workflows/tables/study_tables.py", END),
    ("workflows/statistics/headline.py", END),
    ("workflows/models/ising2d/summary.py", END),
    ("workflows/tables/tabulate.py", {"tabulate", *FIGURES, *END}),
    ("workflows/report/report.py", {"report"}),
    ("workflows/models/ising2d/report.py", {"report"}),
    ("workflows/methods/tempering/report.html.j2", {"report"}),
    ("CITATION.cff", {"report"}),
    ("workflows/scripts/publish.py", set()),
]


@pytest.mark.parametrize(("file", "rules"), CHANGES, ids=[file for file, _ in CHANGES])
def test_a_changed_file_runs_its_stages_and_what_follows(file: str, rules: set[str], finished: Workspace) -> None:
    path = finished.folder / file
    path.write_text(path.read_text() + "\n")
    assert finished.rules("smoke", "--dry-run") == rules


def test_a_changed_fit_of_the_transition_changes_that_stage_alone() -> None:
    using = {stage for stage in STAGES if "analysis/critical/joint_fit.cpp" in analysis_sources(stage, ROOT)}
    assert using == {"critical"}
    rules = (ROOT / "workflows" / "rules" / "analyse.smk").read_text()
    for stage in ("crossing", "critical", "dynamics"):
        body = re.split(r"^rule ", rules, flags=re.M)
        assert sum(f'analysis_fingerprint("{stage}")' in part for part in body if part.startswith(f"{stage}:")) == 1


def test_every_file_of_the_analysis_belongs_to_a_stage() -> None:
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "analysis").rglob("*.[hc]pp")}
    used = set[str]().union(*(analysis_sources(stage, ROOT) for stage in STAGES))
    assert {name for name in files - used if name not in NO_STAGE and name.rpartition(".")[0] not in NO_STAGE} == set()


def symbols(kind: str, file: Path) -> set[str]:
    """The symbols that an object defines (T, D, B or R) or needs (U)."""
    text = subprocess.run(["nm", file], capture_output=True, text=True, check=True).stdout
    return set(re.findall(rf" [{kind}] (\S+)$", text, re.M))


def test_the_sources_of_a_stage_are_all_that_it_links() -> None:
    """What an object of the stage needs from analysis/ is defined by an object of the stage."""
    objects = {}
    for path in (BUILD / "analysis").rglob("*.o"):
        folder, _, rest = str(path.relative_to(BUILD)).partition("/CMakeFiles/")
        objects[f"{folder}/{rest.partition('/')[2].removesuffix('.o')}"] = path
    sources = {str(path.relative_to(ROOT)) for path in (ROOT / "analysis").rglob("*.cpp")}
    if not shutil.which("nm") or not sources <= objects.keys():
        pytest.skip("the objects of psflip-analysis are not built, or nm is missing")
    defined = {name: symbols("TDBR", objects[name]) for name in sources}
    needed = {name: symbols("U", objects[name]) for name in sources}
    for stage in STAGES:
        mine = analysis_sources(stage, ROOT) & sources
        wanted = set[str]().union(*(needed[name] for name in mine))
        for other in sources - mine:
            assert not wanted & defined[other], f"{stage} links {other}"
