"""The numbers that a figure shows, as CSV, for readers who want to draw them again."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch

COLUMNS = ["panel", "x_axis", "y_axis", "series", "x", "x_error", "y", "y_error"]
Row = tuple[float, float, float, float]  # x, its error, y, its error; NaN where there is no error


def _half_lengths(container: ErrorbarContainer, axis: int, count: int) -> np.ndarray:
    """Half the lengths of the error bars along an axis, one for each point."""
    found = [container.has_xerr, container.has_yerr]
    if not found[axis]:
        return np.full(count, np.nan)
    bars = container.lines[2][axis if found[0] else 0].get_paths()
    lengths = [np.ptp(path.vertices[:, axis]) / 2 for path in bars if len(path.vertices) == 2]
    return np.array(lengths) if len(lengths) == count else np.full(count, np.nan)


def _points(line: Line2D) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)


def _series(axes: Axes) -> Iterator[tuple[str, list[Row]]]:
    """Label and rows of everything that is drawn from numbers. Lines across a panel are left out."""
    inside: set[Line2D] = set()
    for container in axes.containers:
        if isinstance(container, ErrorbarContainer) and container.lines[0] is not None:
            inside |= {container.lines[0], *container.lines[1]}
            x, y = _points(container.lines[0])
            errors = [_half_lengths(container, axis, len(x)) for axis in (0, 1)]
            yield str(container.get_label()), list(zip(x, errors[0], y, errors[1]))
    for line in axes.lines:
        if line not in inside and line.get_transform() == axes.transData:
            x, y = _points(line)
            none = np.full(len(x), np.nan)
            yield str(line.get_label()), list(zip(x, none, y, none))
    for patch in axes.patches:
        if isinstance(patch, StepPatch):
            values, edges, _ = patch.get_data()
            none = np.full(len(values), np.nan)
            yield str(patch.get_label()), list(zip(edges[:-1], none, values, none))


def _plain(text: str) -> str:
    """A label without the dollar signs of formulas; matplotlib's names of series without a label begin with "_"."""
    return "" if text.startswith("_") else text.replace("$", "").replace("\n", " ")


def figure_data(figure: Figure) -> str:
    """One row for each point of each panel; empty if the figure has no points."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for panel, axes in enumerate(figure.axes, 1):
        names = [panel, _plain(axes.get_xlabel()), _plain(axes.get_ylabel())]
        drawn = [(label, rows) for label, rows in _series(axes) if rows]
        for number, (label, rows) in enumerate(drawn, 1):
            name = _plain(label) or f"series {number}"
            for row in rows:
                writer.writerow([*names, name, *("" if np.isnan(value) else f"{value:.9g}" for value in row)])
                count += 1
    return file.getvalue() if count else ""
