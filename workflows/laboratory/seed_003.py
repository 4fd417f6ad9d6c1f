"""The page of paper 003 (Navarro, Huang, Deng 2015): random fields in boxes, a step of tempering, adapted temperatures."""

from __future__ import annotations

from typing import Any

from workflows.laboratory.blocks import Block, Table, number, percent, references, table
from workflows.laboratory.measurements import Measurement, Row

FIGURES = {"field_tiles": ("003_times",), "temperature_grids": ("003_rates",)}
MOST_OF_RATIO = 0.2  # relative error up to which a ratio of round trips is told
CAPTIONS = {
    "003_times": "Time of a flip (left) and of a step of exchange Monte Carlo of one realization, divided by the spins of its slots "
    "(right), against L (figure 7 of the paper). A line style for each processor.",
    "003_rates": "Exchange rate of each interval against its colder temperature (figure 9 of the paper, right) and lowest, mean and highest "
    "rate after each adaptation run of the adaptive grid (left).",
}
NAMES = {
    "scalar": "scalar",
    "scalar_threads": "scalar",
    "tiles": "double checkerboard",
    "psflip": "psflip, packed samples",
}
GRIDS = {
    "sparse": "sparse, equal distances",
    "dense": "dense, equal distances",
    "adaptive": "adaptive, inserted slots",
    "equal_rates": "psflip, equal rates",
    "more_slots": "psflip, equal rates, more slots",
}
# Rows of table 1 of the paper by our names.
PAPER = {"sparse": "sparse", "dense": "dense", "adaptive": "adaptive_simulation"}
WHY = (
    "The paper keeps a configuration in its memory and swaps two temperatures. psflip keeps the temperatures and moves the "
    "configurations: a word holds one slot of many realizations, which share the thresholds of that slot and decide about exchanges "
    "one by one. With swapped temperatures the bits of a word would have different temperatures, and every update would need "
    "thresholds of its own for each bit. A move exchanges the bits of those realizations that accept, once in a round. Energies and "
    "decisions are needed either way."
)
LENGTH = (
    "Figure 10 of the paper at its length, 5,000 steps of 10 sweeps, was simulated on one H100: results/published/rfim3d_length "
    "(config/rfim3d_length.yaml). Every point is tested for equilibration; the paper shows no such test. For U4 and xi/L all slots of "
    "L = 8 and 16 pass. Between T = 3.5 and 4 no slot of L = 32 or 64 passes; this interval contains the transition, T = 3.8 to 3.9. A "
    "random start at L = 64 needs at least 800,000 sweeps around the crossings (docs/rfim3d.md)."
)


def all_grids(measurements: list[Measurement]) -> list[list[Row]]:
    """The grids of each file, small lattices first."""
    groups = [rows for one in measurements if (rows := one.listed("grids"))]
    return sorted(groups, key=lambda rows: rows[0]["L"])


def flips_of(measurements: list[Measurement]) -> list[Row]:
    """The timings of flips, not those of the grids."""
    return [row for one in measurements if "steps" in one.content for row in one.rows]


def named(rows: list[Row], name: str) -> Row | None:
    return next((row for row in rows if row["grid"] == name), None)


def flips_table(rows: list[Row]) -> Table:
    lines = [
        [row["processor"], NAMES[row["variant"]], row.get("tile", "–"), row.get("hits", "–"), row["L"]]
        + [f"{row.get('realizations', 1):.0f}", number(row["ps_per_flip"]), number(row["speedup"])]
        for row in rows
    ]
    return table(
        "Time of a flip in ps at h = J and the temperature of the middle slot. psflip updates many realizations at once, as many as the "
        "words of all threads have bits; the others update one. Boxes as long as the lattice have no boundary along that axis. "
        "Paper (Tesla K40, figure 7): with 100 hits over two orders of magnitude faster than one core, over one order than 16 cores; "
        "without hits 6 to 7 times faster than 16 cores.",
        ["processor", "update", "box", "hits", "L", "realizations", "ps/flip", "speed-up"],
        lines,
        numbers=5,
    )


def steps_of_gpu(measurements: list[Measurement]) -> list[Row]:
    """Steps of psflip on a GPU: those of the sparse grids, which are simulated there."""
    grids = [row for one in measurements for row in one.listed("grids") if row["grid"] == "sparse"]
    return [
        {key: row[key] for key in ("L", "slots", "interval", "processor", "device")}
        | {"variant": "psflip", "realizations": row["samples"]}
        | {"seconds_per_step": row["seconds"] / row["steps"] / row["samples"]}
        for row in grids
        if row["device"] == "cuda"
    ]


