"""Crossings of pairs of sizes against the swept field or fraction of bonds: the boundary of a phase as far as sizes show it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pandas as pd

from workflows.statistics.literature import transition_at

KEYS = ["model", "method", "sweep", "part", "h", "p", "seed"]
CROSSING = ["observable", "L1", "L2", "T_crossing", "error", "error_systematic", "value", "value_error", "equilibrated"]
REFERENCE = ["reference", "reference_error", "source"]


def rows_of(table: pd.DataFrame, keys: dict[str, Any]) -> pd.DataFrame:
    """The crossings of one part with its keys and the published transition of its system, if there is one."""
    known = transition_at(keys["model"], keys["h"], keys["p"]) or {}
    reference = {"reference": known.get("value"), "reference_error": known.get("error"), "source": known.get("source")}
    return table[CROSSING].assign(**keys, **reference)[[*KEYS, *CROSSING, *REFERENCE]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", type=Path, help="crossings, in the folders of their parts")
    parser.add_argument(
        "--parts", type=json.loads, required=True, help="JSON: model, method, sweep, h, p, seed of each part"
    )
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    rows = [
        rows_of(pd.read_csv(path), arguments.parts[path.parent.name] | {"part": path.parent.name})
        for path in arguments.tables
    ]
    pd.concat([table.astype(object) for table in rows], ignore_index=True).to_csv(arguments.output, index=False)


if __name__ == "__main__":
    main()
