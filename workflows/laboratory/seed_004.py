"""The page of paper 004 (Romero et al. 2020): variants of the 2D Ising model, a byte, four bits and one bit a spin."""

from __future__ import annotations

from typing import Any

from workflows.laboratory.blocks import Block, Table, number, peer_speeds, references, table
from workflows.laboratory.layouts import by_processor, nearest_size
from workflows.laboratory.measurements import Measurement, Row, fastest, rows_of

FIGURES = {"ising2d": ("004_sizes",), "bands": ("004_bands",)}
CAPTIONS = {
    "004_sizes": "Flips per ns against L. Filled: here. Grey: the paper on a Tesla V100 (tables 1 and 2).",
    "004_bands": "Fractions of the states that a quench to T = 0 ends in, against L: full marks after L sweeps, hollow at the "
    "end. Lines: critical percolation.",
}
# Names of the paper for the variants, in the order of its tables.
NAMES = {
    "scalar": "plain scalar",
    "numba": "basic, Python (Numba)",
    "basic": "basic, C++ or CUDA",
    "tensor": "tensor core (matrix products)",
    "four_bit": "optimized (four bits a spin)",
    "psflip_samples": "psflip, packed samples",
    "psflip_sites": "psflip, packed sites",
}


def flips_per_ns(row: Row) -> float:
    return 1000 / row["ps_per_flip"]


def speed_table(rows: list[Row]) -> Table:
    lines = [
        [row["processor"], NAMES[row["variant"]], row["generator"], row["L"], number(row.get("bytes_per_spin"))]
        + [number(row["ps_per_flip"]), number(flips_per_ns(row)), number(row["speedup"])]
        for row in sorted(rows, key=lambda row: (row["processor"], list(NAMES).index(row["variant"]), row["L"]))
    ]
    return table(
        "Every timed variant. Bytes: memory for a spin. Speed-up: over the plain scalar update on one CPU thread.",
        ["processor", "variant", "random numbers", "L", "bytes", "ps/flip", "flips/ns", "speed-up"],
        lines,
        numbers=5,
    )


def paper_table(rows: list[Row]) -> Table:
    """Table 1 of the paper, and the variant here at the nearest size on each processor."""
    known = references()["ising2d"]
    here = {name: mine for name, mine in by_processor(rows).items() if any(row["variant"] != "scalar" for row in mine)}
    lines = []
    for row in known["rows"]:
        for size, value in zip(known["sizes"], row["value"]):
            ours = [
                nearest_size([one for one in mine if one["variant"] == row["variant"]], size) for mine in here.values()
            ]
            cells = [f"{number(flips_per_ns(one))} (L = {one['L']})" if one else "–" for one in ours]
            lines.append([NAMES.get(row["variant"], row["variant"]), row["device"], size, f"{value:g}", *cells])
    return table(
        "Table 1 of the paper in flips/ns, next to the same variant here at the nearest size.",
        ["variant", "device", "L", "paper", *here],
        lines,
        numbers=2 + len(here),
    )


def peer_table() -> Table:
    """Table 2 of the paper and other machines, from the references of speed."""
    lines = [
        [row["name"], row["device"], row["source"], size or "–", f"{value:g}"]
        for row in peer_speeds("ising2d")
        for size, value in zip(row.get("L", [None]), row["value"])
    ]
    return table(
        "Other programs and machines in flips/ns; table 2 of the paper is the variant optimized.",
        ["program", "device", "source", "L", "flips/ns"],
        lines,
        numbers=2,
    )


def with_speedups(rows: list[Row]) -> list[Row]:
    """Rows of Numba have no reference in their file: over the scalar update of the nearest size on the same machine."""
    scalar = [row for row in rows if row["variant"] == "scalar"]

    def speedup(row: Row) -> float | None:
        best = nearest_size([one for one in scalar if one["machine"] == row["machine"]], row["L"])
        return row.get("speedup", best and best["ps_per_flip"] / row["ps_per_flip"])

    return [row | {"speedup": speedup(row)} for row in rows]


