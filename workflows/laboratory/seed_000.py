"""The page of paper 000 (Lulli, Bernaschi, Parisi 2015): layouts and generators of the 3D spin glass."""

from __future__ import annotations

from statistics import median
from typing import Any

from workflows.laboratory.blocks import Block, Table, interval, number, percent, references, table
from workflows.laboratory.layouts import (
    LAYOUTS,
    becomes_fastest,
    begins_to_grow,
    best_by_size,
    branch,
    by_processor,
    nearest_size,
    on,
    over_baseline,
    with_generator,
)
from workflows.laboratory.measurements import Measurement, Row, fastest, rows_of

SIZES = "000_sizes"
FIGURES = {"layouts": ("000_packs", SIZES, "000_generators")}
CAPTIONS = {
    "000_packs": "psFlip against the number of packs k that are updated together, MINSTD, as in figure 4 of the paper.",
    SIZES: "psFlip against L on both branches, the best number of packs and launch shape of each size, MINSTD, as in "
    "figures 5 to 7. Grey: the paper at L = 32 on a GTX Titan, few and many systems.",
    "000_generators": "Time of a flip over that with MINSTD in the same layout, as in figure 9. Grey: values of the paper.",
}


def size_table(rows: list[Row]) -> Table:
    """One line for each processor of the layouts and size, next to psflip and the scalar update."""
    layouts = with_generator([row for row in rows if row["variant"] == "layout"])
    lines = []
    for processor, mine in by_processor(layouts).items():
        best = {name: best_by_size(mine, name) for name in LAYOUTS}
        for size in sorted({row["L"] for row in mine}):
            here = [best[name].get(size) for name in LAYOUTS]
            quickest = fastest([row for row in here if row])
            others = [fastest([r for r in rows if r["variant"] == v and r["L"] == size]) for v in ("psflip", "scalar")]
            lines.append(
                [processor, branch(size), size, *(number(row and row["ps_per_flip"]) for row in [*here, *others])]
                + [quickest["packs"], number(quickest["speedup"])]
            )
    return table(
        "Time of a flip in ps, MINSTD, best number of packs. psflip and scalar: one thread of the same machine, with addressed "
        "Philox and MINSTD. Speed-up: of the fastest layout over the scalar update.",
        ["processor", "branch", "L", *LAYOUTS, "psflip", "scalar", "packs", "speed-up"],
        lines,
        numbers=8,
    )


def threshold_table(rows: list[Row]) -> Table:
    lines = []
    for processor, mine in by_processor(with_generator(rows)).items():
        for name in ("4m", "4m + 2"):
            these = [row for row in mine if branch(row["L"]) == name]
            for layout in LAYOUTS:
                if any(row["layout"] == layout for row in these):
                    sizes = (becomes_fastest(these, layout), begins_to_grow(these, layout))
                    lines.append([processor, name, layout, *("–" if size is None else size for size in sizes)])
    return table(
        "Threshold sizes of the measured L. Fastest from: the layout is the fastest at this and all larger sizes. Grows from: "
        "L_thr of the paper, from which on the time is at least 1.2 times the least one.",
        ["processor", "branch", "layout", "fastest from L", "grows from L"],
        lines,
        numbers=2,
    )


def bandwidth_table(rows: list[Row]) -> Table:
    """Rows of a GPU at their best number of packs: the share of the copy bandwidth (figure 8)."""
    shared = with_generator([row for row in rows if "share_of_bandwidth" in row])
    lines = [
        [row["processor"], layout, size, number(row["ps_per_flip"]), percent(row["share_of_bandwidth"])]
        for mine in by_processor(shared).values()
        for layout in LAYOUTS
        for size, row in best_by_size(mine, layout).items()
    ]
    return table(
        "Share of the copy bandwidth of the GPU, MINSTD (figure 8).",
        ["processor", "layout", "L", "ps/flip", "share"],
        lines,
        numbers=3,
    )


def peer_table(rows: list[Row], seed: str) -> Table:
    """The times that the paper states next to the best of ours with the same generator and layout."""
    lines = []
    for known in (row for row in references()["flips"] if row["seed"] == seed):
        for processor in by_processor(rows):
            fitting = with_generator(on(rows, processor), known["generator"])
            if known["layout"] != "all":
                fitting = [row for row in fitting if row["layout"] == known["layout"]]
            if best := fastest(fitting):
                ours = [number(best["ps_per_flip"]), best["L"], number(best["speedup"])]
                lines.append(
                    [known["generator"], best["layout"], processor, f"{known['condition']}; {known['source']}"]
                    + [interval(known["value"]), *ours]
                )
    return table(
        "Times of a flip in ps: the paper on a GTX Titan, and the fastest of the layouts here.",
        ["generator", "layout here", "processor here", "condition and source", "paper", "here", "L here", "speed-up"],
        lines,
        numbers=4,
    )


