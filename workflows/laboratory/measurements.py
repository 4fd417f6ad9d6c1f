"""Files of psflip-lab: provenance, the rows of its tables, and the words by which a page finds them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workflows.study.error import StudyError
from workflows.study.reading import read_json

Row = dict[str, Any]

MOST_BYTES = 20_000_000
REMEDY = "write the file by psflip-lab, or remove it and run the study again"
# Provenance that every file has.
KEYS = ("command", "created", "machine", "table")
# What every row of `table` has: texts, then numbers above 0.
TEXTS, NUMBERS = ("system", "variant", "layout", "generator"), ("L", "ps_per_flip")


@dataclass(frozen=True)
class Measurement:
    """One file of psflip-lab."""

    path: Path
    content: dict[str, Any]
    rows: list[Row] = field(default_factory=list)  # of `table`, each with its processor, machine and file

    @property
    def seed(self) -> str:
        return self.path.name[:3]

    @property
    def command(self) -> str:
        return self.content["command"]

    def processor(self, row: Row) -> str:
        """The GPU for rows of a GPU, else one thread of the processor."""
        if row.get("device") == "cuda":
            return str(self.content.get("gpu") or "GPU")
        kind = "rank" if "ranks" in row else "thread"
        count = int(row.get("ranks", row.get("threads", 1)))
        return f"{self.content['machine']}, {count} {kind}{'s' if count > 1 else ''}"

    def listed(self, key: str) -> list[Row]:
        """Rows of another table of the file, each with its processor."""
        return [row | {"processor": self.processor(row)} for row in self.content.get(key, [])]


def read_measurement(path: Path) -> Measurement:
    """StudyError in one sentence if the file is none of psflip-lab."""
    content = read_json(path, REMEDY, MOST_BYTES)
    if not isinstance(content, dict) or not isinstance(content.get("table"), list):
        raise StudyError(f"{path}: no file of psflip-lab; {REMEDY}")
    for key in KEYS:
        if key not in content:
            raise StudyError(f"{path}: lacks the key '{key}'; {REMEDY}")
    for index, row in enumerate(content["table"]):
        _check(path, index, row)
    found = Measurement(path, content)
    origin = {"machine": content["machine"], "file": path.stem}
    found.rows.extend(row | {"processor": found.processor(row)} | origin for row in content["table"])
    return found


def _check(path: Path, index: int, row: Any) -> None:
    if not isinstance(row, dict):
        raise StudyError(f"{path}: table[{index}] is no row; {REMEDY}")
    for key in TEXTS:
        if not isinstance(row.get(key), str):
            raise StudyError(f"{path}: table[{index}] lacks the text '{key}'; {REMEDY}")
    for key in NUMBERS:
        value = row.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
            raise StudyError(f"{path}: table[{index}].{key} is no number above 0; {REMEDY}")


def of_seed(measurements: list[Measurement], seed: str) -> list[Measurement]:
    return [one for one in measurements if one.seed == seed]


def rows_of(measurements: list[Measurement], *variants: str) -> list[Row]:
    """The timings of some algorithms, all files together."""
    return [row for one in measurements for row in one.rows if row["variant"] in variants]


def processors(rows: list[Row]) -> list[str]:
    """Each once, in the order of the rows."""
    return list(dict.fromkeys(row["processor"] for row in rows))


def fastest(rows: list[Row]) -> Row | None:
    return min(rows, key=lambda row: row["ps_per_flip"], default=None)