def speedups_of_steps(measurements: list[Measurement]) -> list[Row]:
    """Steps with their speed-up over those of the scalar update with one thread of the same file."""
    found, on_gpu = [], steps_of_gpu(measurements)
    for one in measurements:
        rows = one.listed("steps")
        scalar = {(row["L"], row["slots"]): row["seconds_per_step"] for row in rows if row["variant"] == "scalar"}
        processors = {row["processor"] for row in rows}
        rows += [row for row in on_gpu if row["processor"] in processors and (row["L"], row["slots"]) in scalar]
        found += [row | {"speedup": scalar[row["L"], row["slots"]] / row["seconds_per_step"]} for row in rows]
    return found


def steps_table(rows: list[Row]) -> Table:
    lines = [
        [row["processor"], NAMES[row["variant"]], row.get("tile", "–"), row["L"], row["slots"], row["interval"]]
        + [f"{row['realizations']:.0f}", number(1e3 * row["seconds_per_step"]), number(row["speedup"])]
        for row in rows
    ]
    return table(
        "Time of a step of exchange Monte Carlo of one realization in ms: sweeps of all slots, energies, one round of exchanges. psflip "
        "simulates many realizations at once, and its time is divided by their number; on a GPU it is that of the sparse grid of the "
        "table of grids. Boxes are tried once.",
        ["processor", "update", "box", "L", "slots", "sweeps", "realizations", "ms a step", "speed-up"],
        lines,
        numbers=6,
    )


def exchange_table(rows: list[Row]) -> Table:
    lines = []
    for row in (row for row in rows if "seconds_of_exchange" in row):
        sweep, exchange, move = (row[f"seconds_of_{name}"] for name in ("sweep", "exchange", "moves"))
        lines.append(
            [row["processor"], row["L"], row["slots"], f"{row['realizations']:.0f}", number(1e3 * sweep)]
            + [number(1e3 * exchange), number(1e3 * move), f"{exchange / sweep:.2f}"]
            + [f"{100 * move / (sweep * row['interval'] + exchange):.1f} %"]
        )
    return table(
        "A round of exchanges of psflip next to a sweep of all its slots and realizations, in ms. The moves are timed alone, by the same "
        "exchange of bits of as many words; swapped temperatures would save them. The last column is their share of a step.",
        ["processor", "L", "slots", "realizations", "sweep", "round", "moves", "round / sweep", "moves / step"],
        lines,
        numbers=8,
    )


def ratios(rows: list[Row]) -> list[dict[str, Any]]:
    """Each grid with its times over the simulation on the dense grid, as they are and for equal errors of C and U4."""
    dense = named(rows, "dense")
    if not dense:
        return []
    found = []
    for row in rows:
        simulation, trials = row["seconds"] / dense["seconds"], row["seconds_of_trials"] / dense["seconds"]
        more = {"simulation": simulation, "trial_runs": trials, "sum": simulation + trials}
        for name in ("C", "U4"):
            variance = row.get(f"variance_{name}")
            more[name] = None if variance is None else simulation * variance
            more[f"sum_{name}"] = None if variance is None else simulation * variance + trials
        found.append(row | more)
    return found


def paper_ratio(size: int, name: str) -> str:
    """Simulation and, for the adaptive grid, adaptation runs and their sum over the dense simulation."""
    seconds = references()["adaptive"]["seconds"].get(size, {})
    if not seconds or name not in PAPER:
        return "–"
    text = f"{seconds[PAPER[name]] / seconds['dense']:.3f}"
    if name != "adaptive":
        return text
    trials = seconds["adaptive_trials"]
    total = seconds["adaptive_simulation"] + trials
    return f"{text}; runs {trials / seconds['dense']:.3f}; sum {total / seconds['dense']:.3f}"


def grids_table(groups: list[list[Row]]) -> Table:
    lines = [
        [row["processor"], row["L"], GRIDS[row["grid"]], row["slots"], number(row["seconds"])]
        + [row.get("trial_samples", row["samples"]) if row["trials"] else "–"]
        + [number(row["seconds_of_trials"]) if row["trials"] else "–", f"{row['simulation']:.3f}"]
        + [f"{row['trial_runs']:.3f}" if row["trials"] else "–", f"{row['sum']:.3f}"]
        + [f"{row[name]:.3f}" if row[name] is not None else "–" for name in ("C", "sum_C", "U4", "sum_U4")]
        + [paper_ratio(row["L"], row["grid"])]
        for rows in groups
        for row in ratios(rows)
    ]
    return table(
        "Table 1 of the paper: seconds of the simulation and of the adaptation runs, and ratios over the simulation on the dense grid. At "
        "equal error the ratio of the simulation is multiplied by the squared error over that of the dense grid, geometric mean over the slots of the sparse "
        "grid; errors are those of the jackknife over 32 blocks of realizations, so a squared error has a relative error of 25 % in one slot. Paper: 100 realizations, 2,000 "
        "steps of 10 sweeps, two Tesla K40; its sum at L = 32 is printed as 1209.49, the two terms add up to 1208.84. An adaptation run "
        "of psflip simulates at least 32 realizations, those of a word, the paper's by its times one; so its time is a larger part.",
        [
            "processor",
            "L",
            "grid",
            "slots",
            "simulation, s",
            "realizations of a run",
            "runs, s",
            "simulation",
            "runs",
            "sum",
            "equal error of C",
            "sum",
            "equal error of U4",
            "sum",
            "paper",
        ],
        lines,
        numbers=12,
    )


