"""The figure of the distribution of the overlap: P(q) at a few temperature slots, all sizes of a part in one panel, and the link
overlap at a given q where the study requests it."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from workflows.figures.style import looks, save
from workflows.statistics.literature import transition_at
from workflows.tables.table import read, select, settled, sizes

UNSETTLED = {"color": "0.6", "markerfacecolor": "white", "markeredgecolor": "0.6"}


def temperatures(table: pd.DataFrame) -> list[tuple[str, float]]:
    """What a panel shows, and its temperature: the coldest one that all sizes reach, and the published transition if it lies
    within all grids, else the middle slot of the largest size."""
    ranges = table.groupby("L")["T"].agg(["min", "max"])
    cold, hot = float(ranges["min"].max()), float(ranges["max"].min())
    first = table.iloc[0]
    known = transition_at(first["model"], None, float(first["p"])) if first["h"] == 0 else None
    if known and cold < known["value"] < hot:
        return [("coldest slots", cold), ("near $T_c$", float(known["value"]))]
    slots = sorted(select(table, L=sizes(table)[-1])["T"].unique())
    return [("coldest slots", cold), ("middle slots", float(slots[len(slots) // 2]))]


def slot_near(table: pd.DataFrame, t: float) -> pd.DataFrame:
    """The rows of the slot of one size whose temperature is nearest."""
    slots = table["T"].unique()
    return select(table, T=min(slots, key=lambda slot: abs(slot - t)))


def draw_slot(axes: Axes, slot: pd.DataFrame, column: str, look: dict[str, object]) -> None:
    """A column with its errors against q; grey and open where the slot is not in equilibrium."""
    rows = slot.sort_values("q")
    label = f"$L={rows['L'].iloc[0]}$, $T={rows['T'].iloc[0]:.4g}$"
    if not settled(rows).all():
        look = look | UNSETTLED
        label += ", not in equilibrium" if rows["equilibrated"].notna().all() else ", equilibrium not tested"
    axes.errorbar(
        rows["q"], rows[column], yerr=rows[f"{column}_error"], linestyle="-", linewidth=0.7, elinewidth=0.8, markersize=3.2,
        label=label, **look,
    )  # fmt: skip


def draw_panel(axes: Axes, table: pd.DataFrame, column: str, t: float) -> None:
    """A column against q at the slots nearest to a temperature, one curve for each size that has it."""
    for size, look in looks(sizes(table)):
        mine = select(table, L=size).dropna(subset=[column])
        if len(mine):
            draw_slot(axes, slot_near(mine, t), column, look)
    axes.legend(fontsize=8)
    axes.set(xlabel="$q$")


def draw(table: pd.DataFrame) -> plt.Figure:
    """Panels of P(q), and of the mean link overlap at q at the coldest slots that have it."""
    wanted = temperatures(table)
    linked = table.dropna(subset=["q_link"])
    figure, panels = plt.subplots(
        1, len(wanted) + (len(linked) > 0), figsize=(4.2 * len(wanted) + 4.2 * (len(linked) > 0), 3.8)
    )
    for axes, (title, t) in zip(panels, wanted):
        draw_panel(axes, table, "P", t)
        axes.set(title=title, ylabel="$P(q)$", xlim=(-1, 1))
        axes.set_ylim(bottom=0)
    if len(linked):
        draw_panel(panels[-1], table[table["q"] >= 0], "q_link", float(linked["T"].min()))
        panels[-1].set(title="link overlap", ylabel=r"$[q_l\,|\,q]$", xlim=(0, 1))
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--part", required=True)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    table = pd.concat([read(path) for path in arguments.tables], ignore_index=True)
    save(draw(table), arguments.output, f"{arguments.part}_overlaps")


if __name__ == "__main__":
    main()
