"""Tells for every size and temperature of a study where its measurements come from, and their cost.

The sums of a shard keep all that is known of its origin, so they may come from another machine without the shard."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import h5py
import pandas as pd

from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.study.study import Study
from workflows.tables.notation import seconds

TEXTS = ["code_version", "git_commit", "stream_version", "backend", "device", "instruction_set", "random"]


def core_seconds(attributes: dict[str, object]) -> float:
    """Of all shards behind the sums, where a GPU counts as one core, also while it runs several jobs; sums of an earlier
    version hold the times of their only shard."""
    if "core_seconds" in attributes:
        return float(attributes["core_seconds"])
    return float(attributes["seconds"]) * (1 if attributes["backend"] == "cuda" else int(attributes["threads"]))


def working_time(rows: pd.DataFrame) -> str:
    """The time of rows of provenance.csv in words, for example `3.1 min of GPU time`."""
    backends = {name for cell in rows["backend"] for name in str(cell).split(" / ")}
    whose = "GPU" if backends == {"cuda"} else "core and GPU" if "cuda" in backends else "core"
    return f"{seconds(rows['core_seconds'].sum())} of {whose} time"


def of_run(paths: list[str]) -> dict[str, object]:
    """Costs are summed or averaged over the shards of a run; descriptions are listed where shards differ."""
    attributes, samples = [], 0
    for path in paths:
        with h5py.File(path) as file:
            attributes.append(dict(file.attrs))
            temperatures = len(file["temperature"])
            samples += int(sum(file["range_samples"]))
    first = attributes[0]
    # Where an attribute is not written it has its default.
    p = float(first.get("p", 0.5 if first["couplings"] == "bimodal" else 0))
    row: dict[str, object] = {"h": float(first.get("h", 0)), "p": p, "seed": int(first["seed"])}
    row |= {name: " / ".join(sorted({str(a[name]) for a in attributes})) for name in TEXTS}
    row["temperatures"], row["shards"] = temperatures, sum(int(a.get("shards", 1)) for a in attributes)
    row["samples"] = samples
    row["sweeps"] = int(first["sweeps"])
    row["longer_samples"] = sum(32 * int(a.get("longer_packs", 0)) * int(a.get("shards", 1)) for a in attributes)
    row["longer_times"] = int(first.get("longer_times", 1))
    row["replicas"] = int(first["replicas"])
    row["core_seconds"] = sum(core_seconds(a) for a in attributes)
    row["ps_per_flip"] = sum(float(a["ps_per_flip"]) for a in attributes) / len(attributes)
    row["turns"] = int(all(int(a.get("turns", 0)) for a in attributes))
    row["last"] = max(str(a["created"]) for a in attributes)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", type=Path)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    study = Study(read_record(arguments.study))
    rows = []
    for part in study.parts.values():
        for size, temperature in part.runs:
            paths = study.reduced(part, size, temperature)
            point = {"part": part.name, "model": part.model, "method": part.method, "L": size, "T": temperature}
            rows.append(point | of_run(paths))
    pd.DataFrame(rows).to_csv(arguments.output, index=False)


if __name__ == "__main__":
    sys.exit(answered(main))