def paper_words(size: int) -> str:
    """The ratio of the adaptive grid in the paper at this size, else at L = 32."""
    known = references()["adaptive"]["seconds"]
    nearest = size if size in known else 32
    seconds = known[nearest]
    return f"paper {seconds[PAPER['adaptive']] / seconds['dense']:.2f} at L = {nearest}"


def rates_table(groups: list[list[Row]]) -> Table:
    lines = []
    for row in (row for rows in groups for row in rows):
        trips = row.get("flips_per_round_trip")
        lines.append(
            [row["L"], GRIDS[row["grid"]], row["slots"], row["samples"], row["steps"]]
            + [percent(row["lowest_rate"]), percent(row["mean_rate"]), percent(row["highest_rate"])]
            + ["–" if trips is None else f"{1e9 / trips:.3g} ± {1e9 * row['flips_error'] / trips**2:.2g}"]
            + [f"{row['passed']} of {row['slots']}"]
        )
    return table(
        "Exchange rates and round trips of a configuration from the coldest to the hottest slot and back, per 10^9 flips of all "
        "configurations, mean and error over realizations; a dash: there was none. The paper keeps 35 to 45 % by more slots. The last column counts the slots "
        "whose U4 passes the equilibration test (docs/analysis.md).",
        [
            "L",
            "grid",
            "slots",
            "realizations",
            "steps",
            "lowest rate",
            "mean",
            "highest",
            "round trips",
            "equilibrated",
        ],
        lines,
        numbers=7,
    )


def steps_lessons(rows: list[Row]) -> list[str]:
    found = []
    for size in sorted({row["L"] for row in rows}):
        alone = {row["variant"]: row for row in rows if row["L"] == size and row.get("threads") == 1}
        if {"scalar", "tiles", "psflip"} <= alone.keys():
            gains = [number(alone[name]["speedup"]) for name in ("tiles", "psflip")]
            found.append(
                f"A step of one realization at L = {size} is {gains[0]} times as fast in boxes, and {gains[1]} times in psflip, which packs "
                f"{alone['psflip']['realizations']:.0f} realizations, as in the scalar update on one thread."
            )
    return found


def grid_lessons(groups: list[list[Row]]) -> list[str]:
    found = []
    for rows in groups:
        by_name = {row["grid"]: row for row in ratios(rows)}
        adaptive, dense = by_name.get("adaptive"), by_name.get("dense")
        if adaptive and dense:
            cheaper = "less" if adaptive["simulation"] < 1 else "no less"
            found.append(
                f"L = {adaptive['L']}: the adaptive grid takes {adaptive['simulation']:.2f} of the time of the dense one ({cheaper}; "
                f"{paper_words(adaptive['L'])}), its lowest exchange rate is {percent(adaptive['lowest_rate'])} instead of {percent(dense['lowest_rate'])}."
            )
        few, many = by_name.get("equal_rates"), by_name.get("more_slots")
        if few and many and all(row.get("flips_per_round_trip") for row in (few, many)):
            ratio = few["flips_per_round_trip"] / many["flips_per_round_trip"]
            error = ratio * sum((row["flips_error"] / row["flips_per_round_trip"]) ** 2 for row in (few, many)) ** 0.5
            if error > MOST_OF_RATIO * ratio:
                continue
            found.append(
                f"L = {few['L']}: equal rates of {percent(many['mean_rate'])} ({many['slots']} slots) make {ratio:.2f} ± {error:.2f} times as "
                f"many round trips per flip as rates of {percent(few['mean_rate'])} ({few['slots']} slots)."
            )
    return found


def lessons(measurements: list[Measurement]) -> list[str]:
    return steps_lessons(speedups_of_steps(measurements)) + grid_lessons(all_grids(measurements))


def blocks(measurements: list[Measurement]) -> list[Block]:
    flips = flips_of(measurements)
    steps, groups = speedups_of_steps(measurements), all_grids(measurements)
    exchanges = exchange_table(steps)
    return [
        Block(heading="Time of a flip and of a step"),
        Block(figure="003_times", caption=CAPTIONS["003_times"]),
        Block(table=flips_table(flips)),
        Block(table=steps_table(steps)),
        Block(heading="Moved configurations or swapped temperatures"),
        *([Block(text=WHY)] if exchanges["rows"] else []),
        Block(table=exchanges),
        Block(heading="Grids of temperatures"),
        Block(figure="003_rates", caption=CAPTIONS["003_rates"]),
        Block(table=grids_table(groups)),
        Block(table=rates_table(groups)),
        *([Block(heading="The physics of the paper"), Block(text=LENGTH)] if groups else []),
    ]
