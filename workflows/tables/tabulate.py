"""Joins the tables of all sizes into one tidy table, one observable at one point a row, and counts the temperature slots
that are in equilibrium where temperatures exchange."""

from __future__ import annotations

import argparse
import json
from itertools import groupby
from pathlib import Path

import pandas as pd

KEYS = ["model", "method", "L", "h", "p", "T", "t", "seed", "part"]
NUMBERS = ["observable", "value", "error", "error_systematic", "blocks", "tau", "verdict", "equilibrated"]
VERDICT = {"1": "passed", "0": "failed"}
SYSTEM = ["model", "method", "L", "h", "p", "seed"]
VERDICTS = ["part", *SYSTEM, "slots", "T_min", "T_max", "passed_even", "passed_first_powers", "even_fails_at"]


def joined(tables: dict[str, list[pd.DataFrame]]) -> pd.DataFrame:
    """All points, from the tables of each part. Parts may share some, which are listed once with the names of all."""
    whole = pd.concat([table.assign(part=part) for part, some in tables.items() for table in some], ignore_index=True)
    whole["error_systematic"] = ""  # of crossings and limits alone
    whole["verdict"] = whole["equilibrated"].map(VERDICT).fillna("")
    point = [name for name in whole.columns if name != "part"]
    shared = whole.duplicated(point, keep=False)
    if shared.any():
        whole.loc[shared, "part"] = whole[shared].groupby(point, sort=False)["part"].transform(" / ".join)
    other = [name for name in whole.columns if name not in [*KEYS, *NUMBERS]]
    return whole[[*KEYS, *NUMBERS, *other]].drop_duplicates()


def intervals(temperatures: list[str], chosen: list[bool]) -> str:
    """Runs of neighbouring slots: the first and the last of each."""
    runs = [[t for t, _ in run] for take, run in groupby(zip(temperatures, chosen), lambda pair: pair[1]) if take]
    return " ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def verdict(part: str, table: pd.DataFrame) -> list[object]:
    """How many slots of one size passed, for even moments of m (by U4) and for first powers (by chi_con)."""
    slots = table[table["observable"] == "U4"].sort_values("T", key=pd.to_numeric)
    even = [passed == "1" for passed in slots["equilibrated"]]
    first_powers = (table["observable"] == "chi_con") & (table["equilibrated"] == "1")
    temperatures = [f"{float(t):.6g}" for t in slots["T"]]
    failed = intervals(temperatures, [not passed for passed in even])
    system, ends = [table[key].iloc[0] for key in SYSTEM], [temperatures[0], temperatures[-1]]
    return [part, *system, len(slots), *ends, sum(even), int(first_powers.sum()), failed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--parts", type=json.loads, required=True, help="JSON: method, h, p and seed of every part")
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--verdicts", required=True, type=Path)
    arguments = parser.parse_args()
    # Text throughout, so that every digit is as the analysis wrote it.
    parts: dict[str, list[pd.DataFrame]] = {}
    for path in arguments.tables:
        keys = {key: "" if value is None else str(value) for key, value in arguments.parts[path.parent.name].items()}
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
        # Tables of 0.2 and before lack some keys.
        table = table.assign(**{key: value for key, value in keys.items() if key not in table})
        table = table.reindex(columns=[*dict.fromkeys([*KEYS, *table.columns])], fill_value="")
        parts.setdefault(path.parent.name, []).append(table)
    joined(parts).to_csv(arguments.output, index=False)
    rows = [
        verdict(part, table)
        for part, some in parts.items()
        for table in some
        if arguments.parts[part]["method"] == "tempering"
    ]
    pd.DataFrame(rows, columns=VERDICTS).to_csv(arguments.verdicts, index=False)


if __name__ == "__main__":
    main()
