"""Figures of scaling over GPUs, next to the papers' own values and ideal lines."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, LogLocator, NullFormatter, NullLocator

from workflows.figures.style import COLOURS, MARKERS, looks, save
from workflows.scaling.rows import Measurements, Row, exchange_efficiency, groups_of, papers, title_of
from workflows.scaling.tables import glass_rows

GREY = "0.55"
CAPTIONS = {
    "efficiency": "Efficiency against the number of GPUs, strong and weak. Grey: the multispin, Python and tensor codes "
    "of paper 004 on a DGX-2. Line: ideal. Of a job that was measured several times on a kind of GPU: the first "
    "measurement in the tables.",
    "ea3d_sizes": "ea3d in slabs: efficiency (left) and ps/flip of all GPUs together (right) against L, as figure 12 of "
    "paper 000.",
    "ea3d_collapse": "ea3d in slabs: x N ps/flip against x = L / N, as figure 13 of paper 000. Line: proportional to x, "
    "where updates take all the time.",
    "rfim3d_efficiency": "rfim3d, temperature slots over GPUs: efficiency against L, as figure 8 of paper 003. Grey: that "
    "paper, two GPUs, large L.",
}


def logarithmic(axes: Axes, ticks: list[int], x: str) -> None:
    """An axis of sizes or numbers of GPUs."""
    axes.set(xscale="log", xlabel=x)
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.xaxis.set_minor_locator(NullLocator())


def logarithmic_times(axes: Axes) -> None:
    """Labels at 1, 2 and 5 times the powers of ten: times often span less than a factor of ten."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())


def by_count(rows: list[Row]) -> dict[int, list[Row]]:
    """Rows of each number of GPUs by increasing L."""
    counts = sorted({row.gpus for row in rows})
    return {count: sorted((row for row in rows if row.gpus == count), key=lambda row: row.L) for count in counts}


def largest(groups: list[list[Row]]) -> list[list[Row]]:
    """Of each kind of job the group with the largest lattice, of equal ones the first. Other sizes have figures of their
    own."""
    best: dict[tuple[object, ...], list[Row]] = {}
    for group in groups:
        one = group[0]
        kind = (one.device, one.program, one.model, one.method, one.detail("exchange-interval"))
        if kind not in best or best[kind][0].L < one.L:
            best[kind] = group
    return list(best.values())


def draw_efficiency(measurements: Measurements, folder: Path) -> bool:
    rows = [row for row in measurements.rows if row.on_gpus]
    weak = [group for scaling in ("samples", "weak") for group in groups_of(rows, scaling)]
    groups = {"strong": largest(groups_of(rows, "strong")), "weak": largest(weak)}
    devices = {row.device for row in rows}
    if not any(groups.values()):
        return False
    _, axes = plt.subplots(1, 2, figsize=(11, 4.4 + 0.2 * max(len(mine) + 3 for mine in groups.values())), sharey=True)
    ticks = {1, 2, 4, 8, 16}
    for panel, (scaling, mine) in zip(axes, groups.items()):
        panel.axhline(1, color="black", linewidth=0.7)
        for marker, paper in zip(
            "1234", (one for one in papers() if one.scaling == scaling and "DGX-2H" not in one.name)
        ):
            theirs = paper.efficiencies()
            panel.plot(
                list(theirs),
                list(theirs.values()),
                color=GREY,
                marker=marker,
                markersize=7,
                linewidth=0.6,
                label=paper.name,
            )
        for index, group in enumerate(mine):
            ticks |= {row.gpus for row in group}
            title = title_of(group) + (f" ({group[0].device})" if len(devices) > 1 else "")
            panel.plot(
                [row.gpus for row in group], [row.efficiency or 1 for row in group], label=title,
                color=COLOURS[index % len(COLOURS)], marker=MARKERS[index % len(MARKERS)],
            )  # fmt: skip
        logarithmic(panel, sorted(ticks), "GPUs")
        panel.set_title(f"{scaling} scaling", fontsize=11)
        panel.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    axes[0].set_ylabel("efficiency")
    save(axes[0].figure, folder, "efficiency")
    return True


