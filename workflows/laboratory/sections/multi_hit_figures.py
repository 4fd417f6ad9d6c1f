"""Figures of the double checkerboard with several hits of a tile (paper 001)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from workflows.figures.style import looks, save
from workflows.laboratory.measurements import Measurement, Row
from workflows.laboratory.sections.multi_hit import (
    CRITICAL,
    NAMES,
    curves_of,
    energies_of,
    hits_rows,
    is_determined,
    speed_rows,
    tracking_rows,
)

LINES = ("-", "--", ":", "-.")


def two_panels() -> list[Axes]:
    _, axes = plt.subplots(1, 2, figsize=(10.4, 4.4))
    return list(axes)


def done(panels: list[Axes], folder: Path, name: str) -> None:
    for panel in panels:
        if panel.has_data():
            panel.legend(fontsize=8)
        else:
            panel.set(xscale="linear", yscale="linear")
            panel.text(0.5, 0.5, "no such measurement", transform=panel.transAxes, ha="center")
    save(panels[0].figure, folder, name)


def powers(axes: Axes, ticks: Iterable[int]) -> None:
    axes.xaxis.set_major_locator(FixedLocator(sorted(set(ticks))))
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.xaxis.set_minor_locator(NullLocator())


def draw_tau(measurements: list[Measurement], folder: Path, name: str) -> None:
    """tau_int of e and |m| against beta: sequential, k = 1, 10, 100; one line style for each processor. The size with most
    temperatures."""
    rows = [row for row in hits_rows(energies_of(measurements)) if row["order"] != "symmetric"]
    betas = {size: {row["beta"] for row in rows if row["L"] == size} for size in {row["L"] for row in rows}}
    size = max(betas, key=lambda size: (len(betas[size]), size), default=0)
    rows = [row for row in rows if row["L"] == size]
    processors = list(dict.fromkeys(row["processor"] for row in rows))
    panels = two_panels()
    for panel, key, words in zip(panels, ("tau_int", "tau_int_m"), ("energy", "$|m|$")):
        for processor, line in zip(processors, LINES):
            for index, look in looks(list(range(4))):
                variant, k = (("sequential", 1), ("tiles", 1), ("tiles", 10), ("tiles", 100))[index]
                mine = [
                    row
                    for row in rows
                    if (row["processor"], row["variant"], row["hits"]) == (processor, variant, k)
                    and key in row
                    and is_determined(row, key)
                ]
                if mine:
                    longest = {row["beta"]: row for row in sorted(mine, key=lambda row: row["sweeps"])}
                    points = [longest[beta] for beta in sorted(longest)]
                    label = "sequential" if variant == "sequential" else f"$k = {k}$"
                    panel.errorbar(
                        [row["beta"] for row in points], [row[key] for row in points],
                        yerr=[row[f"{key}_error"] for row in points], linestyle=line, label=f"{label}, {processor}", **look,
                    )  # fmt: skip
        panel.set(
            yscale="log", xlabel=r"$\beta$", ylabel=r"$\tau_\mathrm{int}$ (sweeps)", title=f"{words}, $L = {size}$"
        )
        if panel.has_data():
            panel.axvline(CRITICAL, color="0.7", linewidth=0.8, zorder=0)
    done(panels, folder, name)


def draw_cost(measurements: list[Measurement], folder: Path, name: str) -> None:
    """tau_int t_flip against k, a curve for each temperature and processor."""
    curves = curves_of(energies_of(measurements))
    _, axes = plt.subplots(figsize=(6.4, 4.4))
    for index, look in looks(list(range(len(curves)))):
        processor, size, beta = sorted(curves)[index]
        curve = curves[processor, size, beta]
        for variant, face in (("tiles", look["color"]), ("sequential", "white")):
            mine = [row for row in curve if row["variant"] == variant]
            if not mine:
                continue
            axes.errorbar(
                [row["hits"] for row in mine], [row["cost"] for row in mine], yerr=[row["cost_error"] for row in mine],
                linestyle=":", markerfacecolor=face,
                label=rf"$L = {size}$, $\beta = {beta:g}$, {processor}" if variant == "tiles" else None, **look,
            )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="$k$", ylabel=r"$\tau_\mathrm{int}\, t_\mathrm{flip}$ (ns)")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    done([axes], folder, name)


def draw_curve(panel: Axes, rows: list[Row], **look: object) -> None:
    """Of several rows of a size the last."""
    rows = [row for _, row in sorted({row["L"]: row for row in rows}.items())]
    if rows:
        panel.plot([row["L"] for row in rows], [row["ps_per_flip"] for row in rows], **look)


BLACK = {"scalar": "--", "psflip_samples": "-"}


def draw_times(measurements: list[Measurement], folder: Path, name: str) -> None:
    """Time of a flip against L with LCG32 for each tile and k; psflip and the plain scalar update in black."""
    rows = speed_rows(measurements)
    panels = two_panels()
    for panel, dimension in zip(panels, (2, 3)):
        mine = [row for row in rows if row["system"] == f"ising{dimension}d"]
        tiles = [row for row in mine if row["variant"] == "tiles_tracked" and row["generator"] == "lcg32"]
        sides, hits = (sorted({row[key] for row in tiles}) for key in ("tile", "hits"))
        named: set[str] = set()
        for processor in dict.fromkeys(row["processor"] for row in tiles):
            for index, look in looks(list(range(len(sides)))):
                for k, line in zip(hits, LINES):
                    chosen = [
                        r for r in tiles if (r["processor"], r["tile"], r["hits"]) == (processor, sides[index], k)
                    ]
                    if len({row["L"] for row in chosen}) > 1:
                        label = f"$T = {sides[index]}$, $k = {k}$"
                        draw_curve(panel, chosen, linestyle=line, label=None if label in named else label, **look)
                        named.add(label)
            slowest = max((row for row in tiles if row["processor"] == processor), key=lambda row: row["ps_per_flip"])
            side = "right" if slowest["L"] == max(row["L"] for row in tiles) else "left"
            place = (slowest["L"], slowest["ps_per_flip"])
            panel.annotate(processor, place, (0, 6), textcoords="offset points", fontsize=8, ha=side)
        for processor, variant in dict.fromkeys((row["processor"], row["variant"]) for row in mine):
            if variant in BLACK:
                chosen = [row for row in mine if (row["processor"], row["variant"]) == (processor, variant)]
                draw_curve(panel, chosen, linestyle=BLACK[variant], color="black", linewidth=0.9)
        panel.set(xscale="log", yscale="log", xlabel="$L$", ylabel="ps/flip", title=f"{dimension}D, LCG32")
        if mine:
            powers(panel, (row["L"] for row in mine))
    done(panels, folder, name)


def draw_tracking(measurements: list[Measurement], folder: Path, name: str) -> None:
    """A column for each generator: with the energy of each flip and without, a mark for each processor and k."""
    rows = tracking_rows(measurements)
    _, axes = plt.subplots(figsize=(6.8, 4.4))
    names = [key for key in NAMES if any(row["generator"] == key for row in rows)]
    groups = sorted({(row["processor"], row["L"], row["tile"], row["hits"]) for row in rows})
    for index, look in looks(list(range(len(groups)))):
        processor, size, tile, k = groups[index]
        mine = [row for row in rows if (row["processor"], row["L"], row["tile"], row["hits"]) == groups[index]]
        places = [names.index(row["generator"]) + 0.15 * (index - (len(groups) - 1) / 2) for row in mine]
        axes.plot(places, [row["ps_per_flip"] for row in mine], linestyle="none",
                  label=f"$L = {size}$, $T = {tile}$, $k = {k}$, {processor}", **look)  # fmt: skip
        axes.plot(places, [row["untracked"] for row in mine], linestyle="none", markerfacecolor="white", **look)
    if rows:
        axes.set(yscale="log", ylabel="ps/flip", xlim=(-0.5, len(names) - 0.5))
        axes.set_xticks(range(len(names)), [NAMES[key].replace(", ", "\n") for key in names], fontsize=9)
        axes.yaxis.set_minor_formatter(NullFormatter())
    done([axes], folder, name)


DRAW = {"001_tau": draw_tau, "001_cost": draw_cost, "001_times": draw_times, "001_tracking": draw_tracking}