def ratio_table(rows: list[Row]) -> Table:
    lines = []
    known = {(row["generator"], row["layout"]): row for row in references()["over_minstd"]}
    for row in over_baseline(rows):
        paper = known.get((row["generator"], row["layout"])) or known.get((row["generator"], "all"))
        lines.append(
            [
                row["processor"],
                row["generator"],
                row["layout"],
                row["L"],
                number(row["ps_per_flip"]),
                number(row["ratio"]),
            ]
            + [f"{paper['value']:g}" if paper else "–"]
        )
    return table(
        "Time of a flip over that with MINSTD in the same layout (figure 9). Paper: GTX Titan.",
        ["processor", "generator", "layout", "L", "ps/flip", "ratio", "paper"],
        lines,
        numbers=4,
    )


def generator_table(rows: list[Row], which: str) -> Table:
    """Table 1 (`fill`) or 2 (`rate`) of the paper next to ours. cuRAND's MT19937 has no numbers in a kernel, so no table 2."""
    known = references()[which]
    key, words = {
        "fill": ("seconds_fill_2_29", "Seconds that fill 2^29 floats, initialization apart (table 1)"),
        "rate": ("numbers_per_second", "Numbers per second, counting odd ones (table 2)"),
    }[which]
    papers = {
        (row["generator"], row["library"]): row["seconds" if which == "fill" else "rate"] for row in known["rows"]
    }
    rows = [row for row in rows if row.get(key)]  # 0: timed before the key was left out
    empty: list[Any] = [None] * len(known["devices"])
    here = {(row["generator"], row["library"]) for row in rows}
    alone = [pair for pair in papers if pair not in here] if rows else []
    lines = [
        [row["generator"], row["library"], row["processor"], int(row["state_bytes"]) if "state_bytes" in row else "–"]
        + [number(row[key])]
        + [number(value) for value in papers.get((row["generator"], row["library"]), empty)]
        for row in rows
    ]
    lines += [[*pair, "–", "–", "–", *(number(value) for value in papers[pair])] for pair in alone]
    return table(
        f"{words}. State: bytes of a state. Columns to the right: the paper.",
        ["generator", "implementation", "processor", "state", "here", *known["devices"]],
        lines,
        numbers=2 + len(known["devices"]),
    )


def relaxation_table(rows: list[Row]) -> Table:
    lines = [
        [
            row["generator"],
            row["quantity"],
            row["L"],
            row["T"],
            row["blocks"],
            number(row["chi2"]),
            row["degrees_of_freedom"],
        ]
        + [number(row["probability"], 2), f"{row['largest_pull']:+.2f}"]
        for row in rows
    ]
    return table(
        "Relaxation with each generator against addressed Philox, the same couplings and initial spins: chi^2 of the "
        "differences at all times, its probability, the largest deviation in sigma.",
        ["generator", "quantity", "L", "T", "blocks", "chi²", "degrees", "probability", "largest, σ"],
        lines,
        numbers=7,
    )


def exchange_table(rows: list[Row]) -> Table:
    lines = [
        [row["processor"], {"one_way": "sliced, one direction", "two_way": "psflip, both directions"}[row["variant"]]]
        + [row["ranks"], row["L"], f"{row['messages_of_half_sweep']:g}", f"{row['bytes_of_half_sweep']:g}"]
        + [number(1e6 * row["seconds_of_messages"]), number(1e6 * row["seconds_of_half_sweep"])]
        for row in rows
    ]
    return table(
        "Exchange between ranks of this machine for a half sweep (section V, figures 10 and 11): messages and bytes that a rank "
        "sends, time of the messages alone and of the half sweep.",
        ["processor", "exchange", "ranks", "L", "messages", "bytes", "messages, µs", "half sweep, µs"],
        lines,
        numbers=6,
    )


def layout_lessons(rows: list[Row]) -> list[str]:
    """Of each processor: which layout wins, and how far psflip is ahead of it."""
    lessons = []
    for processor, mine in by_processor(with_generator([row for row in rows if row["variant"] == "layout"])).items():
        best = {name: best_by_size(mine, name) for name in LAYOUTS}
        both = sorted(best["sliced"].keys() & best["standard"].keys())
        if both:
            size = both[-1]
            ratio = best["standard"][size]["ps_per_flip"] / best["sliced"][size]["ps_per_flip"]
            words = "is confirmed here" if ratio > 1 else "does not hold here"
            lessons.append(
                f"Layout: the paper finds the sliced layout fastest for large L. This {words}: standard takes "
                f"{ratio:.2f} times the time of sliced at L = {size} ({processor})."
            )
        ours = [row for row in rows if row["variant"] == "psflip"]
        quickest = fastest(mine)
        same = ours and nearest_size(ours, quickest["L"])
        if same and quickest.get("device") != "cuda":
            factor = quickest["ps_per_flip"] / same["ps_per_flip"]
            order = f"{factor:.1f} times faster than" if factor > 1 else f"{1 / factor:.1f} times slower than"
            lessons.append(
                f"Coding: 32 samples in a word, as in the paper, are {quickest['speedup']:.0f} times faster than the scalar "
                f"update. psflip, with wider words and addressed Philox, is {order} the best layout at L = "
                f"{quickest['L']} ({processor})."
            )
    return lessons


