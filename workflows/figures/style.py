"""The look of the figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflows.figures.data import figure_data

if TYPE_CHECKING:
    import pandas as pd

# Sizes differ in lightness and marker, so the figures can be read in grey. Also with deuteranopia, protanopia or tritanopia
# any two colours are at least 20 apart in CIE L*a*b* (a test computes it).
COLOURS = ["#0b2545", "#2a6fb0", "#4fae8f", "#e3a72f", "#d1495b", "#8a2be2", "#54200c"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<"]  # one more than colours, so that no pair comes twice
KEYS = {"T": "$T$", "h": "$h$", "p": "$p$"}  # labels of axes
REFERENCE = {"color": "0.82", "zorder": 0, "linewidth": 0}

plt.rcParams.update(
    {
        "font.family": "STIXGeneral",
        "mathtext.fontset": "stix",
        "font.size": 11,
        "axes.labelsize": 12,
        "axes.linewidth": 0.7,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.direction": "in",
        "ytick.direction": "in",
        "xtick.major.width": 0.7,
        "ytick.major.width": 0.7,
        "legend.frameon": False,
        "legend.fontsize": 10,
        "legend.handlelength": 1.6,
        "lines.linewidth": 1.1,
        "lines.markersize": 4.2,
        "errorbar.capsize": 0,
        "figure.constrained_layout.use": True,
        "svg.fonttype": "path",
        "svg.hashsalt": "psflip",  # the same figure gives the same file
    }
)


def looks(names: list[int]) -> Iterator[tuple[int, dict[str, object]]]:
    """Each size with its colour and marker."""
    for index, name in enumerate(names):
        yield name, {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)]}


def points(axes: Axes, rows: pd.DataFrame, x: str, look: dict[str, object], label: str, line: str = "none") -> None:
    """Points with error bars (one standard error)."""
    rows = rows.dropna(subset=["value"]).sort_values(x)
    axes.errorbar(
        rows[x], rows["value"], yerr=rows["error"], linestyle=line, linewidth=0.8, elinewidth=0.9, label=label,
        markeredgewidth=0.5, markeredgecolor="white", **look,
    )  # fmt: skip


def parametric(
    axes: Axes, rows: pd.DataFrame, observable: str, least: float, look: dict[str, object], label: str
) -> None:
    """An observable against R_xi, with time as the parameter, where R_xi is larger than `least` of its errors."""
    pair = {name: rows[rows["observable"] == name].set_index("t") for name in (observable, "xi_over_L")}
    both = pair[observable].join(pair["xi_over_L"], rsuffix="_x").dropna(subset=["value", "value_x"])
    both = both[both["value_x"] > least * both["error_x"]]
    axes.errorbar(
        both["value_x"], both["value"], xerr=both["error_x"], yerr=both["error"], linestyle="-", linewidth=0.6,
        elinewidth=0.8, markeredgecolor="white", label=label, **look,
    )  # fmt: skip


def band(axes: Axes, known: dict[str, Any], grey: str = REFERENCE["color"], across: bool = True) -> None:
    """A published value with its error."""
    span = axes.axhspan if across else axes.axvspan
    span(known["value"] - known["error"], known["value"] + known["error"], **(REFERENCE | {"color": grey}))


@dataclass(frozen=True)
class Output:
    """The folder of the figures of one model, and the prefix of their names."""

    folder: Path
    prefix: str

    def save(self, figure: Figure, name: str) -> None:
        save(figure, self.folder, f"{self.prefix}_{name}")


def save(figure: Figure, folder: Path, name: str) -> None:
    """The figure as NAME.svg, with the numbers that it shows as CSV in the description of its metadata."""
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Description": figure_data(figure) or None})
    plt.close(figure)
