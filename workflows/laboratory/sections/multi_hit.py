"""Double checkerboard with several hits of a tile (paper 001): quality of generators, autocorrelation times, times of a flip."""

from __future__ import annotations

from typing import Any

from workflows.laboratory.blocks import Block, Table, number, percent, references, table
from workflows.laboratory.measurements import Measurement, Row, fastest

FIGURES = {"multi_hit": ("001_tau", "001_cost", "001_times", "001_tracking")}
CAPTIONS = {
    "001_tau": "Integrated autocorrelation time in sweeps against the inverse temperature, of the energy (left, figure 5 of the "
    "paper) and of the absolute magnetization (right). The vertical line is the critical point.",
    "001_cost": "Integrated autocorrelation time of the energy multiplied by the time of a flip, against the number of hits k at a "
    "constant number of updates (figure 6). Open marks at k = 1: the sequential update.",
    "001_times": "Time of a flip against L with the energy of each flip, for side T of a tile and k hits: two dimensions (left, "
    "figures 7 and 8), three dimensions (right, figure 10). Black: the plain scalar update (dashed) and psflip, packed "
    "samples, on one thread.",
    "001_tracking": "Time of a flip with the energy of each flip (full) and without (open), by generator (figure 9).",
}
# Names of the paper for the generators.
NAMES = {
    "lcg32": "LCG32, skipping",
    "lcg32_seeded": "LCG32, random seeds",
    "lcg64": "LCG64, skipping",
    "lcg64_seeded": "LCG64, random seeds",
    "fibonacci521": "Fibonacci, r = 521",
    "fibonacci1279": "Fibonacci, r = 1279",
    "mt19937": "MT19937",
    "philox": "Philox",
}

SHORTEST = 10  # tau_int in a block, at least
DETERMINED = 300  # tau_int in a series whose tau_int is shown, at least
FORGOTTEN = 10  # tau_int of the energy between the ordered start and the series, at least
CURVE = 4  # numbers of hits of a curve against k, at least
CRITICAL = 0.4406867935097715  # log(1 + sqrt 2) / 2


def measured(value: float, error: float, digits: int) -> str:
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def energies_of(measurements: list[Measurement]) -> list[Row]:
    """Runs in equilibrium of the square lattice: sweeps from the ordered start were discarded. Others are timings alone."""
    rows = [row for one in measurements for row in one.listed("energies")]
    return [row for row in rows if row["dimension"] == 2 and row["discarded"] > 0]


def has_long_blocks(row: Row) -> bool:
    """Whether errors of averages are those of nearly independent blocks, in equilibrium."""
    return row["sweeps"] / row["blocks"] >= SHORTEST * row["tau_int"] and row["discarded"] >= FORGOTTEN * row["tau_int"]


def quality_rows(rows: list[Row]) -> list[Row]:
    """Rows for which the exact energy is known and blocks are long enough, with the deviations from it in errors."""
    exact = references()["quality"]["exact"]
    here = [row for row in rows if row["beta"] == exact["beta"] and row["L"] >= exact["from_L"]]
    here = [row for row in here if has_long_blocks(row)]
    return [
        row
        | {"e_pull": (row["e"] + exact["minus_e"]) / row["e_error"], "C_pull": (row["C"] - exact["C"]) / row["C_error"]}
        for row in here
    ]


def quality_table(rows: list[Row]) -> Table:
    """Rows of the paper that have no run here stand alone, and runs without a row in the paper too."""
    known = {(row["variant"], row["generator"]): row for row in references()["quality"]["rows"]}
    order = {name: index for index, name in enumerate(NAMES)}
    here = sorted(quality_rows(rows), key=lambda row: (row["variant"], order[row["generator"]], row["processor"]))
    lines: list[list[Any]] = []
    for row in here:
        paper = known.get((row["variant"], row["generator"]))
        lines.append(
            [row["processor"], row["variant"], NAMES[row["generator"]], row["L"], row.get("tile", "–"), row["hits"]]
            + [row.get("seed", "–"), row["sweeps"], measured(-row["e"], row["e_error"], 6), f"{-row['e_pull']:+.1f}"]
            + [measured(row["C"], row["C_error"], 4), f"{row['C_pull']:+.1f}"]
            + ([f"{paper['minus_e']} ({paper['e_pull']:+g} σ)"] if paper else ["–"])
            + ([f"{paper['C']} ({paper['C_pull']:+g} σ)"] if paper else ["–"])
        )
    return table(
        "Table 1 of the paper: −e and C at β = 0.4 next to the exact values 1.1060792037 and 0.8616983568, deviations in errors: jackknife "
        "over blocks of consecutive sweeps, each at least ten tau_int long. The paper has 10^7 sweeps of L = 1024. "
        "The size of a bias depends on tile, k, seed and numbering of threads, so only its presence and sign are compared. Threads are "
        "numbered by tile of a parity, then by pair of sites, x fastest. Every visit of a tile takes a number; the sequential update "
        "takes one only where a flip costs energy.",
        ["processor", "update", "generator", "L", "tile", "k", "seed", "sweeps", "−e", "σ", "C", "σ", "−e, paper", "C, paper"],
        lines,
        numbers=11,
    )  # fmt: skip


