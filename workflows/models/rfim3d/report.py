"""The section of the report about the random-field Ising model."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from workflows.methods.tempering.grids import lowest_rates
from workflows.models.rfim3d.drift import assumption
from workflows.models.section import Section
from workflows.report.tables import Extrapolation, crossing_table, power_of_ten
from workflows.tables.notation import with_error
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import select, sizes

VERDICTS = {True: "passed", False: "not passed"}


def extrapolation(h: float) -> Extrapolation:
    """The words of the caption of the crossings."""
    no_limit = "; the value of U₄ has no limit that could be quoted" if h else ""
    curves = "cubics with the values and slopes of the slots at the ends of the window"
    return Extrapolation(curves, assumption(h).words, assumption(h).alternatives + no_limit)


def grid_table(grids: pd.DataFrame) -> dict[str, Any] | None:
    if not len(grids):
        return None
    rows = []
    for row in lowest_rates(grids).to_dict("records"):
        names = ("sparse", "uniform", "insert", "equal-rates")
        span = f"{row['from']:.4g} – {row['to']:.4g}"
        rates = [f"{row[name]:.3f} ({row[f'{name}_slots']:.0f})" for name in names]
        rows.append([row["L"], span, *rates, "–" if math.isnan(row["needed"]) else f"{row['needed']:.0f}"])
    return {
        "caption": "Lowest exchange rate between neighbouring slots in the last adaptation run, and the number of slots in brackets: slots at "
        "equal distances, few and as many as in the adapted grids; slots inserted where rates are lowest; slots moved to equal rates. Last: how many equally spaced slots "
        "would have the lowest rate of equal rates, rates being erfc of the distance.",
        "head": [
            "L",
            "T",
            "equally spaced",
            "equally spaced, more",
            "inserted midpoints",
            "equal rates",
            "equally spaced for that",
        ],
        "rows": rows,
    }


def slot_table(table: pd.DataFrame) -> dict[str, Any] | None:
    """The equilibration test of every slot, with the quantities that it uses."""
    rows = []
    for size in sizes(table):
        mine = select(table, L=size)
        for t, slot in mine.groupby("T"):
            now = slot.set_index("observable")
            rate = (
                with_error(now["value"]["exchange_rate"], now["error"]["exchange_rate"])
                if "exchange_rate" in now.index
                else "–"
            )
            passed = [VERDICTS.get(now["equilibrated"][name], "open") for name in ("U4", "chi_con")]
            times = [power_of_ten(now["value"][name]) for name in ("tau_int_e", "tau_int_m", "tau_int_m2")]
            trip = power_of_ten(now["value"]["round_trip_time"]) if "round_trip_time" in now.index else ""
            flow = f"{now['value']['flow_fraction']:.3g}" if "flow_fraction" in now.index else "–"
            rows.append([size, f"{t:.5g}", *passed, *times, rate, trip, flow])
    return {
        "caption": "Temperature slots: equilibration test of energies and even moments of m (U₄, ξ/L) and of quantities that depend on "
        "the magnetization state (χ_con, χ_dis); integrated autocorrelation times of e, m and m² and the mean time "
        "of a round trip between the coldest and the hottest slot (all in sweeps), exchange rate with the next hotter slot, replica-flow fraction f.",
        "head": [
            "L",
            "T",
            "even moments",
            "first powers",
            "τ of e",
            "τ of m",
            "τ of m²",
            "exchange rate",
            "round trip",
            "f",
        ],
        "text": ["even moments", "first powers"],
        "rows": rows,
    }


def content(tables: StudyTables, section: Section) -> dict[str, Any]:
    """Content of the template report.html.j2 of this model."""
    grids, h = tables.grids, float(tables.study["parts"][0]["h"])
    return {
        "h": f"{h:g}",
        "in_field": bool(h),
        "tempered": crossing_table(tables, extrapolation(h)),
        "grids": grid_table(grids),
        "slots": slot_table(tables.observables),
    }
