"""The page of paper 001 (Weigel 2012): double checkerboard with several hits of a tile, quality of generators."""

from __future__ import annotations

from typing import Any

from workflows.laboratory import heisenberg
from workflows.laboratory.blocks import Block, Table, number, references, table
from workflows.laboratory.measurements import Measurement, Row, fastest

FIGURES = {"multi_hit": ("001_hits",)} | heisenberg.FIGURES
CAPTIONS = {
    "001_hits": "Integrated autocorrelation time of the energy in sweeps against the number of hits k (figure 5 of the paper), "
    "and this time multiplied by the time of a flip (figure 6). Open marks at k = 1: the sequential update.",
}
# Names of the paper for the generators.
NAMES = {
    "lcg32": "LCG32, skipping",
    "lcg32_seeded": "LCG32, random seeds",
    "lcg64": "LCG64, skipping",
    "lcg64_seeded": "LCG64, random seeds",
    "fibonacci521": "Fibonacci, r = 521",
    "fibonacci1279": "Fibonacci, r = 1279",
    "mt19937": "MT19937",
    "philox": "Philox",
}


SHORTEST = 10  # tau_int in a block, at least


def measured(value: float, error: float, digits: int) -> str:
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def energies_of(measurements: list[Measurement]) -> list[Row]:
    """Runs in equilibrium of the square lattice: sweeps from the ordered start were discarded. Others are timings alone."""
    rows = [row for one in measurements for row in one.listed("energies")]
    return [row for row in rows if row["dimension"] == 2 and row["discarded"] > 0]


def quality_rows(rows: list[Row]) -> list[Row]:
    """Rows for which the exact energy is known and blocks are long enough, with the deviations from it in errors."""
    exact = references()["quality"]["exact"]
    here = [row for row in rows if row["beta"] == exact["beta"] and row["L"] >= exact["from_L"]]
    here = [row for row in here if row["sweeps"] / row["blocks"] >= SHORTEST * row["tau_int"]]
    return [
        row
        | {"e_pull": (row["e"] + exact["minus_e"]) / row["e_error"], "C_pull": (row["C"] - exact["C"]) / row["C_error"]}
        for row in here
    ]


def quality_table(rows: list[Row]) -> Table:
    known = {(row["variant"], row["generator"]): row for row in references()["quality"]["rows"]}
    lines: list[list[Any]] = []
    for row in quality_rows(rows):
        paper = known.get((row["variant"], row["generator"]))
        lines.append(
            [row["variant"], NAMES[row["generator"]], row["L"], row.get("tile", "–"), row["hits"], row["sweeps"]]
            + [measured(-row["e"], row["e_error"], 6), f"{-row['e_pull']:+.1f}"]
            + [measured(row["C"], row["C_error"], 4), f"{row['C_pull']:+.1f}"]
            + ([f"{paper['minus_e']} ({paper['e_pull']:+g} σ)"] if paper else ["–"])
        )
    return table(
        "Table 1 of the paper: −e and C at β = 0.4 next to the exact values 1.1060792037 and 0.8616983568, deviations in errors: jackknife "
        "over blocks of consecutive sweeps, each at least ten tau_int long. "
        "The size of a bias depends on tile, k, seed and numbering of threads, so only its presence is compared.",
        ["update", "generator", "L", "tile", "k", "sweeps", "−e", "σ", "C", "σ", "−e, paper"],
        lines,
        numbers=9,
    )


def hits_rows(rows: list[Row]) -> list[Row]:
    """Rows near the transition, with tau_int times the time of a flip in ns."""
    near = [row for row in rows if row["beta"] != references()["quality"]["exact"]["beta"]]
    flips = [(row, row["ps_per_flip"] / 1000) for row in near]
    return [row | {"cost": row["tau_int"] * ns, "cost_error": row["tau_int_error"] * ns} for row, ns in flips]


