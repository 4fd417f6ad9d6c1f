"""Figures of the laboratory: psFlip against packs and sizes, times over MINSTD, flips/ns of the 2D Ising model."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter, NullLocator

from workflows.figures.style import COLOURS, MARKERS, looks, save
from workflows.laboratory.blocks import peer_speeds, references
from workflows.laboratory.layouts import (
    LAYOUTS,
    best_by_size,
    branch,
    by_processor,
    over_baseline,
    with_generator,
)
from workflows.laboratory.measurements import Measurement, Row, of_seed, read_measurement, rows_of
from workflows.laboratory.pages import command_name, figures_of
from workflows.laboratory.sections import heisenberg_figures, multi_hit_figures
from workflows.laboratory.sections.realizations_figures import draw_glass, draw_tempering
from workflows.laboratory.seed_003 import GRIDS, all_grids, flips_of, speedups_of_steps
from workflows.laboratory.seed_003 import NAMES as FIELD_NAMES
from workflows.laboratory.seed_004 import NAMES, flips_per_ns, states_of
from workflows.study.error import answered

GREY = "0.45"
LOOKS = {name: {"color": COLOURS[index], "marker": MARKERS[index]} for index, name in enumerate(LAYOUTS)}
UNIT = "psFlip (ps/flip)"


def panels(count: int, width: float = 4.6) -> list[Axes]:
    """Axes side by side of one figure, one at least."""
    _, axes = plt.subplots(1, max(1, count), figsize=(width * max(1, count), 4.2), sharey=True, squeeze=False)
    return list(axes[0])


def finish(axes: Axes, ticks: list[int], x: str, y: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())


def done(axes: list[Axes], folder: Path, name: str, **legend: Any) -> None:
    for later in axes[1:]:
        later.set_ylabel("")
    handles, _ = axes[0].get_legend_handles_labels()
    if handles:
        axes[0].legend(**({"loc": "best"} | legend))
    else:
        axes[0].text(0.5, 0.5, "no such measurement", transform=axes[0].transAxes, ha="center")
    save(axes[0].figure, folder, name)


def draw_packs(measurements: list[Measurement], folder: Path, name: str) -> None:
    """One panel for each processor; full lines the smallest size, dashed the others."""
    groups: dict[str, list[Row]] = {}
    for one in measurements:
        rows = with_generator([row for row in one.rows if row["variant"] == "layout"])
        if len({row["packs"] for row in rows}) > 2:
            for processor, mine in by_processor(rows).items():
                groups.setdefault(processor, []).extend(mine)
    axes = panels(len(groups))
    for panel, (processor, rows) in zip(axes, groups.items()):
        sizes = sorted({row["L"] for row in rows})
        for layout in LAYOUTS:
            for size, line in zip(sizes, ("-", "--", ":", "-.")):
                mine = sorted(
                    (row for row in rows if (row["layout"], row["L"]) == (layout, size)), key=lambda row: row["packs"]
                )
                if mine:
                    panel.plot([row["packs"] for row in mine], [row["ps_per_flip"] for row in mine], linestyle=line,
                               label=f"{layout}, $L = {size}$", **LOOKS[layout])  # fmt: skip
        panel.set_title(processor, fontsize=10)
        finish(panel, sorted({row["packs"] for row in rows}), "packs $k$", UNIT)
    done(axes, folder, name)


def draw_sizes(measurements: list[Measurement], folder: Path, name: str) -> None:
    """Two panels, the branches; the layouts and psflip on each processor."""
    rows = with_generator(rows_of(measurements, "layout"))
    axes = panels(2)
    for panel, words in zip(axes, ("4m", "4m + 2")):
        ticks = set[int]()
        for processor, line in zip(by_processor(rows), ("-", "--", ":", "-.")):
            for layout in LAYOUTS:
                best = best_by_size([row for row in rows if row["processor"] == processor], layout)
                best = {size: row for size, row in best.items() if branch(size) == words}
                if best:
                    ticks |= best.keys()
                    panel.plot(list(best), [row["ps_per_flip"] for row in best.values()], linestyle=line,
                               label=f"{layout}, {processor}", **LOOKS[layout])  # fmt: skip
        ours = [row for row in rows_of(measurements, "psflip") if branch(row["L"]) == words]
        best = best_by_size(ours, "psflip")
        panel.plot(
            list(best),
            [row["ps_per_flip"] for row in best.values()],
            color="black",
            linewidth=0.9,
            label="psflip, one thread",
        )
        paper = next(
            row["value"] for row in references()["flips"] if row["generator"] == "minstd" and row["seed"] == "000"
        )
        if words == "4m":
            panel.plot([32, 32], paper, color=GREY, marker="_", linewidth=2, label="paper, GTX Titan")
        panel.set_title(f"$L = {words}$")
        finish(panel, [size for size in (8, 10, 16, 18, 32, 34, 64, 66, 128, 130) if size in ticks], "$L$", UNIT)
    axes[0].tick_params(which="both")
    done(axes, folder, name)


def draw_generators(measurements: list[Measurement], folder: Path, name: str) -> None:
    """One panel for each processor: a generator a column, a layout a mark; the largest size."""
    rows = over_baseline(rows_of(measurements, "layout"))
    groups = by_processor(rows)
    axes = panels(len(groups))
    known = references()["over_minstd"]
    for panel, (processor, mine) in zip(axes, groups.items()):
        names = list(dict.fromkeys(row["generator"] for row in mine))
        largest = max(row["L"] for row in mine)
        for index, layout in enumerate(LAYOUTS):
            these = [row for row in mine if (row["layout"], row["L"]) == (layout, largest)]
            places = [names.index(row["generator"]) + 0.2 * (index - 1) for row in these]
            panel.plot(places, [row["ratio"] for row in these], linestyle="none", label=layout, **LOOKS[layout])
            paper = [row for row in known if row["layout"] in (layout, "all") and row["generator"] in names]
            panel.plot([names.index(row["generator"]) + 0.2 * (index - 1) for row in paper], [row["value"] for row in paper],
                       linestyle="none", color=GREY, marker="x", label="paper" if index == 2 else None)  # fmt: skip
        panel.axhline(1, color="black", linewidth=0.7)
        panel.set(xticks=range(len(names)), title=f"{processor}, $L = {largest}$", ylabel="time / time with MINSTD")
        panel.title.set_fontsize(10)
        panel.set_xticklabels([one.replace("_", "\n") for one in names], fontsize=9)
    done(axes, folder, name)


def draw_ising2d(measurements: list[Measurement], folder: Path, name: str) -> None:
    rows = rows_of(measurements, *NAMES)
    groups = by_processor(rows)
    axes = panels(1, 7.4)
    look = dict(looks(list(range(len(NAMES)))))
    for processor, line in zip(groups, ("-", "--", ":", "-.")):
        for index, variant in enumerate(NAMES):
            mine = sorted((row for row in groups[processor] if row["variant"] == variant), key=lambda row: row["L"])
            if mine:
                axes[0].plot([row["L"] for row in mine], [flips_per_ns(row) for row in mine], linestyle=line,
                             label=f"{NAMES[variant]}, {processor}", **look[index])  # fmt: skip
    known = references()["ising2d"]
    curves = [
        (row["variant"], known["sizes"], row["value"]) for row in known["rows"] if row["device"].startswith("Tesla")
    ]
    curves += [
        ("optimized", row["L"], row["value"])
        for row in peer_speeds("ising2d")
        if row["name"] == "Romero et al., optimized"
    ]
    for variant, sizes, values in curves:
        axes[0].plot(sizes, values, color=GREY, linewidth=0.8, marker="x", markersize=3.5)
        axes[0].annotate(f"{variant}, paper", (sizes[-1], values[-1]), xytext=(0, -9 if variant == "tensor" else 4), textcoords="offset points", fontsize=7,
                         color=GREY, ha="right")  # fmt: skip
    finish(axes[0], [128, 512, 2048, 8192, 32768, 131072], "$L$", "flips/ns")
    done(axes, folder, name, loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8)


def draw_bands(measurements: list[Measurement], folder: Path, name: str) -> None:
    """Fractions of the states with their errors; quenches to T = 0."""
    rows = states_of([row for one in measurements for row in one.listed("bands") if row["T"] == 0])
    axes = panels(1, 6.0)
    states = list(dict.fromkeys(row["state"] for row in rows))
    for index, look in looks(list(range(len(states)))):
        mine = [row for row in rows if row["state"] == states[index]]
        for key, face in (("at_L", look["color"]), ("end", "white")):
            parts = [(row["L"], row if key == "end" else row[key]) for row in mine if key == "end" or row.get(key)]
            axes[0].errorbar(
                [size for size, _ in parts], [part["fraction"] for _, part in parts],
                yerr=[part["error"] for _, part in parts], linestyle="none", markerfacecolor=face,
                label=states[index] if key == "at_L" else None, **look,
            )  # fmt: skip
        axes[0].axhline(mine[0]["exact"], color=look["color"], linewidth=0.7)
    axes[0].set(xscale="log", xlabel="$L$", ylabel="fraction of lattices", ylim=(-0.02, 0.85))
    axes[0].xaxis.set_major_locator(FixedLocator(sorted({row["L"] for row in rows})))
    axes[0].xaxis.set_major_formatter("{x:.0f}")
    axes[0].xaxis.set_minor_locator(NullLocator())
    done(axes, folder, name, loc="upper center", ncols=3)


def draw_field_times(measurements: list[Measurement], folder: Path, name: str) -> None:
    """ps of a flip and of a spin of a step against L; a colour for each update and number of hits."""
    flips, steps = flips_of(measurements), speedups_of_steps(measurements)
    for row in steps:
        row["ps_per_flip"] = 1e12 * row["seconds_per_step"] / (row["slots"] * row["interval"] * row["L"] ** 3)
    _, axes = plt.subplots(1, 2, figsize=(9.2, 4.2), sharey=True)
    curves = list(dict.fromkeys((FIELD_NAMES[row["variant"]], row.get("hits", 1)) for row in flips))
    processors = dict(zip(sorted({row["processor"] for row in flips}), ("-", "--", ":", "-.", (0, (1, 4)))))
    for panel, rows in zip(axes, (flips, steps)):
        for index, look in looks(list(range(len(curves)))):
            mine = [row for row in rows if (FIELD_NAMES[row["variant"]], row.get("hits", 1)) == curves[index]]
            label: str | None = curves[index][0] + (f", {curves[index][1]} hits" if curves[index][1] > 1 else "")
            for processor, line in processors.items():
                here = sorted((row for row in mine if row["processor"] == processor), key=lambda row: row["L"])
                if here:
                    panel.plot([row["L"] for row in here], [row["ps_per_flip"] for row in here], linestyle=line,
                               label=label, **look)  # fmt: skip
                    label = None
    for processor, line in processors.items():
        axes[0].plot([], [], color="black", linestyle=line, label=processor)
    for panel, rows, words in ((axes[0], flips, "a flip"), (axes[1], steps, "a spin and sweep of a step")):
        finish(panel, sorted({row["L"] for row in rows}), "$L$", UNIT)
        panel.set_title(words, fontsize=10)
    done(list(axes), folder, name)


def draw_rates(measurements: list[Measurement], folder: Path, name: str) -> None:
    """The grids with the most steps: adaptation runs of the adaptive one, rates of all against temperature."""
    rows = max(all_grids(measurements), key=lambda rows: (rows[0]["steps"], rows[0]["L"]), default=[])
    _, axes = plt.subplots(1, 2, figsize=(9.2, 4.2), sharey=True)
    for index, look in looks(list(range(len(rows)))):
        row = rows[index]
        axes[1].plot(*zip(*row["rates"]), label=f"{GRIDS[row['grid']]} ({row['slots']})", **look)
        if row["grid"] != "adaptive":
            continue
        runs = range(len(row["rates_of_trials"]))
        kinds = (("highest", max, "v"), ("mean", lambda rates: sum(rates) / len(rates), "o"), ("lowest", min, "^"))
        for words, function, marker in kinds:
            values = [function(rates) for rates in row["rates_of_trials"]]
            axes[0].plot(runs, values, color=look["color"], marker=marker, label=words)
    axes[0].set(xlabel="adaptation run", ylabel="exchange rate", ylim=(0, 1))
    axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[1].set(xlabel="$T$")
    for panel in axes:
        panel.legend(fontsize=8)
    if rows:
        axes[1].set_title(f"$L = {rows[0]['L']}$", fontsize=10)
    save(axes[0].figure, folder, name)


DRAW: dict[str, Callable[[list[Measurement], Path, str], None]] = {
    "000_packs": draw_packs,
    "000_sizes": draw_sizes,
    "000_generators": draw_generators,
    "001_glass": draw_glass,
    "001_tempering": draw_tempering,
    **multi_hit_figures.DRAW,
    **heisenberg_figures.DRAW,
    "003_times": draw_field_times,
    "003_rates": draw_rates,
    "004_sizes": draw_ising2d,
    "004_bands": draw_bands,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="files of psflip-lab, SEED_WORDS.json")
    parser.add_argument("--output", required=True, type=Path, help="folder")
    arguments = parser.parse_args()
    measurements = [read_measurement(path) for path in arguments.files]
    commands: dict[str, set[str]] = {}
    for one in measurements:
        commands.setdefault(one.seed, set()).add(command_name(one))
    for name in figures_of(commands):
        DRAW[name](of_seed(measurements, name[:3]), arguments.output, name)


if __name__ == "__main__":
    sys.exit(answered(main))
