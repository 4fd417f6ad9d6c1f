"""The table of times of single samples in the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from workflows.diagnostics.tables import read
from workflows.models.registry import sections_by_part
from workflows.models.section import Section
from workflows.report.tables import power_of_ten

WORDS = {"round_trip_time": "round trip", "tau_int_e": "τ of e", "tau_int_q2": "τ of q²", "tau_int_m": "τ of m"}
NAMED = 5  # slowest samples of each size and time


def named(rows: pd.DataFrame) -> str:
    """The slowest samples by id with their times; of a lower bound with a sign."""
    slowest = rows.sort_values("value", ascending=False, kind="stable").head(NAMED)
    return ", ".join(
        f"{row.sample} ({'> ' if row.lower_bound else ''}{power_of_ten(row.value)})" for row in slowest.itertuples()
    )


def sample_times(study: dict[str, Any], section: Section, paths: list[Path]) -> dict[str, Any] | None:
    """Quantiles over samples, and the slowest samples, of each part and size of a section."""
    parts = {part for part, one in sections_by_part(study).items() if one == section}
    mine = [path for path in paths if path.parent.name in parts]
    if not mine:
        return None
    quantiles = read([path for path in mine if path.stem.endswith("_quantiles")]).set_index("quantile")
    rows = []
    for (part, size, time), slowest in read([path for path in mine if "_quantiles" not in path.stem]).groupby(
        ["part", "L", "quantity"], sort=False
    ):
        one = quantiles.query("part == @part and L == @size and quantity == @time")["value"]
        most = slowest["bin_in_times"].min()
        rows.append([part, size, WORDS[time], *map(power_of_ten, (one[0.5], one[0.95], most)), named(slowest)])
    return {
        "caption": f"Times of single samples in sweeps, from the last bin: median and 95 % quantile over samples, the length of the last bin "
        f"in units of the longest time, and the {NAMED} slowest samples by id with their times. Times of so few sets are noisy.",
        "head": ["part", "L", "time", "median", "95 %", "last bin / longest", "slowest samples"],
        "text": ["part", "time", "slowest samples"],
        "rows": rows,
    }