def is_determined(row: Row, name: str = "tau_int") -> bool:
    """Whether the series is long enough, and the start far enough away, for an autocorrelation time."""
    return row[name] > 0 and row["sweeps"] >= DETERMINED * row[name] and row["discarded"] >= FORGOTTEN * row["tau_int"]


def hits_rows(rows: list[Row]) -> list[Row]:
    """Rows near the transition, with tau_int times the time of a flip in ns."""
    near = [row for row in rows if row["beta"] != references()["quality"]["exact"]["beta"]]
    flips = [(row, row["ps_per_flip"] / 1000) for row in near]
    return [row | {"cost": row["tau_int"] * ns, "cost_error": row["tau_int_error"] * ns} for row, ns in flips]


def place_of(row: Row) -> tuple[str, int, float]:
    """What the rows of one comparison of hits share."""
    return row["processor"], row["L"], row["beta"]


def tau_cell(row: Row | None, name: str) -> str:
    if row is None or name not in row:
        return "–"
    if not is_determined(row, name):
        return f"series below {DETERMINED} τ"
    return measured(row[name], row[f"{name}_error"], 1)


def tau_table(rows: list[Row]) -> Table:
    """Figure 5: naive order and sequential update; of several runs of a place the longest."""
    near = sorted((row for row in hits_rows(rows) if row["order"] != "symmetric"), key=lambda row: row["sweeps"])
    hits = [1, 10, 100]
    found = {(place_of(row), row["variant"], row["hits"]): row for row in near}
    lines = []
    for place in sorted({place_of(row) for row in near}):
        for name, words in (("tau_int", "e"), ("tau_int_m", "|m|")):
            chosen = [found.get((place, "sequential", 1)), *(found.get((place, "tiles", k)) for k in hits)]
            lines.append([place[0], place[1], words, f"{place[2]:g}", *(tau_cell(row, name) for row in chosen)])
    return table(
        "Integrated autocorrelation time in sweeps of the energy e (figure 5 of the paper) and of |m|: sequential update, and tiles with "
        "k hits at a constant number of updates. A measurement follows k sweeps, so tau_int is at least k / 2.",
        ["processor", "L", "of", "β", "sequential", *(f"k = {k}" for k in hits)],
        lines,
        numbers=5,
    )


def hits_table(rows: list[Row]) -> Table:
    curves = curves_of(rows)
    lines = [
        [row["processor"], row["L"], f"{row['beta']:g}", row["order"], row.get("tile", "–"), row["hits"]]
        + [NAMES[row["generator"]], measured(row["tau_int"], row["tau_int_error"], 2), number(row["ps_per_flip"])]
        + [measured(row["cost"], row["cost_error"], 0)]
        for place in sorted(curves)
        for row in curves[place]
    ]
    return table(
        "Autocorrelation time of the energy in sweeps, time of a flip in ps, and their product in ns: the time of an independent "
        "configuration for each site (figure 6).",
        ["processor", "L", "β", "order", "tile", "k", "random numbers", "τ_int", "ps/flip", "τ_int t_flip"],
        lines,
        numbers=6,
    )


def curves_of(rows: list[Row]) -> dict[tuple[str, int, float], list[Row]]:
    """Of each place with several numbers of hits the naive order and the sequential update, by hits; of several runs the longest."""
    near = [row for row in hits_rows(rows) if row["order"] != "symmetric" and is_determined(row)]
    found: dict[tuple[str, int, float], dict[tuple[int, str], Row]] = {}
    for row in sorted(near, key=lambda row: row["sweeps"]):
        found.setdefault(place_of(row), {})[row["hits"], row["variant"]] = row
    curves = {place: [one[key] for key in sorted(one)] for place, one in found.items()}
    return {place: one for place, one in curves.items() if len({row["hits"] for row in one}) >= CURVE}