def hits_table(rows: list[Row]) -> Table:
    lines = [
        [row["order"], row["L"], f"{row['beta']:g}", row.get("tile", "–"), row["hits"], NAMES[row["generator"]]]
        + [
            measured(row["tau_int"], row["tau_int_error"], 2),
            number(row["ps_per_flip"]),
            measured(row["cost"], row["cost_error"], 0),
        ]
        for row in sorted(hits_rows(rows), key=lambda row: (row["L"], row["beta"], row["order"], row["hits"]))
    ]
    return table(
        "Autocorrelation time of the energy in sweeps, time of a flip in ps, and their product in ns: the time of an independent "
        "configuration for each site.",
        ["order", "L", "β", "tile", "k", "random numbers", "τ_int", "ps/flip", "τ_int t_flip"],
        lines,
        numbers=7,
    )


def speed_table(rows: list[Row]) -> Table:
    lines = [
        [row["system"], row["processor"], row["variant"], NAMES.get(row["generator"], row["generator"]), row["L"]]
        + [row.get("tile", "–"), row.get("hits", "–"), number(row["ps_per_flip"]), number(row["speedup"])]
        for row in rows
    ]
    return table(
        "Times of a flip with the energy tracked. Paper: 8 ns on one core of a Core 2 Quad Q9650; 0.27 ns (k = 1) and 0.076 ns "
        "(k = 100) on a Tesla C1060, 0.034 ns (k = 100) on a GTX 480 (figure 8). Speed-up: over the plain scalar update.",
        ["system", "processor", "update", "random numbers", "L", "tile", "k", "ps/flip", "speed-up"],
        lines,
        numbers=5,
    )


def quality_lessons(rows: list[Row]) -> list[str]:
    found = []
    for row in (row for row in quality_rows(rows) if row["variant"] == "tiles" and row["hits"] == 1):
        wrong = abs(row["e_pull"]) > 3
        found.append(
            f"{NAMES[row['generator']]}: the energy of the double checkerboard is {abs(row['e_pull']):.1f} errors from the exact "
            f"one, {'wrong' if wrong else 'no deviation is seen'} (L = {row['L']}, {row['sweeps']} sweeps)."
        )
    return found


def best_hits_lesson(rows: list[Row]) -> list[str]:
    near = [row for row in hits_rows(rows) if row["variant"] == "tiles" and row["order"] == "naive"]
    found = []
    for place in sorted({(row["L"], row["beta"]) for row in near}):
        best = min((row for row in near if (row["L"], row["beta"]) == place), key=lambda row: row["cost"])
        found.append(
            f"At β = {place[1]:g}, L = {place[0]} the fewest ns for an independent configuration are those of k = {best['hits']} "
            f"({best['cost']:.0f} ± {best['cost_error']:.0f} ns a site); the paper finds about 10 on its GPU."
        )
    return found


def lessons(files: list[Measurement]) -> list[str]:
    measurements = heisenberg.without_heisenberg(files)
    rows = energies_of(measurements)
    tiles = [
        row for one in measurements for row in one.rows if row["variant"] == "tiles" and row["system"] == "ising2d"
    ]
    once, often = (fastest([row for row in tiles if row["hits"] == k]) for k in (1, 100))
    gain = []
    if once and often:
        ratio = once["ps_per_flip"] / often["ps_per_flip"]
        gain = [
            f"100 hits make a flip {ratio:.2f} times as fast as one hit ({once['processor']}); 3.6 times on the paper's GPU."
        ]
    return quality_lessons(rows) + best_hits_lesson(rows) + gain + heisenberg.lessons(files)


def blocks(files: list[Measurement]) -> list[Block]:
    measurements = heisenberg.without_heisenberg(files)
    energies = energies_of(measurements)
    timed = [row for one in measurements for row in one.rows if row["variant"] in ("scalar", "sequential", "tiles")]
    return [
        Block(heading="Quality of generators"),
        Block(table=quality_table(energies)),
        Block(heading="Several hits of a tile"),
        *(Block(figure=name, caption=caption) for name, caption in CAPTIONS.items()),
        Block(table=hits_table(energies)),
        Block(heading="Times"),
        Block(table=speed_table(timed)),
        *heisenberg.blocks(files),
    ]
