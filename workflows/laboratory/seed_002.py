"""The page of paper 002, the poster of 000: the memory access of the stencil alone, and the poster's generator."""

from __future__ import annotations

from workflows.laboratory.blocks import Block, Table, number, references, table
from workflows.laboratory.layouts import LAYOUTS, best_by_size, by_processor, over_baseline
from workflows.laboratory.measurements import Measurement, Row, fastest, rows_of
from workflows.laboratory.seed_000 import generator_table, peer_table, ratio_table

FIGURES: dict[str, tuple[str, ...]] = {}
CAPTIONS: dict[str, str] = {}


def stencil_table(rows: list[Row]) -> Table:
    """The poster, then ours: one line for a processor and size."""
    known = references()["stencil"]
    lines = []
    for size in sorted({row["L"] for row in known["rows"]}):
        for key, words in (("texture", "texture cache"), ("no_texture", "no texture cache")):
            values = {row["layout"]: row[key] for row in known["rows"] if row["L"] == size}
            lines.append([f"{known['device']}, {words}", "poster", size, *(f"{values[name]:g}" for name in LAYOUTS)])
    for processor, mine in by_processor(rows).items():
        best = {name: best_by_size(mine, name) for name in LAYOUTS}
        for size in sorted({row["L"] for row in mine}):
            times = [best[name].get(size) for name in LAYOUTS]
            lines.append([processor, "here", size, *(number(row and row["ps_per_flip"]) for row in times)])
    return table(
        "Memory access alone: six neighbours and six couplings of a site are read, their XOR is written; ps for a site of a "
        "sample, no random numbers.",
        ["processor", "source", "L", *LAYOUTS],
        lines,
        numbers=4,
    )


def fastest_on_poster() -> list[str]:
    """Of each size, the layout with the least time."""
    known = references()["stencil"]["rows"]
    best = {
        size: min((row for row in known if row["L"] == size), key=lambda row: row["texture"])
        for size in sorted({row["L"] for row in known})
    }
    return [f"{row['layout']} is fastest at L = {size}" for size, row in best.items()]


def lessons(measurements: list[Measurement]) -> list[str]:
    found = []
    for processor, mine in by_processor(rows_of(measurements, "stencil")).items():
        size = max(row["L"] for row in mine)
        best = fastest([row for row in mine if row["L"] == size])
        found.append(
            f"Memory access: {best['layout']} is fastest at L = {size} with {number(best['ps_per_flip'])} ps ({processor}). "
            f"On the poster {' and '.join(fastest_on_poster())}."
        )
    times = {row["generator"]: row["value"] for row in references()["flips"] if row["seed"] == "002"}
    ratio = times["parisi_rapuano"] / times["minstd"]
    for row in over_baseline(rows_of(measurements, "layout")):
        if row["layout"] == "sliced":
            found.append(
                f"Generator: a flip with Parisi-Rapuano takes {row['ratio']:.2f} times as long as with MINSTD, "
                f"{ratio:.2f} times on the poster (L = {row['L']}, {row['processor']})."
            )
    return found


def blocks(measurements: list[Measurement]) -> list[Block]:
    layouts = rows_of(measurements, "layout")
    generators = [row for one in measurements for row in one.listed("generators")]
    return [
        Block(table=stencil_table(rows_of(measurements, "stencil"))),
        Block(table=peer_table(layouts, "002")),
        Block(table=ratio_table(layouts)),
        Block(table=generator_table(generators, "rate")),
    ]
