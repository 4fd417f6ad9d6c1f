"""Speed of the runs of a study compared with that of the benchmark on the same kind of GPU."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from workflows.report.markdown import lines
from workflows.tables.notation import seconds

SECTION = """
## Speed

By the timers of the jobs, start and measurements included, compared with the benchmark of four replicas at the same size by the same version of psflip ([benchmark](../benchmark/README.md)), whose runs are longer. The jobs shared a lock (`psflip --gpu-lock`): a GPU worked for one job at a time
while its timer ran. Runs whose jobs did not are left out.

| L | files | flips | seconds | ps/flip | benchmark | benchmark / run |
|---|---|---|---|---|---|---|
{rows}
"""

NO_TURNS = """
Several jobs may have been at work on one GPU at a time, so what their clocks add up to in [provenance.csv](tables/provenance.csv) is no time of a GPU.
"""


def benchmarked(folder: Path, device: str) -> dict[tuple[str, str, int], float]:
    """ps/flip of relaxation of ea3d by version, random mode and L in the files of `psflip bench` for the device; of several
    the fastest. Files of other programs, which are no lists, are left out. Jobs of 0.2 and before name no method."""
    contents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    found: dict[tuple[str, str, int], float] = {}
    for job in (job for content in contents if isinstance(content, list) for job in content):
        if (job["device"], job["model"], job.get("method", "relaxation")) == (device, "ea3d", "relaxation"):
            key = job["code_version"], job["mode"], job["L"]
            found[key] = min(found.get(key, np.inf), job["ps_per_flip"])
    return found


def speeds(origin: pd.DataFrame, folder: Path) -> pd.DataFrame:
    """One row for each L: shards, flips, core_seconds, ps_per_flip, and benchmark, NaN where that has not the size."""
    runs = origin[(origin["model"] == "ea3d") & (origin["turns"] == 1)].copy()
    runs["flips"] = runs["L"] ** 3.0 * runs["samples"] * runs["replicas"] * runs["sweeps"]
    known = {device: benchmarked(folder, device) for device in set(runs["device"])}
    runs["benchmark"] = [
        known[run.device].get((run.code_version, run.random, run.L), np.nan) for run in runs.itertuples()
    ]
    runs["expected"] = runs["benchmark"] * runs["flips"]
    sums = runs.groupby("L")[["shards", "flips", "core_seconds", "expected"]].sum(min_count=1)
    known_sizes = runs.groupby("L")["benchmark"].apply(lambda column: column.notna().all())
    sums["ps_per_flip"] = 1e12 * sums["core_seconds"] / sums["flips"]
    sums["benchmark"] = (sums["expected"] / sums["flips"]).where(known_sizes)
    return sums.drop(columns="expected").reset_index()


def speed_rows(table: pd.DataFrame) -> list[list[object]]:
    """Of every size, and of all that the benchmark has too."""

    def cells(label: str, row: pd.Series) -> list[object]:
        known = np.isfinite(row["benchmark"])
        compared = [f"{row['benchmark']:.3g}", f"{row['benchmark'] / row['ps_per_flip']:.0%}"] if known else ["", ""]
        cost = [f"{row['flips']:.2g}", seconds(row["core_seconds"]), f"{row['ps_per_flip']:.3g}"]
        return [label, int(row["shards"]), *cost, *compared]

    rows = [cells(f"{row['L']:.0f}", row) for _, row in table.iterrows()]
    both = table[table["benchmark"].notna()]
    if len(both) > 1:
        total = both[["shards", "flips", "core_seconds"]].sum()
        total["ps_per_flip"] = 1e12 * total["core_seconds"] / total["flips"]
        total["benchmark"] = (both["benchmark"] * both["flips"]).sum() / total["flips"]
        rows.append(cells("all that the benchmark has", total))
    return rows


def speed_section(origin: pd.DataFrame, folder: Path) -> str:
    """A table, or why there is none."""
    if "turns" not in origin or not (origin["turns"] == 1).any():
        return NO_TURNS
    return SECTION.format(rows=lines(speed_rows(speeds(origin, folder))))