def draw_sizes(measurements: Measurements, folder: Path) -> bool:
    rows = one_device(glass_rows(measurements.rows))
    sizes = sorted({row.L for row in rows})
    if len(sizes) < 2:
        return False
    _, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2))
    left.axhline(1, color="black", linewidth=0.7)
    found = by_count(rows)
    for count, look in looks(list(found)):
        mine = found[count]
        label = f"{count} GPU{'s' * (count > 1)}"
        timed = [row for row in mine if row.efficiency is not None]
        left.plot([row.L for row in timed], [row.efficiency for row in timed], label=label, **look)
        right.plot([row.L for row in mine], [row.ps_per_flip for row in mine], label=label, **look)
    for panel, y in ((left, "efficiency"), (right, "psFlip (ps/flip)")):
        logarithmic(panel, sizes, "$L$")
        panel.set_ylabel(y)
        panel.legend()
    logarithmic_times(right)
    save(left.figure, folder, "ea3d_sizes")
    return True


def draw_collapse(measurements: Measurements, folder: Path) -> bool:
    rows = one_device(glass_rows(measurements.rows))
    if len({row.L for row in rows}) < 2:
        return False
    _, axes = plt.subplots(figsize=(5.6, 4.2))
    found = by_count(rows)
    points = []
    for count, look in looks(list(found)):
        x = [row.L / count for row in found[count]]
        y = [row.L * row.ps_per_flip for row in found[count]]  # x N psFlip
        points += list(zip(x, y))
        axes.plot(x, y, linestyle="none", label=f"{count} GPU{'s' * (count > 1)}", **look)
    largest, height = max(points)
    smallest = min(points)[0]
    axes.plot(
        [smallest, largest],
        [height * smallest / largest, height],
        color=GREY,
        linewidth=0.8,
        label="proportional to $x$",
    )
    logarithmic(axes, sorted({round(x) for x, _ in points}), "$x = L / N$")
    axes.set_ylabel("$x N$ psFlip (ps/flip)")
    logarithmic_times(axes)
    axes.legend()
    save(axes.figure, folder, "ea3d_collapse")
    return True


def draw_fields(measurements: Measurements, folder: Path) -> bool:
    rows = [row for group in groups_of(measurements.rows, "strong") for row in group[1:] if row.model == "rfim3d"]
    rows = one_device([row for row in rows if row.detail("exchange-interval") == 10])
    if not rows:
        return False
    _, axes = plt.subplots(figsize=(5.6, 4.2))
    axes.axhline(1, color="black", linewidth=0.7)
    known = exchange_efficiency()
    axes.axhline(known["value"], color=GREY, linestyle="--", linewidth=0.9, label=known["name"])
    found = by_count(rows)
    for count, look in looks(list(found)):
        mine = found[count]
        axes.plot([row.L for row in mine], [row.efficiency for row in mine], label=f"{count} GPUs", **look)
    logarithmic(axes, sorted({row.L for row in rows}), "$L$")
    axes.set(ylabel="efficiency")
    axes.legend()
    save(axes.figure, folder, "rfim3d_efficiency")
    return True


def one_device(rows: list[Row]) -> list[Row]:
    """The rows of the device, commit and number of samples with the most sizes, since a curve compares equal problems."""
    found: dict[tuple[str, str, int], list[Row]] = {}
    for row in filter(lambda row: row.on_gpus, rows):
        found.setdefault((row.device, row.commit, row.detail("samples")), []).append(row)
    return max(found.values(), key=lambda mine: (len({row.L for row in mine}), len(mine)), default=[])


def draw_all(measurements: Measurements, folder: Path) -> dict[str, str]:
    """Draws the figures that there are numbers for; names and captions of these."""
    draw = {
        "efficiency": draw_efficiency,
        "ea3d_sizes": draw_sizes,
        "ea3d_collapse": draw_collapse,
        "rfim3d_efficiency": draw_fields,
    }
    return {name: CAPTIONS[name] for name, make in draw.items() if make(measurements, folder)}
