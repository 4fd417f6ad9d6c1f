"""The page of a benchmark study: speeds, shares of the peak rates, targets, other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from workflows.benchmark.jobs import TITLES, USUAL_METHODS, Job, equal_field, groups, rooflines, with_jobs
from workflows.benchmark.tables import gpu_rows, peer_code_rows, target_rows
from workflows.report.page import Figures, citation, render_page

Table = dict[str, Any]

RANDOM = {"shared": "one number for 32 samples", "independent": "own numbers"}


def number(value: float | None, digits: int = 3) -> str:
    """A measured value with this many digits, the last zeros too."""
    if value in (None, ""):
        return "–"
    return f"{value:#.{digits}g}".rstrip(".") if value < 1000 else f"{value:,.0f}".replace(",", " ")


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %" if value > 0.095 or value == 0 else f"{100 * value:.1f} %"


def kind(row: dict[str, Any]) -> list[str]:
    """Model and way of simulating it, as two cells."""
    packing = ", packed sites" if row.get("packing") == "sites" else ""
    field = "" if equal_field(row) else f", h = {row['h']:g}"
    method = "" if row.get("method") in (None, USUAL_METHODS.get(row["model"])) else f", {row['method']}"
    rounds = row.get("measure_interval", 0) // row.get("exchange_interval", 1)
    sums = f", sums every {rounds} rounds" if rounds > 1 else ""
    return [TITLES[row["model"]] + method + field + sums, RANDOM[row["mode"]] + packing]


def speed_table(jobs: list[Job]) -> Table:
    rows = []
    for job in jobs:
        spread = f"{number(min(job['runs']))} – {number(max(job['runs']))}"
        shape = [job["L"], job["samples"], job["replicas"]]
        speeds = [number(job["ps_per_flip"]), spread, number(job["flips_per_ns"])]
        updates = job.get("seconds_updates_share", 1 - job["measuring_share"] if "measuring_share" in job else None)
        rows.append([*kind(job), job["machine"], *shape, *speeds, percent(updates)])
    return {
        "caption": "Every timed job. ps/flip is wall time over attempted flips, making the lattices and measuring them included: "
        "median and range of the runs. Updates: share of the time that went into flips alone.",
        "head": [
            "model",
            "random numbers",
            "machine",
            "L",
            "samples",
            "replicas",
            "ps/flip",
            "range",
            "flips/ns",
            "updates",
        ],
        "text": ["model", "random numbers", "machine"],
        "rows": rows,
    }


def target_table(jobs: list[Job]) -> Table:
    rows = []
    for row in target_rows(jobs):
        limits = [f"{row[key]:g}" if key in row else "–" for key in ("must", "goal")]
        speeds = [*limits, number(row["value"])]
        field = f"{row['h']:g}" if "h" in row else ""
        rows.append([*kind(row), row["machine"], field, row["L"], row["unit"], *speeds, row["verdict"]])
    return {
        "caption": "Required, target and measured speed of psflip, in ps/flip (lower is better) or flips/ns (higher is better).",
        "head": [
            "model",
            "random numbers",
            "machine",
            "h, if not J",
            "L",
            "unit",
            "must",
            "goal",
            "measured",
            "verdict",
        ],
        "text": ["model", "random numbers", "machine", "unit", "verdict"],
        "rows": rows,
    }


def peer_code_table(jobs: list[Job]) -> Table:
    rows = []
    for row in peer_code_rows(jobs):
        ratio = f"{row['ratio']:.1f} (L = {row['psflip_L']})" if "ratio" in row else "–"
        value = f"{row['value']:g} {row['unit']}"
        rows.append([row["name"], row["device"], row["L"] or "–", value, ratio, row["basis"], row["source"]])
    return {
        "caption": "Other programs. The ratio is how many times faster psflip flips on the same GPU, at its nearest size. "
        "Basis: the speed was read in the source, that program was run here, it is arithmetic, or it is recalled.",
        "head": ["program", "device", "L", "speed", "psflip faster", "basis", "source"],
        "text": ["program", "device", "basis", "source"],
        "rows": rows,
    }


def gpu_table(jobs: list[Job]) -> Table:
    rows = []
    for job in gpu_rows(jobs):
        peaks = [1e-12 * job["copy_bandwidth"], 1e-12 * job["logic_rate"], 1e-9 * job["philox_rate"]]
        rows.append(
            [
                job["device"],
                job["sms"],
                number(job["clock_mhz"], 4),
                *map(number, peaks),
                job["cuda_runtime"],
                job["cuda_driver"],
            ]
        )
    head = ["GPU", "multiprocessors", "MHz", "copies, TB/s", "logic, 10¹²/s", "Philox, 10⁹/s", "CUDA", "driver"]
    caption = "Peak rates of the GPU, measured by psflip bench: bytes read and written by copies, LOP3 on 32-bit words, calls of Philox4x32-10."
    return {"caption": caption, "head": head, "text": ["GPU"], "rows": rows}


def roofline_table(jobs: list[Job]) -> Table:
    rows = []
    for job in rooflines(jobs):
        model = [job[f"{key}_per_flip_model"] for key in ("bytes", "operations", "philox_calls")]
        rates = [1e-12 * job["bytes_per_s"], 1e-12 * job["operations_per_s"]]
        shares = [percent(job[f"share_of_{key}"]) for key in ("bandwidth", "logic_rate", "philox_rate")]
        rows.append([job["name"], number(job["ps_per_flip_updates"]), *map(number, model + rates), *shares])
    return {
        "caption": "Updates alone against the least work per flip that docs/benchmark.md counts.",
        "head": [
            "job",
            "ps/flip",
            "bytes/flip",
            "operations/flip",
            "Philox/flip",
            "TB/s",
            "10¹² op/s",
            "of copies",
            "of logic",
            "of Philox",
        ],
        "text": ["job"],
        "rows": rows,
    }


def verdict(jobs: list[Job]) -> str:
    """One sentence for the reader who reads only one."""
    verdicts = [row["verdict"] for row in target_rows(jobs)]
    measured = [text for text in verdicts if text != "not measured"]
    reached = sum(text.endswith("reached") for text in measured)
    return (
        f"{reached} of {len(measured)} measured targets are reached; {len(verdicts) - len(measured)} were not measured."
    )


def origin(jobs: list[Job]) -> list[str]:
    """The commit and the measured jobs of each machine, a line a machine."""
    lines = []
    for device, mine in groups(jobs, lambda job: job["device"]).items():
        commits = " / ".join(sorted({str(job.get("git_commit", "unknown")) for job in mine}))
        days = sorted({str(job["created"])[:10] for job in mine if "created" in job})
        lines.append(f"{device}: {len(mine)} jobs by psflip at commit {commits}" + (f", {days[-1]}" if days else ""))
    return lines


def write_page(arguments: argparse.Namespace, jobs: list[Job]) -> None:
    page = render_page(
        "benchmark/report.html.j2",
        title=arguments.title,
        files=arguments.benchmarks,
        origin=origin(jobs),
        verdict=verdict(jobs),
        figures={path.stem for path in arguments.figures},
        figure=Figures(arguments.figures),
        speeds=speed_table(jobs),
        targets=target_table(jobs),
        peer_codes=peer_code_table(jobs),
        gpus=gpu_table(jobs),
        rooflines=roofline_table(jobs),
        tables=arguments.tables,
        command=arguments.command,
        citation=citation(),
    )
    arguments.output.write_text(page, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", nargs="+", required=True, type=Path)
    for name in ("title", "tables", "command"):
        parser.add_argument(f"--{name}", required=True)
    return with_jobs(parser, "page (HTML)", write_page)


if __name__ == "__main__":
    sys.exit(main())
