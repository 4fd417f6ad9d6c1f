"""A section of the page of paper 001 (Weigel 2012): exchange Monte Carlo of the 2D ferromagnet."""

from __future__ import annotations

from workflows.laboratory.blocks import Block, Table, number, percent, references, table
from workflows.laboratory.measurements import Measurement, Row, processors, rows_of

FIGURES = {"tempering": ("001_tempering",)}
CAPTIONS = {
    "001_tempering": "Time of a flip with its share of the exchanges against L, 20 temperatures between β = 0.1 and 0.15, an exchange every 100 "
    "(full marks) or 10 (open marks) sweeps: figure 15 of the paper. Grey: the paper's times at L = 2048 on GPUs, 11 ns at all L "
    "on its CPU. psflip serves many lattices at once, the scalar program and the paper one in each temperature slot.",
}
NAMES = {"scalar": "scalar, no exchange", "scalar_tempering": "scalar", "psflip": "psflip"}


def tempering_rows(measurements: list[Measurement], *variants: str) -> list[Row]:
    """Timings of files of the command, whose scalar update without exchange is at the same temperatures."""
    files = [one for one in measurements if any("exchange_interval" in row for row in one.rows)]
    return rows_of(files, *(variants or NAMES))


def intervals(rows: list[Row]) -> list[int]:
    return sorted({row["exchange_interval"] for row in rows if "exchange_interval" in row})


def ratios(rows: list[Row]) -> dict[tuple[str, str, int], float]:
    """Time with the most exchanges over that with the fewest, of each processor, algorithm and size."""
    times: dict[tuple[str, str, int], dict[int, float]] = {}
    for row in rows:
        if "exchange_interval" in row:
            place = (row["processor"], row["variant"], row["L"])
            times.setdefault(place, {})[row["exchange_interval"]] = row["ps_per_flip"]
    return {place: mine[min(mine)] / mine[max(mine)] for place, mine in times.items() if len(mine) > 1}


def times_table(rows: list[Row]) -> Table:
    found = ratios(rows)
    lines = []
    for row in sorted(rows, key=lambda row: (row["processor"], row["L"], -row.get("exchange_interval", 1 << 30))):
        ratio = found.get((row["processor"], row["variant"], row["L"]))
        is_most = "exchange_interval" in row and row["exchange_interval"] == min(intervals(rows))
        lines.append(
            [row["processor"], NAMES[row["variant"]], row["L"], row.get("exchange_interval", "–")]
            + [row["samples"] * row["replicas"] if "samples" in row else 1]
            + [percent(row["exchange_rate"]) if "exchange_rate" in row else "–"]
            + [number(row["ps_per_flip"]), number(ratio) if ratio and is_most else "–", number(row["speedup"])]
        )
    known = references()["tempering"]
    paper = "; ".join(
        f"{one['value']:g} on {one['device']}" + (f" (every {one['interval']} sweeps)" if "interval" in one else "")
        for one in known["rows"]
    )
    return table(
        "Times of a flip with its share of the exchanges. Lattices: those that are simulated together in each temperature slot; for one lattice a "
        "slot of psflip takes the time of all of them. Ratio: time with the most exchanges over that with the fewest. Speed-up: over the plain "
        f"scalar update of one lattice, no exchange. Paper, {known['source']}, ns/flip at L = 2048: {paper}.",
        ["processor", "program", "L", "sweeps before an exchange", "lattices", "exchanges accepted", "ps/flip", "ratio", "speed-up"],
        lines,
        numbers=7,
    )  # fmt: skip


def lessons(measurements: list[Measurement]) -> list[str]:
    rows = tempering_rows(measurements, "psflip")
    found, few = [], max(intervals(rows), default=0)
    for processor in processors(rows):
        mine = [row for row in rows if row["processor"] == processor and row["exchange_interval"] == few]
        largest = max(mine, key=lambda row: row["L"], default=None)
        if largest is None:
            continue
        ratio = ratios(rows).get((processor, "psflip", largest["L"]))
        paper = "1.23 on both GPUs of the paper" if largest["L"] == 2048 else "1.23 at L = 2048 on the paper's GPUs"
        more = (
            f" An exchange every {min(intervals(rows))} sweeps takes {ratio:.2f} times that ({paper})." if ratio else ""
        )
        found.append(
            f"Tempering of the 2D ferromagnet on {processor}: psflip takes {number(largest['ps_per_flip'])} ps/flip at L = {largest['L']}, "
            f"{largest['samples'] * largest['replicas']} lattices in each of {largest['slots']} slots, an exchange every {few} sweeps.{more}"
        )
    return found


def blocks(measurements: list[Measurement]) -> list[Block]:
    return [
        Block(heading="Tempering of the 2D ferromagnet"),
        *(Block(figure=name, caption=caption) for name, caption in CAPTIONS.items()),
        Block(table=times_table(tempering_rows(measurements))),
    ]
