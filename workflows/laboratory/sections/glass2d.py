"""A section of the page of paper 001 (Weigel 2012): the 2D spin glass in bytes and words."""

from __future__ import annotations

from workflows.laboratory.blocks import Block, Table, number, references, table
from workflows.laboratory.measurements import Measurement, Row, fastest, processors, rows_of

FIGURES = {"glass2d": ("001_glass",)}
CAPTIONS = {
    "001_glass": "Time of a flip of the 2D spin glass, L = 16, against the number of realizations of the bonds that are simulated together "
    "(figures 13 and 14 of the paper). Bytes and words draw from MINSTD; psflip has Philox, its widest words, and four replicas "
    "of each realization. Grey: the paper's times, CPU in the panels of CPUs and GPU in those of GPUs.",
}
NAMES = {
    "scalar": "scalar",
    "bytes": "one spin a byte",
    "words32": "words of 32 bits",
    "words64": "words of 64 bits",
    "psflip": "psflip",
}
GENERATORS = {"minstd": "MINSTD", "xorwow": "XORWOW", "philox": "Philox"}


def glass_rows(measurements: list[Measurement], *variants: str) -> list[Row]:
    """Timings of the square lattice with random bonds."""
    return [row for row in rows_of(measurements, *(variants or NAMES)) if row["system"] == "ea2d"]


def name_of(row: Row) -> str:
    if row["variant"] != "psflip":
        return NAMES[row["variant"]]
    replicas = f"{row['replicas']} replica{'s' if row['replicas'] > 1 else ''}"
    return f"psflip, words of {row['realizations_of_word']} bits, {replicas}"


def is_of_gpu(row: Row) -> bool:
    return row.get("device") == "cuda"


def best_rows(rows: list[Row]) -> list[Row]:
    """The number of realizations with the least time, for each algorithm, generator and processor."""
    groups: dict[tuple[str, str, str, int], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["processor"], name_of(row), row["generator"], row["L"]), []).append(row)
    return [min(group, key=lambda row: row["ps_per_flip"]) for group in groups.values()]


def papers_times(row: Row) -> str:
    """Of the same storage on the same kind of processor."""
    known = [
        one
        for one in references()["glass2d"]["rows"]
        if one["variant"] in (row["variant"], "bytes" if row["variant"] == "scalar" else "")
        and one["on_gpu"] == is_of_gpu(row)
    ]
    return ", ".join(f"{one['value']:g} ({one['device']})" for one in known) or "–"


def times_table(rows: list[Row]) -> Table:
    lines = [
        [
            row["processor"],
            name_of(row),
            GENERATORS.get(row["generator"], row["generator"]),
            papers_times(row),
            row["L"],
        ]
        + [row.get("realizations", 1), number(row["ps_per_flip"]), number(row["speedup"])]
        for row in best_rows(rows)
    ]
    return table(
        "Times of a flip of the 2D spin glass with bonds +J and −J at the number of realizations with the least time. All realizations of a word share a "
        "random number, in psflip those of each 32 bits. Speed-up: over the plain scalar update of one realization. "
        f"Paper: {references()['glass2d']['source']}, ps/flip.",
        ["processor", "storage", "random numbers", "paper", "L", "realizations", "ps/flip", "speed-up"],
        lines,
        numbers=4,
    )


def lessons(measurements: list[Measurement]) -> list[str]:
    found, rows = [], glass_rows(measurements)
    for processor in processors([row for row in rows if row["variant"] != "scalar"]):
        mine = [row for row in rows if row["processor"] == processor]
        alone, wide, ours = (
            fastest([row for row in mine if row["variant"] == name]) for name in ("bytes", "words64", "psflip")
        )
        if alone and wide and ours:
            gain, more = (alone["ps_per_flip"] / row["ps_per_flip"] for row in (wide, ours))
            paper = "30 on a GTX 480" if is_of_gpu(wide) else "79 over its scalar update on a CPU"
            found.append(
                f"2D spin glass on {processor}: words of 64 realizations take {number(wide['ps_per_flip'])} ps/flip, {number(gain)} "
                f"times faster than one spin a byte (paper: {paper}); psflip takes {number(ours['ps_per_flip'])}, {number(more)} "
                "times faster."
            )
    return found


def blocks(measurements: list[Measurement]) -> list[Block]:
    return [
        Block(heading="2D spin glass"),
        *(Block(figure=name, caption=caption) for name, caption in CAPTIONS.items()),
        Block(table=times_table(glass_rows(measurements))),
    ]
