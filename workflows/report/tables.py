"""The tables of the report that all models share, as captions, heads and rows of text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from workflows.study.presets import presets
from workflows.tables.notation import seconds, with_error
from workflows.tables.provenance import working_time
from workflows.tables.study_tables import StudyTables
from workflows.tables.table import known

Table = dict[str, Any]
SYMBOLS = {"U4": "U₄", "xi_over_L": "ξ/L"}


@dataclass(frozen=True)
class Extrapolation:
    """How crossings of a model are found and extrapolated, in the words of the caption."""

    curves: str  # the curves whose crossings are taken
    exponents: str  # with which the limit L -> infinity is taken
    alternatives: str  # exponents whose spread is the systematic error


def without_crossing(pairs: pd.DataFrame) -> str:
    """A sentence for each pair of sizes whose curves do not cross, and the remedy; nothing where all cross."""
    if not len(pairs):
        return ""
    found = []
    for (low, high, one, two), rows in pairs.groupby(["T_min", "T_max", "L1", "L2"], sort=False):
        what = " and ".join(SYMBOLS[name] for name in dict.fromkeys(rows["observable"]))
        where = f"between T = {low:.6g} and {high:.6g}"
        found.append(f"The curves of {what} of L = {one:.0f} and {two:.0f} do not cross {where}, or only by chance.")
    remedy = "To find a crossing, simulate temperatures outside this range, or more samples if the curves agree within errors."
    return " ".join([*found, remedy])


def crossing_table(tables: StudyTables, how: Extrapolation) -> Table | None:
    """One row for each pair of sizes that cross and for the limit, and a note on pairs that do not; None without pairs."""
    if not len(tables.crossings) and not len(tables.uncrossed):
        return None
    rows = []
    for row in tables.crossings.itertuples():
        infinite = not np.isfinite(row.L2)
        pair = "L → ∞" if infinite else f"{row.L1:.0f}, {row.L2:.0f}"
        quality = "–" if math.isnan(row.chi2_dof) else f"{row.chi2_dof:.2f}"
        window = f"{row.T_min:.6g} – {row.T_max:.6g}"
        crossing = [
            with_error(row.T_crossing, row.error, known(row.error_systematic)),
            with_error(row.value, row.value_error, known(row.value_error_systematic)),
        ]
        passed = {1: "yes", 0: "no"}.get(row.equilibrated, "–")
        rows.append([SYMBOLS[row.observable], pair, *crossing, quality, window, passed])
    return {
        "caption": f"Crossings of pairs of sizes: {how.curves}, and the extrapolation "
        f"T* = T_c + A f L^−(ω + 1/ν), f = (1 − s^−ω)/(s^(1/ν) − 1) for sizes L and sL, with {how.exponents}; "
        f"of equilibrated pairs only, where there are two. Second bracket: half the spread over {how.alternatives}.",
        "head": ["coupling", "L", "T*", "value at T*", "χ²/dof", "window in T", "equilibrated"],
        "text": ["coupling", "L", "equilibrated"],
        "rows": rows,
        "note": without_crossing(tables.uncrossed),
    }


def sweeps_of(row: pd.Series) -> str:
    longer = f" ({row['longer_samples']} samples {row['longer_times']} times as many)"
    return f"{row['sweeps']}{longer if row['longer_samples'] else ''}"


def power_of_ten(value: float) -> str:
    """1.99 × 10¹³; a number below a million with all its digits."""
    if not 1e6 <= value < math.inf:
        return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
    mantissa, _, exponent = f"{value:.3g}".partition("e+")
    raised = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(int(exponent)))
    return f"{mantissa} × 10{raised}"


def flips(origin: pd.DataFrame) -> pd.Series:
    """Attempted spin flips of each row: sites, temperatures, replicas, samples and sweeps; extended runs have more sweeps."""
    dimension = origin["model"].map(lambda name: presets()[name].dimension)
    samples = origin["samples"] + origin["longer_samples"] * (origin["longer_times"] - 1)
    each = origin["temperatures"] * origin["replicas"] * origin["sweeps"]
    return origin["L"].astype(float) ** dimension * each * samples


def runs_once(origin: pd.DataFrame) -> pd.DataFrame:
    """Without the rows of runs that another part has too."""
    return origin.drop_duplicates([name for name in origin.columns if name != "part"])


def costs(origin: pd.DataFrame) -> Table:
    """The cost of each part and size."""
    rows = []
    for (part, size), mine in origin.groupby(["part", "L"], sort=False):
        first = mine.iloc[0]
        speed = power_of_ten(mine["ps_per_flip"].median())
        who = [part, first["model"], size, mine["temperatures"].sum(), str(first["samples"]), first["replicas"]]
        cost = [power_of_ten(flips(mine).sum()), speed, seconds(mine["core_seconds"].sum()), listed(mine["device"])]
        rows.append([*who, sweeps_of(first), first["random"], *cost])
    what = ["part", "model", "L", "temperatures", "samples", "replicas", "sweeps", "random numbers"]
    return {
        "caption": "Simulations. flips: attempted spin flips. ps/flip: picoseconds for one of them on one core or GPU, measurements included, "
        "median over temperatures; core time, or GPU time, summed over temperatures.",
        "head": [*what, "flips", "ps/flip", "time", "machine"],
        "text": ["part", "model", "random numbers", "machine"],
        "rows": rows,
    }


def cost_sentence(origin: pd.DataFrame) -> str:
    """The cost of the study."""
    origin = runs_once(origin)
    total, time = flips(origin).sum(), origin["core_seconds"].sum()
    mean = f", {power_of_ten(1e12 * time / total)} ps/flip on average" if total else ""
    hours = f"{working_time(origin)} ({time / 3600:.3g} hours)"
    return f"{power_of_ten(total)} attempted spin flips in {hours}{mean}, on {machines(origin)}."


def machines(origin: pd.DataFrame) -> str:
    return f"{listed(origin['device'])} ({listed(origin['instruction_set'])}, backend {listed(origin['backend'])})"


def listed(column: pd.Series) -> str:
    """Every value once."""
    return " / ".join(sorted({value for cell in column.astype(str) for value in cell.split(" / ")}))


def checkout(commit: str) -> str:
    """The first command to repeat a study; none if the build did not know its commit."""
    return f"git checkout {commit}\n" if re.fullmatch("[0-9a-f]{7,40}", commit) else ""


def provenance(origin: pd.DataFrame) -> dict[str, Any]:
    commits = listed(origin["git_commit"]).split(" / ")
    modified = (
        " The working tree held changes that were not committed." if any("dirty" in name for name in commits) else ""
    )
    total = working_time(runs_once(origin))
    versions = f"{listed(origin['code_version'])}, commit {' / '.join(commits)}"
    return {
        "samples": int(origin["samples"].sum()),
        "shards": int(origin["shards"].sum()),
        "last": str(origin["last"].max())[:10],
        "versions": versions,
        "checkout": checkout(commits[-1].removesuffix("-dirty")),
        "sentence": f"Simulated on {machines(origin)} in {total} by psflip {versions}, stream version "
        f"{listed(origin['stream_version'])} of the randomness contract.{modified}",
    }