def orders_table(rows: list[Row]) -> Table:
    """The symmetric order next to the naive one, where blocks are long enough."""
    near = sorted(hits_rows(rows), key=lambda row: row["sweeps"])
    naive = {(place_of(row), row["hits"]): row for row in near if row["order"] == "naive"}
    lines = []
    for row in (row for row in near if row["order"] == "symmetric"):
        other = naive.get((place_of(row), row["hits"]))
        if other is None or not (has_long_blocks(row) and has_long_blocks(other)):
            continue
        pull = (row["e"] - other["e"]) / (row["e_error"] ** 2 + other["e_error"] ** 2) ** 0.5
        lines.append(
            [row["processor"], row["L"], f"{row['beta']:g}", row["hits"], measured(other["e"], other["e_error"], 5)]
            + [measured(row["e"], row["e_error"], 5), f"{pull:+.1f}"]
            + [tau_cell(one, "tau_int") for one in (other, row)]
            + [number(one["ps_per_flip"]) for one in (other, row)]
        )
    return table(
        "Naive order A…AB…B(M) next to the symmetric one A…A(M)A…AB…B(M)B…B (section 3.4), with different random numbers: energies, their "
        "difference in errors, autocorrelation times of the energy in sweeps, times of a flip in ps.",
        ["processor", "L", "β", "k", "e, naive", "e, symmetric", "σ", "τ, naive", "τ, symmetric", "ps/flip, naive", "ps/flip, symmetric"],
        lines,
        numbers=8,
    )  # fmt: skip


def pairs_of(measurements: list[Measurement]) -> list[Row]:
    """Each timing of tiles with the energy of each flip, with `untracked`: the time without, and `overhead`."""
    keys = ("system", "processor", "generator", "L", "tile", "hits", "beta", "file")
    rows = [row for one in measurements for row in one.rows]
    without = {tuple(row[key] for key in keys): row for row in rows if row["variant"] == "tiles_untracked"}
    pairs = []
    for row in (row for row in rows if row["variant"] == "tiles_tracked"):
        other = without.get(tuple(row[key] for key in keys))
        if other is not None:
            ratio = row["ps_per_flip"] / other["ps_per_flip"]
            pairs.append(row | {"untracked": other["ps_per_flip"], "overhead": ratio - 1})
    return pairs


def tracking_rows(measurements: list[Measurement]) -> list[Row]:
    """Pairs of places where several generators were timed, with `over_lcg32`: the time without energy over that with LCG32."""

    def place(row: Row) -> tuple:
        return row["processor"], row["system"], row["L"], row["tile"], row["hits"], row["file"]

    pairs = pairs_of(measurements)
    base = {place(row): row["untracked"] for row in pairs if row["generator"] == "lcg32"}
    several = {place(row) for row in pairs if row["generator"] != "lcg32"}
    chosen = [row for row in pairs if place(row) in several and place(row) in base]
    return [row | {"over_lcg32": row["untracked"] / base[place(row)]} for row in chosen]


def tracking_table(measurements: list[Measurement]) -> Table:
    known = references()["tracking"]
    overhead = {row["hits"]: row["overhead"] for row in known["overheads"]}
    ratios = {row["generator"]: row["over_lcg32"] for row in known["generators"]}
    lines = [
        [row["processor"], NAMES[row["generator"]], row["L"], row["tile"], row["hits"], number(row["untracked"])]
        + [number(row["ps_per_flip"]), f"{100 * row['overhead']:+.0f} %", number(row["over_lcg32"]), number(row["speedup"])]
        + [percent(overhead[row["hits"]]) if row["hits"] in overhead else "–"]
        + [number(ratios[row["generator"]]) if row["hits"] == known["hits"] and row["generator"] in ratios else "–"]
        for row in tracking_rows(measurements)
    ]  # fmt: skip
    return table(
        "Figure 9 of the paper: time of a flip in ps without the energy and with the energy of each flip, what the energy adds, and the "
        "time without energy over that with LCG32. Paper: Tesla C1060, L = 16384.",
        ["processor", "random numbers", "L", "tile", "k", "without", "with", "energy", "over LCG32", "speed-up", "energy, paper", "over LCG32, paper"],
        lines,
        numbers=10,
    )  # fmt: skip


def speed_rows(measurements: list[Measurement]) -> list[Row]:
    """Times with the energy of each flip, psflip and the plain scalar update, in the files of --times."""
    timed = [one for one in measurements if any(row["variant"] == "tiles_tracked" for row in one.rows)]
    pairs = {(row["file"], id_of(row)): row for row in pairs_of(timed)}
    rows = [row for one in timed for row in one.rows if row["variant"] != "tiles_untracked"]
    return [pairs.get((row["file"], id_of(row)), row) for row in rows]


def id_of(row: Row) -> tuple:
    return tuple(row.get(key) for key in ("system", "variant", "generator", "L", "tile", "hits"))


