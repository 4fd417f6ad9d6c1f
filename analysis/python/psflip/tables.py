"""The table of observables of a study."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pandas as pd

from psflip.error import PsflipError
from psflip.selection import study_folder

KEYS = ["model", "method", "L", "h", "p", "T", "t", "seed", "part"]
NUMBERS = ["observable", "value", "error", "error_systematic", "blocks", "tau", "verdict"]


def table(study: str | os.PathLike[str]) -> pd.DataFrame:
    """All observables of a study, one at one point a row, with every key as a column: model, method, L, h, p, T (J / k_B),
    t (sweeps), seed and part; then observable, value, error, error_systematic, blocks, tau (sweeps) and verdict of the
    equilibration test: passed, failed, or empty where it does not apply.

    Tables of 0.2 and before lack some columns; these are taken from study.json next to them, or are missing values.
    Raises PsflipError if there is no such table."""
    folder = study_folder(study)
    path = folder / "tables" / "observables.csv"
    if not path.is_file():
        raise PsflipError(f"{folder} has no tables/observables.csv; run the study to its end.")
    rows = pd.read_csv(path, dtype={"part": "string", "verdict": "string"})
    if "verdict" not in rows:
        rows["verdict"] = rows["equilibrated"].map({1: "passed", 0: "failed"}).astype("string")
    missing = [name for name in (*KEYS, "error_systematic") if name not in rows]
    if missing:
        rows = with_keys_of_study(rows, missing, folder / "study.json")
    return rows[[*KEYS, *NUMBERS]].astype({name: float for name in ("h", "p", "t", "error_systematic")})


def with_keys_of_study(rows: pd.DataFrame, missing: list[str], path: Path) -> pd.DataFrame:
    """Adds columns by the part of the study with the model, method and L of a row; missing where several parts differ."""
    study = json.loads(path.read_text()) if path.is_file() else {"parts": []}
    parts = [key_values(part, study) for part in study["parts"]]
    known = [name for name in ("model", "method") if name in rows]

    def value_at(row: Any, name: str) -> Any:
        mine = [p for p in parts if row.L in p["L"] and all(p[key] == getattr(row, key) for key in known)]
        values = {part.get(name) for part in mine}
        return values.pop() if len(values) == 1 else None

    columns = [*dict.fromkeys([*known, "L"])]
    points = rows[columns].drop_duplicates()
    for name in missing:
        points = points.assign(**{name: [value_at(row, name) for row in points.itertuples(index=False)]})
    return rows.merge(points, on=columns, how="left")


def key_values(part: dict[str, Any], study: dict[str, Any]) -> dict[str, Any]:
    """The keys of a part. A part that names no method has that of its model in 0.1, which these keys tell."""
    sizes = part["L"] if isinstance(part["L"], list) else [part["L"]]
    with_bins = "equilibrium" if "measure_interval" in part else "relaxation"
    method = part.get("method", "tempering" if "exchange_interval" in part else with_bins)
    keys = {"model": part["model"], "method": method, "L": sizes, "part": part["name"], "seed": study.get("seed")}
    return keys | {"h": float(part.get("h", 0)), "p": part.get("p")}
