"""Figures of speeds: ps/flip against L of the spin glass, flips/ns against L of the Ising model, shares of the peak rates."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator

from workflows.benchmark.jobs import (
    UNITS,
    Job,
    figures_of,
    groups,
    is_usual,
    references,
    rooflines,
    speed,
    with_jobs,
)
from workflows.figures.style import COLOURS, MARKERS, looks, save

GREY = "0.45"


def plot_machines(axes: Axes, jobs: list[Job], machines: list[str]) -> None:
    """One curve a machine; the same machine has the same look in every panel."""
    known = dict(looks(list(range(len(machines)))))
    for index, machine in enumerate(machines):
        mine = sorted((job for job in jobs if job["machine"] == machine), key=lambda job: job["L"])
        if mine:
            look = known[index]
            axes.plot([job["L"] for job in mine], [speed(job) for job in mine], label=machine, linewidth=0.9, **look)


def plot_peer_codes(axes: Axes, model: str, mode: str) -> None:
    """Grey: a mark or a line each; lines and marks at the edge have their name to the left."""
    for code in references()["rivals"]:
        if (code["model"], code["mode"]) != (model, mode) or "L" not in code or not code.get("figure", True):
            continue
        axes.plot(code["L"], code["value"], color=GREY, marker="x", markersize=4, linewidth=0.7, zorder=1)
        text = f"{code['name']} ({code['device']})"
        last = code["L"][-1]
        axes.annotate(
            text, (last, code["value"][-1]), xytext=(0, -9 if code.get("below") else 4), textcoords="offset points",
            fontsize=7, color=GREY, ha="right" if len(code["L"]) > 1 or last > 128 else "center",
        )  # fmt: skip


def plot_targets(axes: Axes, model: str, mode: str, packing: str) -> None:
    """Short lines: required (full) and target (dotted) speed of psflip on a GPU."""
    for target in references()["targets"]:
        here = (target["model"], target["mode"], target.get("packing", "samples")) == (model, mode, packing)
        if not here or "device" not in target or "h" in target:
            continue
        ends = [target["L"] / 1.15, target["L"] * 1.15]
        for key, line in (("must", "-"), ("goal", ":")):
            if key in target:
                axes.plot(ends, [target[key]] * 2, color="black", linewidth=1.3, linestyle=line, zorder=2)


def finish(axes: Axes, sizes: list[int], unit: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel="$L$", ylabel=unit)
    axes.xaxis.set_major_locator(FixedLocator(sizes))
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter("{x:g}")


def plot_ea3d(jobs: list[Job], folder: Path) -> None:
    mine = [job for job in jobs if job["model"] == "ea3d" and is_usual(job)]
    machines = list(groups(mine, lambda job: job["machine"]))
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.9), sharey=True)
    titles = {"shared": "one random number for 32 samples", "independent": "every sample its own random numbers"}
    for axes, (mode, title) in zip(panels, titles.items()):
        plot_machines(axes, [job for job in mine if job["mode"] == mode], machines)
        plot_peer_codes(axes, "ea3d", mode)
        plot_targets(axes, "ea3d", mode, "samples")
        axes.set_title(title, fontsize=11)
        finish(axes, [8, 16, 32, 64, 128], UNITS["ea3d"][0])
    panels[1].set_ylabel("")
    panels[0].legend(loc="best")
    save(figure, folder, "speed_ea3d")


def plot_ising2d(jobs: list[Job], folder: Path) -> None:
    """One large lattice as curves; many small ones as single marks with their number."""
    mine = [job for job in jobs if job["model"] == "ising2d" and is_usual(job)]
    machines = list(groups(mine, lambda job: job["machine"]))
    figure, axes = plt.subplots(figsize=(7.4, 4.9))
    plot_machines(axes, [job for job in mine if job["samples"] == 1], machines)
    known = dict(looks(list(range(len(machines)))))
    for job in (job for job in mine if job["samples"] > 1):
        look = known[machines.index(job["machine"])]
        axes.plot(job["L"], speed(job), linestyle="none", markerfacecolor="white", **look)
        axes.annotate(
            f"{job['samples']} lattices", (job["L"], speed(job)), xytext=(6, -2), textcoords="offset points", fontsize=8,
            color=look["color"],
        )  # fmt: skip
    for machine in machines:  # a machine that has only small lattices still needs its name
        if all(job["samples"] > 1 for job in mine if job["machine"] == machine):
            axes.plot(
                [], [], label=machine, linestyle="none", markerfacecolor="white", **known[machines.index(machine)]
            )
    plot_peer_codes(axes, "ising2d", "independent")
    for packing in ("samples", "sites"):
        plot_targets(axes, "ising2d", "independent", packing)
    finish(axes, [64, 128, 1024, 4096, 16384, 65536], UNITS["ising2d"][0])
    axes.legend(loc="best")
    save(figure, folder, "speed_ising2d")


def plot_rfim3d(jobs: list[Job], folder: Path) -> None:
    """Rounds of sweeps, exchange and measurement at 24 temperatures."""
    mine = [job for job in jobs if job["model"] == "rfim3d" and is_usual(job)]
    figure, axes = plt.subplots(figsize=(7.4, 4.9))
    plot_machines(axes, mine, list(groups(mine, lambda job: job["machine"])))
    plot_peer_codes(axes, "rfim3d", "independent")
    plot_targets(axes, "rfim3d", "independent", "samples")
    finish(axes, [8, 16, 32, 64], UNITS["rfim3d"][0])
    axes.legend(loc="best")
    save(figure, folder, "speed_rfim3d")


def plot_roofline(jobs: list[Job], folder: Path) -> None:
    mine = rooflines(jobs)
    several = len({job["device"] for job in mine}) > 1
    names = [f"{job['name']}, {job['device']}" if several else job["name"] for job in mine]
    figure, axes = plt.subplots(figsize=(7.4, 1.2 + 0.26 * len(mine)))
    kinds = {"bandwidth": "copy bandwidth", "logic_rate": "rate of logic", "philox_rate": "rate of Philox"}
    rows = list(range(len(mine)))[::-1]
    for (key, label), colour, marker in zip(kinds.items(), COLOURS[::2], MARKERS):
        shares = [job[f"share_of_{key}"] for job in mine]
        axes.plot(shares, rows, linestyle="none", color=colour, marker=marker, markersize=5.5, label=label)
    axes.hlines(rows, 0, 1, color="0.88", linewidth=0.7, zorder=0)
    axes.axvline(1, color="black", linewidth=0.9)
    axes.set(xlim=(0, 1.05), xlabel="share of the measured peak rate of the GPU", yticks=rows)
    axes.set_yticklabels(names, fontsize=8.5)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.55 / (0.3 * len(mine) + 1)), ncols=3)
    save(figure, folder, "roofline")


def draw_figures(arguments: argparse.Namespace, jobs: list[Job]) -> None:
    draw = {
        "speed_ea3d": plot_ea3d,
        "speed_ising2d": plot_ising2d,
        "speed_rfim3d": plot_rfim3d,
        "roofline": plot_roofline,
    }
    for name in figures_of(jobs):
        draw[name](jobs, arguments.output)


def main() -> int:
    return with_jobs(argparse.ArgumentParser(description=__doc__), "folder", draw_figures)


if __name__ == "__main__":
    sys.exit(main())
