"""Grids of temperatures as `psflip MODEL adapt` wrote them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pandas as pd
from scipy.special import erfcinv

METHODS = {"insert": "inserted midpoints", "equal-rates": "equal rates"}


def read_grids(paths: list[Path]) -> pd.DataFrame:
    """One pair of neighbouring slots of one adaptation run a row; the last run of a grid is the grid itself. Names of files
    begin with the model; `grid` is the name without .json."""
    columns = ["grid", "model", "L", "h", "from", "to", "method", "trial", "last", "slots", "T", "T_next", "rate"]
    rows = []
    for path in paths:
        grid = json.loads(path.read_text(encoding="utf-8"))
        for number, trial in enumerate(grid["trials"]):
            temperatures, last = trial["temperatures"], number + 1 == len(grid["trials"])
            for low, high, rate in zip(temperatures, temperatures[1:], trial["rates"]):
                ends = [temperatures[0], temperatures[-1]]
                place = [
                    path.stem,
                    path.name.split("_")[0],
                    grid["L"],
                    grid["h"],
                    *ends,
                    grid["method"],
                    number,
                    last,
                    len(temperatures),
                ]
                rows.append([*place, low, high, rate])
    return pd.DataFrame(rows, columns=columns)


def slots_needed(rate: float, slots: int, wanted: float) -> float:
    """Equally spaced slots for which the lowest rate is the wanted one, from the lowest rate of so many: a rate is erfc(l), l
    proportional to the distance of the slots (docs/rfim3d.md); NaN where nothing was exchanged at all."""
    if not (0 < rate < 1 and 0 < wanted < 1):
        return math.nan
    return 1 + math.ceil((slots - 1) * erfcinv(rate) / erfcinv(wanted))


def lowest_rates(grids: pd.DataFrame) -> pd.DataFrame:
    """For each L and range of temperatures the lowest exchange rate: few equally spaced slots, as many as in the end, both
    adapted grids."""
    rows = []
    for (size, low, high), mine in grids.groupby(["L", "from", "to"]):
        insert, equal = mine[mine["method"] == "insert"], mine[mine["method"] == "equal-rates"]
        row = {"L": size, "h": mine["h"].iloc[0], "from": low, "to": high}
        for name, trial in (
            ("sparse", insert[insert["trial"] == 0]),
            ("uniform", equal[equal["trial"] == 0]),
            ("insert", insert[insert["last"]]),
            ("equal-rates", equal[equal["last"]]),
        ):
            row |= {f"{name}_slots": trial["slots"].iloc[0], name: trial["rate"].min()}
        row["needed"] = slots_needed(row["uniform"], row["uniform_slots"], row["equal-rates"])
        rows.append(row)
    return pd.DataFrame(rows)


def widest(grids: pd.DataFrame) -> pd.DataFrame:
    """The grids of the largest size over its widest range of temperatures."""
    largest = grids[grids["L"] == grids["L"].max()]
    width = largest["to"] - largest["from"]
    return largest[width == width.max()]