def generator_lessons(rows: list[Row]) -> list[str]:
    lessons = []
    ratios = over_baseline([row for row in rows if row["variant"] == "layout"])
    known = {(row["generator"], row["layout"]): row["value"] for row in references()["over_minstd"]}
    for processor, mine in by_processor(ratios).items():
        middle = {
            name: median(row["ratio"] for row in mine if row["generator"] == name)
            for name in dict.fromkeys(row["generator"] for row in mine)
        }
        of_paper: dict[str, list[float]] = {}
        for (name, _), value in known.items():
            of_paper.setdefault(name, []).append(value)
        paper = {name: " to ".join(f"{value:g}" for value in sorted(set(values))) for name, values in of_paper.items()}
        words = [
            f"{name} {value:.2f}" + (f" (paper {paper[name]})" if name in paper else "")
            for name, value in middle.items()
        ]
        if words:
            lessons.append(f"Generator: time of a flip over that with MINSTD: {', '.join(words)} ({processor}).")
        if {"mt19937", "xorwow"} <= middle.keys():
            holds = "holds" if middle["mt19937"] < middle["xorwow"] else "does not hold"
            lessons.append(f"The paper's result that MT19937 is faster than XORWOW {holds} here ({processor}).")
    return lessons


def relaxation_lessons(rows: list[Row]) -> list[str]:
    """Judged together: the smallest probability times the number of tests."""
    if not rows:
        return []
    least = min(rows, key=lambda row: row["probability"])
    together = min(1.0, len(rows) * least["probability"])
    words = "No generator differs" if together > 0.01 else f"{least['generator']} differs"
    return [
        f"Quality: {words} from addressed Philox in the relaxation of {' and '.join(sorted({row['quantity'] for row in rows}))}; "
        f"the least of {len(rows)} probabilities is {number(least['probability'], 2)} ({least['generator']}), {number(together, 2)} "
        "for all tests together."
    ]


def exchange_lessons(rows: list[Row]) -> list[str]:
    """Messages alone, because the two programs have different updates."""
    lessons = []
    for row in (one for one in rows if one["variant"] == "one_way"):
        other = [one for one in rows if one["variant"] == "two_way" and one["L"] == row["L"]]
        if other:
            ratio = other[0]["seconds_of_messages"] / row["seconds_of_messages"]
            lessons.append(
                f"L = {row['L']}: two messages take {ratio:.2f} times as long as one of the same bytes together"
            )
    ranks = f"{rows[0]['ranks']} ranks of this machine" if rows else ""
    return [f"Exchange in one direction ({ranks}): {'; '.join(lessons)}."] if lessons else []


def lessons(measurements: list[Measurement]) -> list[str]:
    relaxation = [row for one in measurements for row in one.listed("relaxation")]
    return [
        *layout_lessons(rows_of(measurements, "layout", "psflip")),
        *generator_lessons(rows_of(measurements, "layout")),
        *relaxation_lessons(relaxation),
        *exchange_lessons(rows_of(measurements, "one_way", "two_way")),
    ]


def blocks(measurements: list[Measurement]) -> list[Block]:
    rows = rows_of(measurements, "layout", "psflip", "scalar")
    layouts = rows_of(measurements, "layout")
    generators = [row for one in measurements for row in one.listed("generators")]
    relaxation = [row for one in measurements for row in one.listed("relaxation")]
    figures = [Block(figure=name, caption=CAPTIONS[name]) for name in FIGURES["layouts"]]
    return [
        Block(heading="Layouts"),
        *figures[:2],
        Block(table=size_table(rows)),
        Block(table=threshold_table(layouts)),
        Block(table=bandwidth_table(layouts)),
        Block(heading="Generators"),
        figures[2],
        Block(table=peer_table(layouts, "000")),
        Block(table=ratio_table(layouts)),
        Block(table=generator_table(generators, "fill")),
        Block(table=generator_table(generators, "rate")),
        Block(table=relaxation_table(relaxation)),
        Block(heading="Exchange between ranks"),
        Block(table=exchange_table(rows_of(measurements, "one_way", "two_way"))),
    ]