def speed_table(measurements: list[Measurement]) -> Table:
    """Tiles with LCG32; of several files with the same row the first."""
    words = {"scalar": "plain scalar", "psflip_samples": "psflip, packed samples", "tiles_tracked": "tiles"}
    rows = [row for row in speed_rows(measurements) if row["variant"] in words]
    once = {
        (row["processor"], id_of(row)): row
        for row in reversed(rows)
        if row["variant"] != "tiles_tracked" or row["generator"] == "lcg32"
    }
    order = {name: index for index, name in enumerate(words)}

    def place(row: Row) -> tuple:
        return row["system"], row["L"], order[row["variant"]], row["processor"], row.get("tile", 0), row.get("hits", 0)

    lines = [
        [
            row["system"],
            row["processor"],
            words[row["variant"]],
            NAMES.get(row["generator"], row["generator"]),
            row["L"],
        ]
        + [row.get("tile", "–"), row.get("hits", "–"), number(row.get("untracked")), number(row["ps_per_flip"])]
        + [number(row["speedup"])]
        for row in sorted(once.values(), key=place)
    ]
    known = "; ".join(f"{row['value']} ns, {row['condition']} ({row['source']})" for row in references()["tiles"])
    return table(
        f"Times of a flip in ps without and with the energy of each flip; one processor of the CPU. Paper: {known}. The time of psflip itself on a "
        "GPU is that of psflip bench. Speed-up: over the plain scalar update.",
        ["system", "processor", "update", "random numbers", "L", "tile", "k", "without", "ps/flip", "speed-up"],
        lines,
        numbers=6,
    )


THREE_SIGMA = 0.0027  # probability of a larger deviation of a normal variable


def probability_of_pull(row: Row) -> float:
    """Of such a deviation of e or a larger one: Student's t, since the error is that of a few blocks."""
    from scipy.stats import t  # here: a study is read without it

    return 2 * float(t.sf(abs(row["e_pull"]), row["blocks"] - 1))


def quality_lessons(rows: list[Row]) -> list[str]:
    found = []
    for row in (row for row in quality_rows(rows) if row["variant"] == "tiles" and row["hits"] == 1):
        wrong = probability_of_pull(row) < THREE_SIGMA
        found.append(
            f"{NAMES[row['generator']]}: the energy of the double checkerboard is {abs(row['e_pull']):.1f} errors from the exact "
            f"one, {'wrong' if wrong else 'no deviation is seen'} (probability {probability_of_pull(row):.2g}, L = {row['L']}, "
            f"{row['sweeps']} sweeps, {row['processor']})."
        )
    return found


def best_hits_lesson(rows: list[Row]) -> list[str]:
    found = []
    for (processor, size, beta), curve in sorted(curves_of(rows).items()):
        tiles = [row for row in curve if row["variant"] == "tiles"]
        if len(tiles) < CURVE:
            continue
        best = min(tiles, key=lambda row: row["cost"])
        least = best["cost"] + 2 * best["cost_error"]
        equal = [str(row["hits"]) for row in tiles if row["cost"] - 2 * row["cost_error"] <= least and row is not best]
        found.append(
            f"At β = {beta:g}, L = {size} the fewest ns for an independent configuration are those of k = {best['hits']} "
            f"({best['cost']:.0f} ± {best['cost_error']:.0f} ns a site; {processor})"
            + (f"; within two errors are k = {', '.join(equal)}" if equal else "")
            + ". The paper finds about 10 on its GPU."
        )
    return found


def gain_lesson(measurements: list[Measurement]) -> list[str]:
    """On each processor at the largest square lattice with one hit and with 100."""
    rows = [row for row in speed_rows(measurements) if row["variant"] == "tiles_tracked" and row["system"] == "ising2d"]
    found = []
    for processor in dict.fromkeys(row["processor"] for row in rows):
        mine = [row for row in rows if row["processor"] == processor]
        sizes = {row["L"] for row in mine if row["hits"] == 1} & {row["L"] for row in mine if row["hits"] == 100}
        if not sizes:
            continue
        once, often = (fastest([r for r in mine if r["hits"] == k and r["L"] == max(sizes)]) for k in (1, 100))
        found.append(
            f"100 hits make a flip {once['ps_per_flip'] / often['ps_per_flip']:.2f} times as fast as one hit at L = {max(sizes)} "
            f"({processor}); 3.6 times on the paper's GPU."
        )
    return found


def lessons(measurements: list[Measurement]) -> list[str]:
    rows = energies_of(measurements)
    return quality_lessons(rows) + best_hits_lesson(rows) + gain_lesson(measurements)


def blocks(measurements: list[Measurement]) -> list[Block]:
    energies = energies_of(measurements)
    figures = {name: Block(figure=name, caption=caption) for name, caption in CAPTIONS.items()}
    return [
        Block(heading="Quality of generators"),
        Block(table=quality_table(energies)),
        Block(heading="Several hits of a tile"),
        figures["001_tau"],
        Block(table=tau_table(energies)),
        figures["001_cost"],
        Block(table=hits_table(energies)),
        Block(table=orders_table(energies)),
        Block(heading="Times of the double checkerboard"),
        figures["001_tracking"],
        Block(table=tracking_table(measurements)),
        figures["001_times"],
        Block(table=speed_table(measurements)),
    ]
