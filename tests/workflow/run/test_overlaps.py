"""The distribution of the overlap: tables of every size and a figure of every part that counts it, never by a new simulation."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from conftest import Workspace, study_of
from workflows.methods.tempering.overlaps import draw
from workflows.tables.table import read

STUDY = study_of(
    "Overlaps",
    {"name": "glass", "model": "ea3d", "L": [4, 6], "T": [0.9, 1.1, 1.4], "link_overlap_slots": {6: [0]}},
    {"name": "ferromagnet", "model": "ising2d", "L": [4], "T": [2.0, 2.3]},
    method="tempering",
    samples=128,
    sweeps=640,
)
SIMULATIONS = {"temper", "simulate"}


def test_tables_of_overlaps_are_made_from_the_shards_that_are_there(workspace: Workspace) -> None:
    workspace.write_study(STUDY)
    workspace.run("overlaps")
    results = workspace.results("overlaps")
    tables = sorted((results / "tables").rglob("overlaps_L*.csv"))
    assert [path.relative_to(results / "tables").as_posix() for path in tables] == [
        "glass/overlaps_L4.csv",
        "glass/overlaps_L6.csv",
    ]
    observables = pd.read_csv(results / "tables" / "glass" / "L6.csv")
    rows = read(tables[1])
    assert list(rows.groupby("slot")["q_link"].count() > 30) == [True, False, False], "the slot of the study file"
    same = observables[observables["observable"].str.startswith("P_q_")].dropna(subset=["value"])
    assert np.allclose(rows["P"], same["value"], rtol=1e-8, atol=1e-12), "slots and bins in the same order"
    assert np.allclose(rows["P_error"], same["error"], rtol=1e-8, atol=1e-12)
    assert list(rows["equilibrated"].isna()) == list(same["equilibrated"].isna())
    assert (results / "plots" / "glass_overlaps.svg").exists()
    assert "Distribution of the overlap, part “glass”" in (results / "report.html").read_text(encoding="utf-8")

    for path in [*tables, results / "plots" / "glass_overlaps.svg"]:
        path.unlink()
    assert workspace.rules("overlaps", "--dry-run") == {"overlaps", "plot_overlaps", "report"}
    for shard in (results / "shards").glob("*_L6_*/*.h5"):
        shard.unlink()
    planned = workspace.jobs("overlaps", "--dry-run")
    assert {job.rule for job in planned} == {"overlaps", "plot_overlaps", "plot_sample_times", "report"}
    assert [Path(job.output).name for job in planned if job.rule == "overlaps"] == ["overlaps_L4.csv"]
    workspace.run("overlaps")
    for shard in (results / "shards").rglob("*.h5"):
        shard.unlink()
    assert not workspace.rules("overlaps", "--dry-run") & {*SIMULATIONS, "overlaps"}


def overlaps(size: int, t: float, equilibrated: bool | None) -> pd.DataFrame:
    q = (2 * np.arange(63) + 1) / 63 - 1
    table = pd.DataFrame({"model": "ea3d", "h": 0, "p": 0.5, "L": size, "T": t, "q": q, "P": 0.5, "P_error": 0.1})
    table["q_link"] = np.where(size == 8, 0.5, np.nan)
    table["q_link_error"] = 0.01
    table["equilibrated"] = pd.Series([equilibrated] * 63, dtype="boolean")
    return table


def labels(axes: plt.Axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_slot_that_is_not_in_equilibrium_is_drawn_grey_and_says_so() -> None:
    verdicts = [(4, 0.9, True), (4, 1.1, True), (4, 1.4, True), (8, 0.9, False), (8, 1.12, None), (8, 1.4, True)]
    figure = draw(pd.concat([overlaps(*slot) for slot in verdicts], ignore_index=True))
    cold, critical, link = figure.axes
    assert labels(cold) == ["$L=4$, $T=0.9$", "$L=8$, $T=0.9$, not in equilibrium"]
    assert labels(critical) == ["$L=4$, $T=1.1$", "$L=8$, $T=1.12$, equilibrium not tested"]
    assert labels(link) == ["$L=8$, $T=0.9$, not in equilibrium"]
    assert critical.get_title() == "near $T_c$"
    settled, unsettled = (container[0] for container in cold.containers)
    assert unsettled.get_markerfacecolor() == "white" and unsettled.get_color() == "0.6"
    assert settled.get_markerfacecolor() != "white"
    plt.close(figure)


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_the_middle_slot_is_drawn_where_no_transition_is_known(p: float) -> None:
    slots = [overlaps(4, t, True).assign(p=p, h=0 if p < 0.5 else 1) for t in (0.9, 1.1, 1.4)]
    figure = draw(pd.concat(slots, ignore_index=True))
    assert [axes.get_title() for axes in figure.axes] == ["coldest slots", "middle slots"]
    plt.close(figure)
