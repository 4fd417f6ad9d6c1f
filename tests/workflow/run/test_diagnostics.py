"""Tables and figures of the runs of exchange Monte Carlo: made for studies that were tempered before, without a simulation."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from conftest import ROOT, Workspace

TABLES = {"specific_heat", "log_bins", "sample_times"}
FIGURES = {"plot_specific_heat", "plot_equilibration", "plot_sample_times"}


def remove_diagnostics(workspace: Workspace) -> None:
    """The study as a version without these files left it."""
    for pattern in ("tables/*/specific_heat_*", "tables/*/log_bins_*", "tables/*/sample_times_*"):
        for path in workspace.results().glob(pattern):
            path.unlink()
    for name in ("specific_heat", "equilibration", "sample_times"):
        (workspace.results() / "plots" / f"rfim3d_{name}.svg").unlink()


def test_a_study_that_was_tempered_before_runs_the_new_jobs_alone(finished: Workspace) -> None:
    remove_diagnostics(finished)
    jobs = finished.jobs()
    assert {job.rule for job in jobs} == TABLES | FIGURES | {"report"}
    assert len(jobs) == 3 * 2 + 3 + 1
    report = (finished.results() / "report.html").read_text()
    assert all(f'data-name="rfim3d_{name}"' in report for name in ("specific_heat", "equilibration", "sample_times"))
    slowest = pd.read_csv(finished.results() / "tables" / "field" / "sample_times_L6.csv").query(
        "quantity == 'tau_int_m'"
    )
    assert f">{slowest['sample'].iloc[0]} ({slowest['value'].iloc[0]:.3g}), {slowest['sample'].iloc[1]} (" in report


def test_a_study_of_which_only_sums_are_kept_simulates_nothing_and_has_no_times_of_samples(finished: Workspace) -> None:
    remove_diagnostics(finished)
    shutil.rmtree(finished.results() / "shards")
    rules = finished.rules()
    assert rules == (TABLES | FIGURES | {"report"}) - {"sample_times", "plot_sample_times"}
    report = (finished.results() / "report.html").read_text()
    assert 'data-name="rfim3d_equilibration"' in report and "rfim3d_sample_times" not in report


def test_the_tables_hold_every_slot_bin_and_sample(finished: Workspace) -> None:
    folder = finished.results() / "tables" / "field"
    observables = pd.read_csv(folder / "L6.csv")
    variance = observables[observables["observable"] == "C"].reset_index()
    heat = pd.read_csv(folder / "specific_heat_L6.csv")
    for column in ("T", "value", "error"):
        assert list(heat[heat["observable"] == "C"][column]) == list(variance[column])
    bins = pd.read_csv(folder / "log_bins_L6.csv")
    assert set(bins["observable"]) == {"e", "m2"} and bins["t_to"].max() == 3200
    assert len(bins) == 2 * 6 * len(variance)
    last = bins[(bins["observable"] == "e") & (bins["t_to"] == 3200)]
    assert list(last["value"]) == list(observables[observables["observable"] == "e"]["value"])
    assert (last["difference"] == 0).all()
    histogram = pd.read_csv(folder / "sample_times_L6_histogram.csv")
    assert dict(histogram.groupby("quantity")["samples"].sum()) == dict.fromkeys(
        ("round_trip_time", "tau_int_e", "tau_int_m"), 256
    )
    slowest = pd.read_csv(folder / "sample_times_L6.csv")
    assert dict(slowest["quantity"].value_counts()) == dict.fromkeys(histogram["quantity"].unique(), 20)
    times = slowest[slowest["quantity"] == "tau_int_m"]
    assert times["value"].is_monotonic_decreasing
    assert set(times["bin_sweeps"]) <= {1600, 6400} and 6400 in set(times["bin_sweeps"]), "samples that were extended"


@pytest.mark.parametrize(
    ("module", "pattern"),
    [
        ("specific_heat", "specific_heat_L*.csv"),
        ("equilibration", "log_bins_L*.csv"),
        ("sample_times", "sample_times_L*_histogram.csv"),
    ],
)
def test_parts_of_one_size_are_drawn_next_to_each_other(
    module: str, pattern: str, finished: Workspace, tmp_path: Path
) -> None:
    field = finished.results() / "tables" / "field"
    shutil.copytree(field, field.parent / "range")
    paths = [path for part in ("field", "range") for path in sorted((field.parent / part).glob(pattern))]
    assert len(paths) == 4
    command = [sys.executable, "-m", f"workflows.diagnostics.{module}", *map(str, paths), "--prefix", "rfim3d"]
    subprocess.run([*command, "--output", str(tmp_path)], cwd=ROOT, check=True)
    svg = (tmp_path / f"rfim3d_{module}.svg").read_text()
    assert re.search("<svg", svg) and len(svg) > 10_000


def test_published_pages_link_the_figures_that_are_there(finished: Workspace) -> None:
    shutil.copytree(finished.results(), finished.results("rfim3d"))
    shutil.copy2(ROOT / "README.md", finished.folder / "README.md")
    command = [sys.executable, "-m", "workflows.scripts.publish", "results/rfim3d"]
    subprocess.run(command, cwd=finished.folder, check=True)
    published = finished.folder / "results" / "published" / "rfim3d"
    page = (published / "README.md").read_text()
    for name in ("specific_heat", "equilibration", "sample_times"):
        assert f"[{name.replace('_', ' ')}](rfim3d_{name}.svg)" in page and (published / f"rfim3d_{name}.svg").exists()
    assert (published / "tables" / "field" / "sample_times_L6.csv").exists()
