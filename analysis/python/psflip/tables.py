"""The table of observables of a study."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pandas as pd

from psflip.error import PsflipError
from psflip.selection import agrees, nothing_found, study_folder

KEYS = ["model", "method", "L", "h", "p", "T", "t", "seed", "part"]
NUMBERS = ["observable", "value", "error", "error_systematic", "blocks", "tau", "verdict"]
CONDITIONS = [*KEYS, "observable", "verdict"]


def table(study: str | os.PathLike[str], **where: Any) -> pd.DataFrame:
    """All observables of a study, one at one point a row, with every key as a column: model, method, L, h, p, T (J / k_B),
    t (sweeps), seed and part; then observable, value, error, error_systematic, blocks, tau (sweeps) and verdict of the
    equilibration test: passed, failed, or empty where it does not apply.

    where: conditions on the keys, observable or verdict, a value or a list: h=[0, 0.5], L=8, observable="U4". A part is
    named as in the study file or, of a sweep over h, p or seed, as in the column.
    Tables of 0.2 and before lack some columns; these are taken from study.json next to them, or are missing values.
    Raises PsflipError if there is no such table, another condition, no row with these values, or a damaged
    study.json."""
    folder = study_folder(study)
    path = folder / "tables" / "observables.csv"
    if not path.is_file():
        raise PsflipError(f"{folder} has no tables/observables.csv; run the study to its end.")
    for name in where.keys() - {*CONDITIONS}:
        raise PsflipError(f"There is no condition on {name} of a table; give some of {', '.join(CONDITIONS)}.")
    rows = pd.read_csv(path, dtype={"part": "string", "verdict": "string"})
    if "verdict" not in rows:
        rows["verdict"] = rows["equilibrated"].map({1: "passed", 0: "failed"}).astype("string")
    missing = [name for name in (*KEYS, "error_systematic") if name not in rows]
    record = folder / "study.json"
    content = read_record(record) if record.is_file() else {"parts": []}
    if missing:
        rows = with_keys_of_study(rows, missing, content)
    rows = rows[[*KEYS, *NUMBERS]].astype({name: float for name in ("h", "p", "t", "error_systematic")})
    return chosen(study, rows, where, content)


def read_record(path: Path) -> dict[str, Any]:
    """The study of a results folder. Raises PsflipError if someone has overwritten it."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(content["parts"], list) and all(isinstance(part["name"], str) for part in content["parts"]):
            return content
    except (ValueError, RecursionError, LookupError, TypeError):
        pass
    raise PsflipError(f"{path} is no record of a study; remove it and run the study again.")


def chosen(study: Any, rows: pd.DataFrame, where: dict[str, Any], content: dict[str, Any]) -> pd.DataFrame:
    """The rows with these values, counted anew."""
    there = {name: rows[name].dropna().unique().tolist() for name in where}
    entries = {part["name"]: part["sweep"]["part"] for part in content["parts"] if "sweep" in part}
    kept = pd.Series(True, index=rows.index)
    for name, wanted in where.items():
        kept &= rows[name].isin(
            [have for have in there[name] if any(agrees(one, wanted) for one in names_of(have, entries))]
        )
    if where and not kept.any():
        raise nothing_found(study, where, {name: {*values} or {None} for name, values in there.items()})
    return rows[kept].reset_index(drop=True)


def names_of(value: Any, entries: dict[str, str]) -> list[Any]:
    """What a value of a column agrees with: itself; the parts that share a point, `a / b`, and their entries in the study file."""
    names = value.split(" / ") if isinstance(value, str) else [value]
    return [*names, *(entries[name] for name in names if name in entries)]


def with_keys_of_study(rows: pd.DataFrame, missing: list[str], study: dict[str, Any]) -> pd.DataFrame:
    """Adds columns by the part of the study with the model, method and L of a row; missing where several parts differ."""
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
    keys = {"model": part["model"], "method": method, "L": sizes, "part": part["name"]}
    return keys | {"h": float(part.get("h", 0)), "p": part.get("p"), "seed": part.get("seed", study.get("seed"))}
