"""The section of the report about exchange Monte Carlo of any model."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from workflows.methods.tempering import figures
from workflows.methods.tempering.histogram import coldest, densities
from workflows.methods.tempering.published import page
from workflows.methods.tempering.report import slot_table, without_round_trips


def slots(size: int, trip: float | None) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [{"L": size, "T": t, "observable": "e", "value": -1.5} for t in (0.9, 1.1)]
    return rows + ([{"L": size, "T": 0.9, "observable": "round_trip_time", "value": trip}] if trip else [])


def test_sizes_without_a_round_trip_are_named() -> None:
    table = pd.DataFrame(slots(4, 120.0) + slots(6, float("inf")) + slots(8, None))
    assert without_round_trips(table) == [6, 8]
    assert coldest(table, 6) == 0.9


def test_the_table_of_slots_has_the_flow_of_each_slot_that_has_one() -> None:
    rows = [{"L": L, "T": t, "observable": "U4", "value": 1.5, "equilibrated": 1} for L in (4, 6) for t in (0.9, 1.1)]
    rows += [{"L": 4, "T": t, "observable": "flow_fraction", "value": f} for t, f in ((0.9, 1.0), (1.1, 0.625))]
    table = slot_table(pd.DataFrame(rows), "q2")
    assert table is not None and table["head"][-1] == "f"
    assert [row[-1] for row in table["rows"]] == ["1", "0.625", "–", "–"]


@pytest.mark.parametrize("names", [[], ["flow_fraction"], ["P_q_0"], ["flow_fraction", "P_q_0"]])
def test_the_figure_of_slots_has_a_panel_for_each_quantity_of_the_table(
    names: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = [
        {"L": 4, "T": t, "observable": name, "value": 0.5, "error": 0.1, "equilibrated": 1}
        for t in (0.9, 1.1)
        for name in ["exchange_rate", "tau_int_e", *names]
    ]
    saved: list[Figure] = []
    monkeypatch.setattr(figures.Output, "save", lambda _, figure, name: saved.append(figure))
    figures.plot_slots(pd.DataFrame(rows), figures.Output(tmp_path, "glass"))
    labels = [axes.get_ylabel() for axes in saved[0].axes]
    assert len(labels) == 2 + len(names)
    assert ("replica-flow fraction $f$" in labels) == ("flow_fraction" in names)
    assert ("$P(q)$ at the coldest slot" in labels) == ("P_q_0" in names)


def test_the_bins_of_the_histogram_have_their_centres() -> None:
    rows = [{"observable": f"P_q_{i}", "value": 0.5} for i in (4, 0, 2, 1, 3)] + [{"observable": "e", "value": -1.0}]
    found = densities(pd.DataFrame(rows))
    assert list(found["q"]) == pytest.approx([-0.8, -0.4, 0.0, 0.4, 0.8])


def test_a_published_page_names_where_it_was_made_and_the_slots_that_failed(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "study.json").write_text(json.dumps({"name": "glass", "title": "Glass", "parts": []}))
    (tmp_path / "glass_slots.svg").write_text("<svg/>")
    verdicts = "part,L,slots,T_min,T_max,passed_even,passed_first_powers,even_fails_at\nall,8,4,0.7,1.6,3,0,0.7-0.8\n"
    (tmp_path / "tables" / "verdicts.csv").write_text(verdicts)
    origin = "backend,device,git_commit,core_seconds\ncpu,CPU,1234567890,60\n"
    (tmp_path / "tables" / "provenance.csv").write_text(origin)
    text = page(tmp_path, "| numbers |")
    assert text.startswith("# Glass\n") and "Simulated on CPU, sources 1234567, in " in text
    assert "| all | 8 | 4 | 0.7 to 1.6 | 3 | 0.7–0.8 |" in text
    assert "| numbers |" in text and "![glass slots](glass_slots.svg)" in text
