"""The tables of the report, as captions, heads and rows of text."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from workflows.tables.notation import seconds, with_error
from workflows.tables.table import known, select, sizes, temperatures

Table = dict[str, Any]


EXPONENTS = {"ising2d": "ν = 1, ω = 7/4", "rfim3d": "ν = 1.38, ω = 0.52 of the zero-temperature fixed point"}
ALTERNATIVES = {
    "ising2d": "ω = 7/4 and 2",
    "rfim3d": "ν = 1.38(10), ω = 0.52(11) and ν = 0.63, ω = 0.832 of the pure model; the value of U₄ has no limit that could be quoted",
}
CURVES = {
    "ising2d": "parabolas in T within the window",
    "rfim3d": "cubics with the values and slopes of the slots at the ends of the window",
}


def crossing_table(crossings: pd.DataFrame, model: str = "ising2d") -> Table | None:
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
        "caption": f"Crossings of pairs of sizes: {CURVES[model]}, and the extrapolation "
        f"T* = T_c + A f L^−(ω + 1/ν), f = (1 − s^−ω)/(s^(1/ν) − 1) for sizes L and sL, with {EXPONENTS[model]}; "
        f"of equilibrated pairs only, where there are two. Second bracket: half the spread over {ALTERNATIVES[model]}.",
        "head": ["coupling", "L", "T*", "value at T*", "χ²/dof", "window in T", "equilibrated"],
        "text": ["coupling", "L", "equilibrated"],
        "rows": rows,
    }


def dynamics_table(fits: pd.DataFrame) -> Table | None:
    if not len(fits):
        return None
    rows = []
    for row in fits.sort_values(["T", "quantity", "L"], kind="stable").itertuples():
        symbol = "ξ" if row.quantity == "xi" else "χ"
        exponents = [with_error(row.exponent, row.error), with_error(row.z, row.z_error)]
        quality = ["–" if math.isnan(chi2) else f"{chi2:.2f}" for chi2 in (row.chi2_dof, row.chi2_dof_covariance)]
        rows.append([symbol, row.L, f"{row.T:.6g}", f"{row.t_min} – {row.t_max}", row.points, *exponents, *quality])
    return {
        "caption": "Power laws in time, ξ ∝ t^(1/z) and χ ∝ t^((2−η)/z) with η = −0.39; errors by jackknife through the fit; for each size the whole range, then parts of it. The first "
        "χ²/dof is that of the fit, in which times count as independent; the second uses their full covariance. Large values: the "
        "lattice is too small for a power law over this range.",
        "head": ["quantity", "L", "T", "sweeps", "points", "exponent", "z", "χ²/dof", "with covariance"],
        "text": ["quantity"],
        "rows": rows,
    }


def design_table(glass: pd.DataFrame) -> Table | None:
    """Design effects at the start, in the middle (on a logarithmic scale) and at the end of the relaxation."""
    names = [name for name in glass["observable"].unique() if name.startswith("design_effect_")]
    rows = []
    for t in temperatures(glass):
        for size in sizes(select(glass, T=t)):
            mine = select(glass, L=size, T=t)
            times = np.unique(mine["t"][mine["t"] > 0])
            for time in sorted({times[0], times[len(times) // 2], times[-1]}):
                now = select(mine, t=time).set_index("observable")
                effects = [
                    with_error(*now.loc[name, ["value", "error"]]) if name in now.index else "–" for name in names
                ]
                rows.append([size, f"{t:.6g}", f"{time:.0f}", *effects])
    symbols = {"e": "e", "m2": "m²", "q2": "q²", "chi_k": "χ(k)", "xi": "ξ", "U4": "U₄", "U22": "U₂₂"}
    labels = [symbols.get(name.removeprefix("design_effect_"), name) for name in names]
    return {
        "caption": "Design effect of sharing random numbers among the 32 samples of a word: the variance of a mean, divided by what "
        "it would be if the samples were independent. Error bars take it into account.",
        "head": ["L", "T", "t", *labels],
        "rows": rows if names else [],
    }


def equilibration(square: pd.DataFrame) -> dict[str, Any]:
    """The verdicts by size, and the points that failed or were nearest to it."""
    rows = select(square, observable="m2")
    verdict = rows["equilibrated"].fillna(False).astype(bool)
    failed = rows[~verdict]
    sentence = f"{int(verdict.sum())} of {len(rows)} points (L, T) passed."
    if len(failed):
        names = [f"L = {row.L}, T = {row.T:.6g}" for row in failed.itertuples()]
        sentence += f" Not passed: {'; '.join(names)}."
    table = []
    for size in sizes(rows) if len(rows) else []:
        mine = select(rows, L=size)
        slowest = mine.loc[mine["tau"].idxmax()] if mine["tau"].notna().any() else mine.iloc[0]
        passed = f"{int(verdict[mine.index].sum())} of {len(mine)}"
        table.append([size, passed, f"{slowest['tau']:.3g}", f"{slowest['T']:.6g}", int(mine["blocks"].min())])
    head = ["L", "passed", "longest τ", "at T", "blocks"]
    caption = "Equilibration of the two-dimensional Ising model."
    return {"sentence": sentence, "table": {"caption": caption, "head": head, "rows": table}}


def sweeps_of(row: pd.Series) -> str:
    longer = f" ({row['longer_samples']} samples {row['longer_times']} times as many)"
    return f"{row['sweeps']}{longer if row['longer_samples'] else ''}"


def costs(origin: pd.DataFrame) -> Table:
    """What each part and size cost."""
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
