"""The Heisenberg model on the page of paper 001 (Weigel 2012): times, energies and lengths of spins in several precisions."""

from __future__ import annotations

import math
from typing import Any

from workflows.laboratory.blocks import Block, Table, number, references, table
from workflows.laboratory.measurements import Measurement, Row, fastest

SYSTEM = "heisenberg2d"
FIGURES = {"heisenberg": ("001_heisenberg",)}
CAPTION = (
    "2D Heisenberg model. Left: time of a flip with uniform proposals at the largest L and k of each processor, one mark for each "
    "precision (figure 11 of the paper, grey). Right: mean of ||s| − 1| against the number of sweeps (figure 12)."
)
NAMES = {
    "double": "double",
    "float": "float",
    "double_library": "double, library",
    "float_library": "float, library",
    "float_fast": "float, intrinsics",
}
SHORTEST = 10  # tau_int in a block, at least


def timings(measurements: list[Measurement]) -> list[Row]:
    return [row for one in measurements for row in one.rows if row["system"] == SYSTEM]


def best_tiles(rows: list[Row]) -> list[Row]:
    """For each processor, size, precision, proposal and k the fastest tile; the scalar reference as it is."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        key = (row["processor"], row["L"], row["proposal"], row["variant"], row["precision"], row.get("hits", 0))
        groups.setdefault(key, []).append(row)
    return [min(group, key=lambda row: row["ps_per_flip"]) for group in groups.values()]


def times_table(rows: list[Row]) -> Table:
    lines: list[list[Any]] = []
    for row in best_tiles(rows):
        name = "scalar, double" if row["variant"] == "scalar" else NAMES[row["precision"]]
        lines.append(
            [row["processor"], name, row["proposal"], row["L"], row.get("tile", "–"), row.get("hits", "–")]
            + [number(row["ps_per_flip"] / 1000), number(row["speedup"])]
        )
    for row in references()["heisenberg"]["rows"] if lines else []:
        cells = [row["device"], f"{row['precision']} (paper)", "uniform", 4096, "–", 100]
        lines.append([*cells, f"{row['ns']:g}", number(row["speedup"])])
    return table(
        "Table 2 of the paper: time of a flip in ns, at the fastest tile. double and float take polynomials, which have the same bits "
        "on a CPU and a GPU; library: functions of the C library or of CUDA. A cone is tuned to an acceptance of 1/2. The scalar reference "
        "tries site after site in double; speed-up: over it, with the same proposals and L.",
        ["processor", "precision", "proposal", "L", "tile", "k", "ns/flip", "speed-up"],
        lines,
        numbers=5,
    )


def values(measurements: list[Measurement]) -> list[Row]:
    """Runs whose blocks are long enough, each with its difference to double with uniform proposals in errors."""
    rows = [row for one in measurements for row in one.listed("heisenberg")]
    rows = [row for row in rows if row["sweeps"] / row["blocks"] >= SHORTEST * row["tau_int"]]

    def condition(row: Row) -> tuple[Any, ...]:
        return row["processor"], row["L"], row["beta"], row["tile"], row["hits"]

    first = {condition(row): row for row in rows if (row["precision"], row["proposal"]) == ("double", "uniform")}
    found = []
    for row in rows:
        other = first.get(condition(row))
        pulls = {}
        if other is not None and other is not row:
            for key in ("e", "m", "C"):
                error = math.hypot(row[f"{key}_error"], other[f"{key}_error"])
                pulls[f"{key}_pull"] = (row[key] - other[key]) / error
        found.append(row | pulls)
    return found


def series_of_energy(beta: float) -> float:
    """High-temperature series of e on the infinite lattice."""
    coefficients = references()["heisenberg"]["series"]["coefficients"]
    return sum(value * beta ** (2 * index + 1) for index, value in enumerate(coefficients))


def has_series(row: Row) -> bool:
    """The terms that are left out are below 10^-5 of e."""
    return row["beta"] <= references()["heisenberg"]["series"]["largest_beta"] and row["L"] >= 32


def pull_text(row: Row, key: str) -> str:
    return f"{row[key]:+.1f}" if key in row else "–"


def values_table(rows: list[Row]) -> Table:
    lines = []
    for row in rows:
        exact = f"{(row['e'] - series_of_energy(row['beta'])) / row['e_error']:+.1f}" if has_series(row) else "–"
        cells = [row["processor"], NAMES[row["precision"]], row["proposal"], row["L"], f"{row['beta']:g}", row["hits"]]
        for key, digits in (("e", 5), ("m", 5), ("C", 4)):
            cells += [f"{row[key]:.{digits}f} ± {row[f'{key}_error']:.{digits}f}", pull_text(row, f"{key}_pull")]
        lines.append([*cells, exact])
    return table(
        "Energy e and magnetization m = ⟨|Σs|⟩/N per site, specific heat C = β²N(⟨e²⟩ − ⟨e⟩²). Errors: jackknife over 32 blocks of "
        "consecutive sweeps, each at least ten tau_int of e long. σ: difference to double with uniform proposals in errors; every run "
        "has random numbers of its own. Last column: difference of e to the high-temperature series in errors.",
        ["processor", "precision", "proposal", "L", "β", "k", "e", "σ", "m", "σ", "C", "σ", "series"],
        lines,
        numbers=8,
    )


def probability_of_largest(pulls: list[float]) -> float:
    """That the largest of as many independent normal deviations is at least the one found."""
    single = math.erfc(max(map(abs, pulls)) / math.sqrt(2))
    return -math.expm1(len(pulls) * math.log1p(-single)) if single < 1 else 1.0


def values_lesson(rows: list[Row]) -> list[str]:
    pulls = [row[key] for row in rows for key in ("e_pull", "m_pull", "C_pull") if key in row]
    if not pulls:
        return []
    probability = probability_of_largest(pulls)
    words = "no precision deviates" if probability > 0.01 else "a precision deviates"
    return [
        f"e, m and C of the Heisenberg model: the largest of {len(pulls)} differences to double is {max(map(abs, pulls)):.1f} errors, "
        f"probability {probability:.2g} if all were independent; {words}. The paper finds none."
    ]


def times_lessons(rows: list[Row]) -> list[str]:
    """Ratios of the same processor, uniform proposals, largest L and k."""
    found = []
    for processor in dict.fromkeys(row["processor"] for row in rows if row["variant"] == "tiles"):
        best = {
            precision: fastest([row for row in at_largest(rows, processor) if row["precision"] == precision])
            for precision in NAMES
        }
        ns = {precision: row["ps_per_flip"] / 1000 for precision, row in best.items() if row}
        if "double" in ns and "float" in ns:
            paper = "1.00 on the paper's CPU"
            if "float_fast" in ns:
                paper = "6.3 and 3.9 on the paper's GPUs"
            found.append(
                f"Heisenberg model, {processor}: double takes {ns['double'] / ns['float']:.2f} times the time of float; {paper}."
            )
        if "float_library" in ns and "float_fast" in ns:
            found.append(
                f"Heisenberg model, {processor}: intrinsic functions are {ns['float_library'] / ns['float_fast']:.2f} times as fast as "
                "those of CUDA in float; 2.5 and 2.8 times in the paper."
            )
        elif "float_library" in ns and "float" in ns:
            found.append(
                f"Heisenberg model, {processor}: polynomials in vector instructions are {ns['float_library'] / ns['float']:.2f} times as "
                "fast as the C library in float."
            )
    return found


def at_largest(rows: list[Row], processor: str) -> list[Row]:
    """Tiles with uniform proposals at the largest L and k of a processor."""
    mine = [
        row for row in rows if (row["processor"], row["variant"], row["proposal"]) == (processor, "tiles", "uniform")
    ]
    size = max((row["L"] for row in mine), default=0)
    hits = max((row["hits"] for row in mine if row["L"] == size), default=0)
    return [row for row in mine if (row["L"], row["hits"]) == (size, hits)]


def lengths(measurements: list[Measurement]) -> list[Row]:
    return [row for one in measurements for row in one.listed("lengths")]


def lengths_lesson(rows: list[Row]) -> list[str]:
    last = max((row["sweeps"] for row in rows), default=0)
    ends = [row for row in rows if row["sweeps"] == last]
    if not ends:
        return []
    largest: dict[str, float] = {}
    for row in ends:
        name = NAMES[row["precision"]]
        largest[name] = max(largest.get(name, 0), row["deviation"])
    words = ", ".join(f"{value:.1e} ({name})" for name, value in largest.items())
    return [
        f"Lengths of spins do not drift: the mean of ||s| − 1| after {last} sweeps is at most {words}; the paper has 10^-8 in float "
        "and 10^-7 with intrinsics."
    ]


def lessons(measurements: list[Measurement]) -> list[str]:
    return (
        times_lessons(timings(measurements))
        + values_lesson(values(measurements))
        + lengths_lesson(lengths(measurements))
    )


def blocks(measurements: list[Measurement]) -> list[Block]:
    return [
        Block(heading="Heisenberg model"),
        Block(table=times_table(timings(measurements))),
        Block(figure="001_heisenberg", caption=CAPTION),
        Block(table=values_table(values(measurements))),
    ]
