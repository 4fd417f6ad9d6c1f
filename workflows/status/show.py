"""The state of a study as text and as JSON."""

from __future__ import annotations

from typing import Any

from workflows.status.state import PartState, StudyState

HEADINGS = ("part", "model", "method", "shards", "running", "failed", "waiting", "ps/flip", "time left")
SHOWN_JOBS = 3  # of those that run


def duration(seconds: float | None) -> str:
    """In the largest unit that leaves two digits; `?` where no job has told its speed yet."""
    if seconds is None:
        return "?"
    if seconds == 0:
        return "-"
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}" if seconds < 10 * length else f"{seconds / length:.0f} {unit}"
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"


def speed(part: PartState) -> str:
    value = part.cost.ps_per_flip
    return "?" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def what_runs(part: PartState) -> str:
    more = len(part.running) - SHOWN_JOBS
    words = part.running[:SHOWN_JOBS] + ([f"{more} more"] if more > 0 else [])
    return "; ".join(words + ([f"{len(part.failed)} failed"] if part.failed else []))


def columns(rows: list[tuple[str, ...]], left: int) -> list[str]:
    """Lines of a table: texts of the first columns to the left, numbers to the right."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) if index < left else cell.rjust(width) for index, (cell, width) in enumerate(zip(row, widths)))
        .rstrip()
        for row in rows
    ]  # fmt: skip


def table(state: StudyState) -> list[str]:
    """A line for each part, idle ones too, with what runs behind it."""
    rows = [
        (
            part.part, part.model, part.method, f"{part.shards_done}/{part.shards}", str(len(part.running)),
            str(len(part.failed)), str(part.waiting), speed(part), duration(part.seconds_left),
        )
        for part in state.parts
    ]  # fmt: skip
    return _with_what_runs(columns([HEADINGS, *rows], left=3), state)


def brief_table(state: StudyState) -> list[str]:
    """The same for a terminal of 80 columns; the number of failed jobs stands where what runs does."""
    rows = [
        (part.part, f"{part.shards_done}/{part.shards}", speed(part), duration(part.seconds_left))
        for part in state.parts
    ]
    return _with_what_runs(columns([("part", "shards", "ps/flip", "time left"), *rows], left=1), state)


def _with_what_runs(lines: list[str], state: StudyState) -> list[str]:
    return (
        [f"{text}  {jobs}".rstrip() for text, jobs in zip(lines, ["", *map(what_runs, state.parts)])]
        if state.parts
        else []
    )


def steps(state: StudyState) -> str:
    """How far the last run is, with its analysis."""
    if state.complete:
        return "complete"
    words = ["running" if state.is_running else "not running"]
    words += [f"{state.steps[0]} of {state.steps[1]} steps of the last run done"] if state.steps else []
    stopped = sum(part.stopped for part in state.parts)
    words += [f"{stopped} stopped with a checkpoint"] if stopped else []
    words += [f"analysis: {', '.join(state.analysis)}"] if state.analysis else []
    words += [f"about {duration(state.seconds_left)} left"] if state.seconds_left else []
    return "; ".join(words)


def errors(state: StudyState) -> list[str]:
    """The last error of each part, and those of the analysis."""
    return [part.failed[-1] for part in state.parts if part.failed] + state.errors


def line(state: StudyState) -> str:
    """All in one line, for a log."""
    parts = [f"{part.part} {part.shards_done}/{part.shards}" for part in state.parts]
    failed = sum(len(part.failed) for part in state.parts) + len(state.errors)
    return "; ".join([", ".join(parts), steps(state), *([f"{failed} failed"] if failed else [])]).removeprefix("; ")


def as_json(name: str, state: StudyState) -> dict[str, Any]:
    """The same for programs; times in seconds."""
    return {
        "study": name,
        "complete": state.complete,
        "running": state.is_running,
        "log": str(state.log) if state.log else None,
        "steps_done": state.steps[0] if state.steps else None,
        "steps": state.steps[1] if state.steps else None,
        "seconds_left": state.seconds_left,
        "analysis": state.analysis,
        "errors": errors(state),
        "parts": [
            {
                "part": part.part,
                "model": part.model,
                "method": part.method,
                "shards": part.shards,
                "shards_done": part.shards_done,
                "grids": part.grids,
                "grids_done": part.grids_done,
                "running": len(part.running),
                "failed": len(part.failed),
                "waiting": part.waiting,
                "stopped": part.stopped,
                "ps_per_flip": part.cost.ps_per_flip,
                "seconds_left": part.seconds_left,
                "runs": part.running,
                "error": part.failed[-1] if part.failed else None,
            }
            for part in state.parts
        ],
    }