def states_of(bands: list[Row]) -> list[dict[str, Any]]:
    """A row for each size and state of the paper's remark, with its fractions after L sweeps and at the end."""
    exact = references()["bands"]["states"]
    return [
        {"L": one["L"], "T": one["T"], "of": one["lattices"], "sweeps": one["sweeps"], "state": state,
         "exact": exact[state] if one["T"] == 0 else None} | one["states"][state]
        for one in bands
        for state in exact
    ]  # fmt: skip


def with_error(part: dict[str, float] | None) -> str:
    return f"{part['fraction']:.4f} ± {part['error']:.4f}" if part else "–"


def bands_table(bands: list[Row]) -> Table:
    lines = []
    for row in states_of(bands):
        settled = row.get("settled")
        lines.append(
            [row["state"], row["T"], row["L"], row["of"], row["sweeps"], with_error(row.get("at_L")), with_error(row)]
            + [f"{row['exact']:.4f}" if row["exact"] else "–"]
            + [f"{settled['mean']:.1f} ± {settled['error']:.1f}" if settled else "–"]
        )
    return table(
        "Quench of the 2D ferromagnet from random spins to T below T_c: fractions of lattices in each state after L sweeps and "
        f"at the end, next to critical percolation ({references()['bands']['source']}). Steady after: mean number of sweeps "
        "after which a lattice has the state in which it ends.",
        ["state", "T", "L", "lattices", "sweeps", "after L sweeps", "at the end", "percolation", "steady after"],
        lines,
        numbers=8,
    )


def band_lessons(bands: list[Row]) -> list[str]:
    """The largest size, in units of the statistical error; sizes differ from percolation by corrections."""
    rows = [row for row in states_of(bands) if row["exact"] and row.get("at_L")]
    found = []
    for state in dict.fromkeys(row["state"] for row in rows):
        row = max((one for one in rows if one["state"] == state), key=lambda one: one["L"])
        pull = (row["at_L"]["fraction"] - row["exact"]) / row["at_L"]["error"]
        found.append(f"{state} {with_error(row['at_L'])} ({row['exact']:.4f}, {pull:+.1f} σ, L = {row['L']})")
    return [f"Band states after L sweeps at T = 0, with percolation in brackets: {'; '.join(found)}."] if found else []


def ratio_lesson(best: dict[str, Row], above: str, below: str, paper: float | None, processor: str) -> list[str]:
    """How much faster one variant is than another, here and in the paper."""
    if above not in best or below not in best:
        return []
    ratio = flips_per_ns(best[above]) / flips_per_ns(best[below])
    known = f", {paper:.2f} times in the paper" if paper else ""
    return [f"{NAMES[above]} flips {ratio:.2f} times as fast as {NAMES[below]}{known} ({processor})."]


def lessons(measurements: list[Measurement]) -> list[str]:
    table_1 = {row["variant"]: max(row["value"]) for row in references()["ising2d"]["rows"]}
    optimized = [row for row in peer_speeds("ising2d") if row["name"] == "Romero et al., optimized"]
    table_1["four_bit"] = max(value for row in optimized for value in row["value"])
    found = []
    for processor, mine in by_processor(rows_of(measurements, *NAMES)).items():
        best = {name: fastest([row for row in mine if row["variant"] == name]) for name in NAMES}
        best = {name: row for name, row in best.items() if row}
        for above, below in (("four_bit", "basic"), ("tensor", "basic"), ("numba", "basic")):
            found += ratio_lesson(best, above, below, table_1[above] / table_1[below], processor)
        for above in ("psflip_sites", "psflip_samples"):
            found += ratio_lesson(best, above, "four_bit", None, processor)
    return found + band_lessons([row for one in measurements for row in one.listed("bands")])


def blocks(measurements: list[Measurement]) -> list[Block]:
    rows = with_speedups(rows_of(measurements, *NAMES))
    bands = [row for one in measurements for row in one.listed("bands")]
    figures = {name: Block(figure=name, caption=caption) for name, caption in CAPTIONS.items()}
    return [
        Block(heading="Variants"),
        figures["004_sizes"],
        Block(table=speed_table(rows)),
        Block(table=paper_table(rows)),
        Block(table=peer_table()),
        Block(heading="Band states"),
        figures["004_bands"],
        Block(table=bands_table(bands)),
    ]
