"""Tables of speeds as CSV: every timed job, its roofline, other programs, targets."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from workflows.benchmark.jobs import UNITS, Job, groups, is_usual, judged, references, rooflines, speed, with_jobs
from workflows.study.presets import presets

SPEED = [
    "name", "model", "mode", "packing", "backend", "device", "threads", "L", "samples", "replicas", "sweeps", "ps_per_flip",
    "ps_per_flip_updates", "flips_per_ns", "fastest_run", "slowest_run", "measuring_share", "seconds_updates_share",
    "start_up_seconds", "code_version", "git_commit", "created",
]  # fmt: skip
ROOFLINE = [
    "name", "device", "L", "samples", "ps_per_flip_updates", "bytes_per_flip_model", "operations_per_flip_model",
    "philox_calls_per_flip_model", "bytes_per_s", "operations_per_s", "philox_calls_per_s", "share_of_bandwidth",
    "share_of_logic_rate", "share_of_philox_rate", "copy_bandwidth", "logic_rate", "philox_rate", "sms", "clock_mhz",
    "cuda_runtime", "cuda_driver",
]  # fmt: skip
PEER_CODES = ["model", "mode", "name", "device", "L", "value", "unit", "psflip", "psflip_L", "ratio", "source", "basis"]
TARGETS = ["model", "mode", "packing", "machine", "h", "L", "unit", "must", "goal", "value", "verdict"]


def speed_rows(jobs: list[Job]) -> list[dict[str, Any]]:
    return [job | {"fastest_run": min(job["runs"]), "slowest_run": max(job["runs"])} for job in jobs]


def peer_code_rows(jobs: list[Job]) -> list[dict[str, Any]]:
    """Other programs; where psflip ran on the same GPU, with its job of the nearest size."""
    rows = []
    for code in references()["rivals"]:
        unit = UNITS[code["model"]][0]
        for size, value in zip(code.get("L", [None]), code["value"]):
            row = {key: code[key] for key in ("model", "mode", "name", "device", "source", "basis")}
            row |= {"L": size, "value": value, "unit": unit}
            alike = [job for job in jobs if all(job[key] == code[key] for key in ("model", "mode", "device"))]
            same = [job for job in alike if is_usual(job)]
            if presets()[code["model"]].packs_sites:
                same = [job for job in same if job["packing"] == "sites"]
            if same and size is not None:
                mine = min(same, key=lambda job: max(job["L"], size) / min(job["L"], size))
                faster = value / speed(mine) if unit == "ps/flip" else speed(mine) / value
                row |= {"psflip": speed(mine), "psflip_L": mine["L"], "ratio": faster}
            rows.append(row)
    return rows


def target_rows(jobs: list[Job]) -> list[dict[str, Any]]:
    rows = []
    for target in references()["targets"]:
        wanted = target.get("device") or f"one {target['instruction_set']} core"
        row = judged(target, jobs) | {"unit": UNITS[target["model"]][0]}
        rows.append({"packing": "samples", "machine": wanted} | row)
    return rows


def gpu_rows(jobs: list[Job]) -> list[Job]:
    """One job for each GPU that was measured, for its peak rates."""
    return [mine[0] for mine in groups(rooflines(jobs), lambda job: (job["device"], job["copy_bandwidth"])).values()]


def write(path: Path, columns: list[str], rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_tables(arguments: argparse.Namespace, jobs: list[Job]) -> None:
    write(arguments.output / "speed.csv", SPEED, speed_rows(jobs))
    write(arguments.output / "roofline.csv", ROOFLINE, rooflines(jobs))
    write(arguments.output / "rivals.csv", PEER_CODES, peer_code_rows(jobs))
    write(arguments.output / "targets.csv", TARGETS, target_rows(jobs))


def main() -> int:
    return with_jobs(argparse.ArgumentParser(description=__doc__), "folder", write_tables)


if __name__ == "__main__":
    sys.exit(main())
