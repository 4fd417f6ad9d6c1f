"""Figures of the sections 2D spin glass and tempering of paper 001."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from workflows.figures.style import looks, save
from workflows.laboratory.blocks import references
from workflows.laboratory.layouts import by_processor
from workflows.laboratory.measurements import Measurement, Row
from workflows.laboratory.sections.glass2d import glass_rows, is_of_gpu, name_of
from workflows.laboratory.sections.tempering import NAMES, intervals, tempering_rows

GREY = "0.45"
Paper = list[tuple[float, str]]  # times in ps and their labels


def panels(groups: dict[str, list[Row]], x: str, key: str) -> list[Axes]:
    """One for each processor, log-log, ticks at the values of `key`."""
    _, found = plt.subplots(1, len(groups), figsize=(5.4 * len(groups), 4.6), squeeze=False)
    for axes, (processor, rows) in zip(found[0], groups.items()):
        axes.set(xscale="log", yscale="log", xlabel=x, ylabel="ps/flip")
        axes.set_title(processor, fontsize=10)
        axes.xaxis.set_major_locator(FixedLocator(sorted({row[key] for row in rows})))
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
    return list(found[0])


def add_paper(axes: Axes, lines: Paper) -> None:
    """Dotted lines; labels of neighbours are at different places, for they may be close."""
    for index, (time, label) in enumerate(sorted(lines)):
        axes.axhline(time, color=GREY, linewidth=0.7, linestyle=":")
        axes.annotate(label, (1 - 0.4 * (index % 2), time), xycoords=("axes fraction", "data"), xytext=(-2, 2),
                      textcoords="offset points", fontsize=7, color=GREY, ha="right")  # fmt: skip


def add_curve(axes: Axes, rows: list[Row], key: str, **look: object) -> None:
    mine = sorted(rows, key=lambda row: row[key])
    if mine:
        axes.plot([row[key] for row in mine], [row["ps_per_flip"] for row in mine], linestyle="-", **look)


def finish(found: list[Axes], folder: Path, name: str) -> None:
    for axes in found:
        axes.legend(loc="upper right", fontsize=8, framealpha=0.8)
    save(found[0].figure, folder, name)


def draw_glass(measurements: list[Measurement], folder: Path, name: str) -> None:
    rows = [row for row in glass_rows(measurements) if row["variant"] != "scalar" and row["L"] == 16]
    widest = max((row["realizations_of_word"] for row in rows if row["variant"] == "psflip"), default=0)
    most = max((row["replicas"] for row in rows if row["variant"] == "psflip"), default=0)
    rows = [
        row
        for row in rows
        if (row["generator"] == "minstd" if row["variant"] != "psflip" else row["replicas"] == most)
        and (row["variant"] != "psflip" or is_of_gpu(row) or row["realizations_of_word"] == widest)
    ]
    groups = by_processor(rows)
    known = references()["glass2d"]["rows"]
    found = panels(groups, "realizations", "realizations")
    for axes, mine in zip(found, groups.values()):
        names = list(dict.fromkeys(map(name_of, mine)))
        for index, look in looks(list(range(len(names)))):
            these = [row for row in mine if name_of(row) == names[index]]
            add_curve(axes, these, "realizations", label=names[index], **look)
        on_gpu = is_of_gpu(mine[0])
        add_paper(
            axes, [(one["value"], f"{one['variant']}, {one['device']}") for one in known if one["on_gpu"] == on_gpu]
        )
    finish(found, folder, name)


def draw_tempering(measurements: list[Measurement], folder: Path, name: str) -> None:
    rows = tempering_rows(measurements, "scalar_tempering", "psflip")
    groups, known = by_processor(rows), references()["tempering"]["rows"]
    found = panels(groups, "$L$", "L")
    for axes, mine in zip(found, groups.values()):
        variants = list(dict.fromkeys(row["variant"] for row in mine))
        for index, look in looks(list(range(len(variants)))):
            for interval in intervals(mine):
                these = [
                    row for row in mine if (row["variant"], row["exchange_interval"]) == (variants[index], interval)
                ]
                face = look["color"] if interval == max(intervals(mine)) else "white"
                label = f"{NAMES[variants[index]]}, every {interval} sweeps"
                add_curve(axes, these, "L", label=label, markerfacecolor=face, **look)
        on_gpu = any(is_of_gpu(row) for row in mine)
        lines = [
            (1000 * one["value"], f"{one['device']}, every {one.get('interval', 100)} sweeps")
            for one in known
            if one["on_gpu"] == on_gpu
        ]
        add_paper(axes, lines)
    finish(found, folder, name)
