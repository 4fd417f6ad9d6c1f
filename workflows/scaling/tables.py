"""Markdown tables of scaling over GPUs."""

from __future__ import annotations

import textwrap

from workflows.scaling.rows import LABORATORY, Measurements, Paper, Row, groups_of, papers, title_of
from workflows.scripts.page_tables import figure, table

NO_VALUE = "–"
SCALINGS = {
    "strong": "Strong scaling: one problem",
    "weak": "Weak scaling: the problem grows with N",
    "samples": "Weak scaling by samples: the lattice stays",
    "shards": "Shards: separate processes, which send no messages",
}


def wrapped(text: str) -> str:
    return textwrap.fill(text, 120)


def counts_of(rows: list[Row]) -> list[int]:
    """The numbers of processors above one that were measured."""
    return sorted({row.gpus for row in rows if row.gpus > 1})


def efficiency_table(rows: list[Row], scaling: str) -> str:
    """One line for each problem: ps/flip of one GPU, efficiencies of several."""
    groups = [group for group in groups_of(rows, scaling) if group[0].gpus == 1]
    counts = counts_of([row for group in groups for row in group])
    lines = []
    for group in groups:
        found = {row.gpus: row.efficiency for row in group}
        cells = [f"{found[count]:.3f}" if found.get(count) else NO_VALUE for count in counts]
        lines.append([title_of(group), group[0].device, group[0].commit, f"{group[0].ps_per_flip:.4g}", *cells])
    head = [SCALINGS[scaling], "device", "commit", "N = 1, ps/flip", *(f"efficiency, N = {count}" for count in counts)]
    return table(head, lines) if lines else ""


def square_cells(flips: dict[int, float], counts: list[int]) -> list[str]:
    """flips/ns and efficiency on each number of GPUs."""
    one = flips.get(1)
    return [
        f"{figure(flips[count])} ({flips[count] / (count * one):.3f})" if one and count in flips else NO_VALUE
        for count in counts
    ]


def square_table(rows: list[Row], scaling: str, published: list[Paper]) -> str:
    """ising2d in flips/ns, as tables 3 to 5 of Romero et al., next to the rows of that paper."""
    mine = [row for row in rows if row.model == "ising2d" and row.on_gpus]
    groups = [group for group in groups_of(mine, scaling) if group[0].gpus == 1]
    measured = [({row.gpus: row.flips_per_ns for row in group}, group) for group in groups]
    theirs = [paper for paper in published if paper.scaling == scaling]
    counts = sorted(
        {count for flips, _ in measured for count in flips} | {n for paper in theirs for n in paper.flips_per_ns}
    )
    lines = []
    for flips, group in measured:
        name = title_of(group) if group[0].method == LABORATORY else f"psflip, slabs by IPC, {title_of(group)}"
        lines.append([name, group[0].device, group[0].commit, *square_cells(flips, counts)])
    for paper in theirs:
        name = f"paper 004, {paper.source}: {paper.name}"
        lines.append([name, "V100", NO_VALUE, *square_cells(paper.flips_per_ns, counts)])
    head = [
        f"{scaling} scaling, flips/ns (efficiency)",
        "device",
        "commit",
        *(f"N = {count}" for count in counts),
    ]
    return table(head, lines) if measured else ""


def glass_rows(rows: list[Row]) -> list[Row]:
    """ea3d at one temperature, one problem for all numbers of GPUs."""
    return [
        row
        for row in rows
        if (row.model, row.method) == ("ea3d", "relaxation") and (row.scaling == "strong" or row.gpus == 1)
    ]


def glass_table(rows: list[Row]) -> str:
    """psFlip against L for each number of GPUs, as figure 12 of Lulli, Bernaschi, Parisi."""
    mine = glass_rows(rows)
    counts = sorted({row.gpus for row in mine})
    lines = []
    problems: dict[tuple[str, str, int, int], dict[int, Row]] = {}
    for row in mine:
        problems.setdefault((row.device, row.commit, row.L, row.detail("samples")), {})[row.gpus] = row
    for (device, commit, L, samples), here in sorted(problems.items()):
        if len(here) > 1:
            lines.append([str(L), str(samples), device, commit])
            lines[-1] += [figure(here[count].ps_per_flip) if count in here else NO_VALUE for count in counts]
    head = ["ea3d, L", "samples", "device", "commit", *(f"ps/flip, N = {count}" for count in counts)]
    return table(head, lines) if lines else ""


def overlap_table(measurements: Measurements) -> str:
    """Half sweeps complete, without neighbours, and messages alone."""
    lines = [
        [f"L = {one.L}, {32 * one.packs} samples", str(one.gpus), f"{1e-6 * one.bytes:.3g}"]
        + [f"{1e6 * seconds:.1f}" for seconds in (one.complete, one.without_neighbours, one.messages)]
        + [f"{one.hidden:.2f}"]
        for one in measurements.overlaps
    ]
    head = [
        "ea3d, 4 replicas",
        "GPUs",
        "MB sent by a GPU",
        "half sweep, us",
        "without neighbours, us",
        "messages alone, us",
    ]
    return table([*head, "hidden share of the messages"], lines) if lines else ""


def origin_table(measurements: Measurements) -> str:
    lines = [
        [f"[{one.file}]({one.file})", one.device, one.driver, one.commit, f"`{one.command}`"]
        for one in measurements.origins
    ]
    return table(["file", "device", "driver", "commit", "command"], lines)


def page(measurements: Measurements, drawn: dict[str, str]) -> str:
    """The page of a folder of measurements; `drawn`: names of figures with their captions."""
    rows = measurements.rows
    parts = [
        "# Scaling over several GPUs",
        wrapped(
            "Written by `python -m workflows.scaling` from the JSON files of this folder. N counts GPUs, each with a "
            "rank or a slab, or CPU ranks where the device is a CPU. Efficiency is the speed of N divided by N times "
            "that of one. ps/flip are those of all together: medians of the runs (`tests/mpi/scaling`, `--runs` in the "
            "last table) or the fastest of three series (`psflip-lab`). An efficiency far above 1 means that one GPU is "
            "slow with so few samples. A hidden share above 1 means that the half sweep without neighbours took longer. "
            "Papers: 000 Lulli et al., arXiv:1411.0127; 003 Navarro et al., Comput. Phys. Commun. "
            "205, 48; 004 Romero et al., Comput. Phys. Commun. 256, 107473."
        ),
        *(f"![{name}]({name}.svg)\n\n{wrapped(caption)}" for name, caption in drawn.items()),
        *(efficiency_table(rows, scaling) for scaling in SCALINGS),
        *(square_table(rows, scaling, papers()) for scaling in ("strong", "weak")),
        glass_table(rows),
        overlap_table(measurements),
        origin_table(measurements),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
