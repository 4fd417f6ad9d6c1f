"""Timings of the layouts of the 3D spin glass: the best of each size, threshold sizes, ratios. Pure functions of rows."""

from __future__ import annotations

from workflows.laboratory.measurements import Row, fastest, processors

LAYOUTS = ("sliced", "standard", "bitwise")
BASELINE = "minstd"
# psFlip grows significantly: the excess over its least value from which on a size counts as above the threshold.
GROWTH = 1.2
BRANCHES = {0: "4m", 2: "4m + 2"}


def branch(size: int) -> str:
    """The subsequence of sizes of the paper: L = 4m or L = 4m + 2."""
    return BRANCHES[size % 4]


def with_generator(rows: list[Row], generator: str = BASELINE) -> list[Row]:
    return [row for row in rows if row["generator"] == generator]


def on(rows: list[Row], processor: str) -> list[Row]:
    return [row for row in rows if row["processor"] == processor]


def best_by_size(rows: list[Row], layout: str) -> dict[int, Row]:
    """The fastest number of packs of each size."""
    mine = [row for row in rows if row["layout"] == layout]
    return {size: fastest([row for row in mine if row["L"] == size]) for size in sorted({row["L"] for row in mine})}


def becomes_fastest(rows: list[Row], layout: str) -> int | None:
    """The smallest size from which on the layout is the fastest of all at every measured size that it allows."""
    best = {name: best_by_size(rows, name) for name in LAYOUTS}
    found = None
    for size in sorted(best[layout], reverse=True):
        others = [best[name][size]["ps_per_flip"] for name in LAYOUTS if name != layout and size in best[name]]
        if not others or best[layout][size]["ps_per_flip"] > min(others):
            break
        found = size
    return found


def begins_to_grow(rows: list[Row], layout: str) -> int | None:
    """L_thr of the paper: the smallest size from which on every larger one takes at least 1.2 times the least time."""
    best = best_by_size(rows, layout)
    least = min((row["ps_per_flip"] for row in best.values()), default=0.0)
    found = None
    for size in sorted(best, reverse=True):
        if best[size]["ps_per_flip"] < GROWTH * least:
            break
        found = size
    return found


def over_baseline(rows: list[Row]) -> list[Row]:
    """Each row of another generator with `ratio`: its time over that with MINSTD of the same file, layout, size, packs, processor."""

    def place(row: Row) -> tuple:
        return row["file"], row["layout"], row["L"], row.get("packs"), row["processor"]

    baseline = {place(row): row["ps_per_flip"] for row in with_generator(rows)}
    return [
        row | {"ratio": row["ps_per_flip"] / baseline[place(row)]}
        for row in rows
        if row["generator"] not in (BASELINE, "none") and place(row) in baseline
    ]


def nearest_size(rows: list[Row], size: int) -> Row | None:
    """The row of the size that differs least."""
    return min(rows, key=lambda row: max(row["L"], size) / min(row["L"], size), default=None)


def by_processor(rows: list[Row]) -> dict[str, list[Row]]:
    return {name: on(rows, name) for name in processors(rows)}
