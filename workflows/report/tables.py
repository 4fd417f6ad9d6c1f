"""The tables of the report that all models share, as captions, heads and rows of text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from workflows.tables.notation import seconds, with_error
from workflows.tables.table import known

Table = dict[str, Any]


@dataclass(frozen=True)
class Extrapolation:
    """How crossings of a model are found and extrapolated, in the words of the caption."""

    curves: str  # the curves whose crossings are taken
    exponents: str  # with which the limit L -> infinity is taken
    alternatives: str  # exponents whose spread is the systematic error


def crossing_table(crossings: pd.DataFrame, how: Extrapolation) -> Table | None:
    """One row for each pair of sizes and for the limit; None without crossings."""
    if not len(crossings):
        return None
    symbols = {"U4": "U₄", "xi_over_L": "ξ/L"}
    rows = []
    for row in crossings.itertuples():
        infinite = not np.isfinite(row.L2)
        pair = "L → ∞" if infinite else f"{row.L1:.0f}, {row.L2:.0f}"
        quality = "–" if math.isnan(row.chi2_dof) else f"{row.chi2_dof:.2f}"
        window = f"{row.T_min:.6g} – {row.T_max:.6g}"
        crossing = [
            with_error(row.T_crossing, row.error, known(row.error_systematic)),
            with_error(row.value, row.value_error, known(row.value_error_systematic)),
        ]
        passed = {1: "yes", 0: "no"}.get(row.equilibrated, "–")
        rows.append([symbols[row.observable], pair, *crossing, quality, window, passed])
    return {
        "caption": f"Crossings of pairs of sizes: {how.curves}, and the extrapolation "
        f"T* = T_c + A f L^−(ω + 1/ν), f = (1 − s^−ω)/(s^(1/ν) − 1) for sizes L and sL, with {how.exponents}; "
        f"of equilibrated pairs only, where there are two. Second bracket: half the spread over {how.alternatives}.",
        "head": ["coupling", "L", "T*", "value at T*", "χ²/dof", "window in T", "equilibrated"],
        "text": ["coupling", "L", "equilibrated"],
        "rows": rows,
    }


def sweeps_of(row: pd.Series) -> str:
    longer = f" ({row['longer_samples']} samples {row['longer_times']} times as many)"
    return f"{row['sweeps']}{longer if row['longer_samples'] else ''}"


def costs(origin: pd.DataFrame) -> Table:
    """The cost of each part and size."""
    rows = []
    for (part, size), mine in origin.groupby(["part", "L"], sort=False):
        first = mine.iloc[0]
        samples = str(first["samples"])
        speed = f"{mine['ps_per_flip'].median():.3g}"
        who = [
            part,
            first["model"],
            size,
            mine["temperatures"].sum(),
            samples,
            first["replicas"],
            sweeps_of(first),
            first["random"],
        ]
        rows.append([*who, speed, seconds(mine["core_seconds"].sum())])
    return {
        "caption": "Simulations. ps/flip: picoseconds for one attempted spin flip on one core, measurements included, median over "
        "temperatures; core time summed over temperatures.",
        "head": [
            "part",
            "model",
            "L",
            "temperatures",
            "samples",
            "replicas",
            "sweeps",
            "random numbers",
            "ps/flip",
            "core time",
        ],
        "text": ["part", "model", "random numbers"],
        "rows": rows,
    }


def listed(column: pd.Series) -> str:
    """Every value once."""
    return " / ".join(sorted({value for cell in column.astype(str) for value in cell.split(" / ")}))


def provenance(origin: pd.DataFrame) -> dict[str, Any]:
    commits = listed(origin["git_commit"]).split(" / ")
    modified = (
        " The working tree held changes that were not committed." if any("dirty" in name for name in commits) else ""
    )
    total = seconds(origin["core_seconds"].sum())
    machine = f"{listed(origin['device'])} ({listed(origin['instruction_set'])}, backend {listed(origin['backend'])})"
    versions = f"{listed(origin['code_version'])}, commit {' / '.join(commits)}"
    return {
        "samples": int(origin["samples"].sum()),
        "shards": int(origin["shards"].sum()),
        "last": str(origin["last"].max())[:10],
        "versions": versions,
        "commit": commits[-1].removesuffix("-dirty"),
        "sentence": f"Simulated on {machine} in {total} of core time by psflip {versions}, stream version "
        f"{listed(origin['stream_version'])} of the randomness contract.{modified}",
    }
