"""The figure of the 2D Heisenberg model: times of the precisions, lengths of spins."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from workflows.figures.style import COLOURS, MARKERS, save
from workflows.laboratory.blocks import references
from workflows.laboratory.measurements import Measurement, Row, fastest
from workflows.laboratory.sections.heisenberg import NAMES, at_largest, lengths, timings

LOOKS = {name: {"color": COLOURS[index], "marker": MARKERS[index]} for index, name in enumerate(NAMES)}
GREY = "0.45"
# Names of the paper: those of CUDA's functions in float and double, and its fast intrinsic functions.
MARKS = {"float": "v", "float, fast_math": "X", "double": "^", "float or double": "P"}


def draw_times(axes: Axes, rows: list[Row]) -> None:
    """A column for each processor, those of the paper behind."""
    processors = list(dict.fromkeys(row["processor"] for row in rows if row["variant"] == "tiles"))
    for column, processor in enumerate(processors):
        for name, look in LOOKS.items():
            best = fastest([row for row in at_largest(rows, processor) if row["precision"] == name])
            if best:
                axes.plot(column, best["ps_per_flip"] / 1000, linestyle="none", **look)
    known = references()["heisenberg"]["rows"]
    devices = list(dict.fromkeys(row["device"] for row in known))
    for row in known:
        axes.plot(len(processors) + devices.index(row["device"]), row["ns"], linestyle="none", color=GREY,
                  marker=MARKS[row["precision"]])  # fmt: skip
    labels = [name.replace(", ", "\n").replace(" 80GB", "\n80GB") for name in processors + devices]
    axes.set(yscale="log", ylabel="ns/flip", xticks=range(len(labels)), xlim=(-0.5, len(labels) - 0.5))
    axes.set_xticklabels(labels, fontsize=7)


def draw_lengths(axes: Axes, rows: list[Row]) -> None:
    """A line for each precision and proposal at the largest lattice of each processor; cone: dashed."""
    for processor in dict.fromkeys(row["processor"] for row in rows):
        mine = [row for row in rows if row["processor"] == processor]
        first = max(mine, key=lambda row: (row["L"], row["beta"]))
        keys = ("L", "beta", "tile", "hits")
        for name, look in LOOKS.items():
            for proposal, line in (("uniform", "-"), ("cone", "--")):
                chosen = [
                    row
                    for row in mine
                    if (row["precision"], row["proposal"]) == (name, proposal)
                    and all(row[key] == first[key] for key in keys)
                ]
                points = sorted((row["sweeps"], row["deviation"]) for row in chosen if row["sweeps"] > 0)
                if points:
                    axes.plot(*zip(*points), linestyle=line, **look)
    axes.set(xscale="log", yscale="log", xlabel="sweeps", ylabel=r"mean of $||s| - 1|$")


def draw_heisenberg(measurements: list[Measurement], folder: Path, name: str) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.2, 4.2))
    draw_times(left, timings(measurements))
    draw_lengths(right, lengths(measurements))
    shown = {row["precision"] for row in timings(measurements)}
    for precision in (precision for precision in NAMES if precision in shown):
        left.plot([], [], linestyle="none", label=NAMES[precision], **LOOKS[precision])
    for label, marker in MARKS.items():
        left.plot([], [], linestyle="none", color=GREY, marker=marker, label=f"{label}, paper")
    right.plot([], [], color="black", label="uniform")
    right.plot([], [], color="black", linestyle="--", label="cone")
    left.legend(fontsize=7)
    right.legend()
    save(figure, folder, name)


DRAW = {"001_heisenberg": draw_heisenberg}
