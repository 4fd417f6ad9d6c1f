"""The section of the report about exchange Monte Carlo of a model without a section of its own."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workflows.methods.equilibrium.report import extrapolation
from workflows.methods.tempering.histogram import coldest
from workflows.models.section import Section
from workflows.report.size_limit import limit_table
from workflows.report.system import described
from workflows.report.tables import crossing_table, power_of_ten
from workflows.study.presets import presets
from workflows.tables.notation import with_error
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select, sizes

FLOW = (
    "The replica-flow fraction f is the part of the configurations in a slot that visited the coldest slot last, of both ends. It "
    "falls from 1 to 0, most where configurations move slowest between temperatures; round trips are fastest where it falls by equal "
    "steps from slot to slot."
)
VERDICTS = {True: "passed", False: "not passed"}


def slot_table(table: pd.DataFrame, order: str) -> dict[str, Any] | None:
    """The equilibration test of every slot, with the quantities that it uses; `order` is the square of the order parameter."""
    rows = []
    for size in sizes(table):
        for t, slot in select(table, L=size).groupby("T"):
            now = slot.set_index("observable")

            def cell(name: str, now: pd.DataFrame = now) -> str:
                return power_of_ten(now["value"][name]) if name in now.index else "–"

            has_rate = "exchange_rate" in now.index
            rate = with_error(now["value"]["exchange_rate"], now["error"]["exchange_rate"]) if has_rate else "–"
            passed = VERDICTS.get(now["equilibrated"]["U4"], "open")
            times = [cell("tau_int_e"), cell(f"tau_int_{order}")]
            rows.append([size, f"{t:.5g}", passed, *times, rate, cell("round_trip_time"), cell("flow_fraction")])
    return {
        "caption": "Temperature slots: equilibration test, integrated autocorrelation times of e and of the square of the order "
        "parameter and the mean time of a round trip between the coldest and the hottest slot (all in sweeps), exchange rate "
        "with the next hotter slot, replica-flow fraction f.",
        "head": ["L", "T", "test", "τ of e", f"τ of {order[0]}²", "exchange rate", "round trip", "f"],
        "text": ["test"],
        "rows": rows,
    }


def without_round_trips(table: pd.DataFrame) -> list[int]:
    """Sizes of which no configuration went from the coldest slot to the hottest and back."""
    found = []
    for size in sizes(table):
        trips = select(table, L=size, T=coldest(table, size), observable="round_trip_time")["value"]
        if not (len(trips) and trips.max() < float("inf")):
            found.append(size)
    return found


def content(tables: StudyTables, section: Section) -> dict[str, Any]:
    """Content of the template report.html.j2 of this method."""
    parts, table = tables.study["parts"], tables.observables
    verdict = select(table, observable="U4")["equilibrated"].fillna(False).astype(bool)
    trapped = ", ".join(map(str, without_round_trips(table)))
    found = {
        "crossings": crossing_table(tables, extrapolation(parts)),
        "limits": limit_table(tables.observables, section.model) if section.published else None,
        "passed": f"{int(verdict.sum())} of {len(verdict)} slots (L, T) passed the equilibration test.",
        "warning": f"No configuration made a round trip at L = {trapped}: the sets of replicas may have been trapped in the same "
        "states, which the test cannot see; run longer, or with more slots."
        if trapped
        else "",
        "flow": FLOW if len(select(table, observable="flow_fraction")) else "",
        "slots": slot_table(table, "q2" if presets()[section.model].has_random_bonds else "m2"),
    }
    return described(parts, section) | found
