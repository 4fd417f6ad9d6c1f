"""Mistakes in the smoke study, each with the sentence that refuses it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from workflows.study.presets import presets

Change = Callable[[dict[str, Any]], Any]


def transition(**changes: Any) -> dict[str, Any]:
    """The key `critical` for the part of ea3d of the smoke study."""
    quote = {"clock": 0.3, "L_min": 4, "corrected": False}
    quote |= {key: changes.pop(key) for key in list(changes) if key in quote}
    return {"parts": ["relaxation"], "clocks": [0.3], "quote": {"cumulants": quote, "powers": quote}} | changes


def all_clocks(cumulants: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A transition whose quoted beta_c comes from all reference values together."""
    changed = transition(together={"clocks": [0.3], "xi_min": [2]}, **changes)
    return changed | {"quote": changed["quote"] | {"cumulants": cumulants | {"corrected": False}}}


BAD: list[tuple[Change, str]] = [
    (lambda s: s["parts"][0].update(sweps=3), "parts[0] has the unknown key 'sweps'; did you mean 'sweeps'?"),
    (lambda s: s.update(sed=3), "the study has the unknown key 'sed'; did you mean 'seed'?"),
    (
        lambda s: s["parts"][0].update(L=[7]),
        "parts[0].L[0] is 7, not a multiple of 2; a checkerboard update needs an even L",
    ),
    (
        lambda s: s["parts"][0].update(L=[8, 2]),
        "parts[0].L[1] is 2, below 4; a checkerboard update needs an even L of at least 4",
    ),
    (lambda s: s["parts"][1].update(L=[]), "parts[1].L is an empty list; give at least one entry"),
    (lambda s: s["parts"][1].update(T=[]), "parts[1].T is an empty list; give at least one entry"),
    (lambda s: s.update(parts=[]), "parts is an empty list; give at least one entry"),
    (lambda s: s["parts"][0].update(T=[0]), "parts[0].T[0] is 0, not above 0; a temperature is a positive number"),
    (lambda s: s["parts"][0].update(T=[2.0, -1.5]), "parts[0].T[1] is -1.5, not above 0"),
    (lambda s: s["parts"][0].update(T=[math.nan]), "parts[0].T[0] is nan; give a finite number"),
    (lambda s: s["parts"][0].update(T=[math.inf]), "parts[0].T[0] is inf; give a finite number"),
    (lambda s: s["parts"][0].update(T="hot"), "parts[0].T is 'hot', not a list"),
    (lambda s: s["parts"][0].update(L=["eight"]), "parts[0].L[0] is 'eight', not an integer"),
    (lambda s: s["parts"][0].update(L=[8, 8]), "parts[0].L has an entry twice; keep one of them"),
    (
        lambda s: s["parts"][0].update(model="isign2d"),
        f"parts[0].model is 'isign2d', not one of {', '.join(presets())}; did you mean 'ising2d'?",
    ),
    (lambda s: s["parts"][0].pop("model"), "parts[0] lacks the key 'model'; add it"),
    (lambda s: s["parts"][0].pop("samples"), "parts[0] lacks the key 'samples'; add it"),
    (lambda s: s["parts"][0].update(samples=0), "parts[0].samples is 0, below 1"),
    (
        lambda s: s["parts"][0].update(sweeps={8: 2048}),
        "parts[0].sweeps says nothing about L = 16; add an entry for it",
    ),
    (lambda s: s["parts"][0].update(sweeps={8: 2048, 16: 2048, 32: 2048}), "parts[0].sweeps has an entry for 32"),
    (lambda s: s["parts"][0].update(sweeps=1000), "not a multiple of measure_interval x bins = 128; take 1024"),
    (lambda s: s["parts"][0].update(random="shared"), "parts[0] has the unknown key 'random'"),
    (
        lambda s: s["parts"][1].update(random="shred"),
        "parts[1].random is 'shred', not one of shared, independent; did you mean 'shared'?",
    ),
    (
        lambda s: s["parts"][1].update(samples=100),
        "parts[1].samples is 100 at L = 4, not a multiple of shard_samples = 64",
    ),
    (
        lambda s: s["parts"][1].update(grown_from=96),
        "parts[1].grown_from is 96 at L = 4, not a multiple of shard_samples = 64",
    ),
    (
        lambda s: s["parts"][1].update(grown_from={4: 64, 6: 6400}),
        "parts[1].grown_from is 6400 at L = 6, not a multiple of shard_samples = 64 up to samples = ",
    ),
    (
        lambda s: s["parts"][1].update(grown_from={4: 64}),
        "parts[1].grown_from says nothing about L = 6; add an entry for it",
    ),
    (
        lambda s: s["parts"][1].update(samples=96, shard_samples=48),
        "parts[1].shard_samples is 48, not a multiple of 32",
    ),
    (lambda s: s["parts"][1].update(replicas=1), "parts[1].replicas is 1, below 2; overlaps need 2 to 8 replicas"),
    (lambda s: s["parts"][1].update(fit={"from": 64, "to": 8}), "parts[1].fit ends at 8, not after its start"),
    (lambda s: s["parts"][1].update(fit={"from": 8, "to": 512}), "parts[1].fit ends at 512, after the last sweep 256"),
    (lambda s: s["parts"][0].update(T=[2.27, 2.45]), "parts[0].crossing holds 2 of the temperatures, but needs 3"),
    (lambda s: s["parts"][0].update(L=[8]), "parts[0].crossing needs two sizes, but L has one"),
    (lambda s: s["parts"][1].update(name="ising"), "two parts are named 'ising'; give each part its own name"),
    (lambda s: s["parts"][2].pop("h"), "parts[2] lacks the key 'h'; add it"),
    (lambda s: s["parts"][2].update(h=-1), "parts[2].h is -1, below 0"),
    (lambda s: s["parts"][2].update(T=[3.4, 4.7]), "parts[2].T lists all slots, so nothing is adapted; remove adapt"),
    (lambda s: s["parts"][2].update(T=[3.4]), "parts[2].T has one entry; give at least 2"),
    (lambda s: s["parts"][2].update(T=[3.4, 3.4]), "parts[2].T has an entry twice; keep one of them"),
    (lambda s: s["parts"][2].pop("adapt"), "parts[2].T has two ends only; add adapt, which finds the slots between"),
    (lambda s: s["parts"][2].update(replicas=1), "parts[2].replicas is 1, below 2; take 2 to 8 sets of replicas"),
    (lambda s: s["parts"][2].update(T={"from": 4.7, "to": 3.4}), "parts[2].T ends at 3.4, not after its start"),
    (lambda s: s["parts"][2].update(random="shared"), "parts[2] has the unknown key 'random'"),
    (
        lambda s: s["parts"][2].update(sweeps=3205),
        "parts[2].sweeps is 3205 at L = 4, not a multiple of exchange_interval = 10",
    ),
    (lambda s: s["parts"][2].update(sweeps=100), "parts[2].bins is 6, too many for 10 measurements at L = 4"),
    (lambda s: s["parts"][2].update(L=[4]), "parts[2].crossing needs two sizes, but L has one"),
    (
        lambda s: s["parts"][2]["crossing"].update(ratio=1),
        "parts[2].crossing.ratio is 1, not above 1; give L2 / L1 of the sizes",
    ),
    (
        lambda s: s["parts"][2]["crossing"].update(ratio=2),
        "parts[2].crossing.ratio is 2, but no two of L have it; add an L or remove",
    ),
    (
        lambda s: s["parts"][2]["adapt"].update(slots=1),
        "parts[2].adapt.slots is 1, below 2; give an integer of at least 2",
    ),
    (
        lambda s: s["parts"][2]["adapt"].update(slots={4: 4}),
        "parts[2].adapt.slots says nothing about L = 6; add an entry for it",
    ),
    (lambda s: s["parts"][2]["adapt"].update(trials=300), "parts[2].adapt ends with 304 slots at L = 4, more than 256"),
    (
        lambda s: s["parts"][2]["adapt"].update(sweeps=405),
        "parts[2].adapt.sweeps is 405 at L = 4, not a multiple of exchange_interval",
    ),
    (
        lambda s: s["parts"][2]["adapt"].update(method="midpoints"),
        "parts[2].adapt.method is 'midpoints', not one of insert, equal-rates",
    ),
    (
        lambda s: s["parts"][2]["T"].update({"from": {4: 3.4}}),
        "parts[2].T.from says nothing about L = 6; add an entry for it",
    ),
    (
        lambda s: s["parts"][2]["T"].update({"to": {4: 4.7, 6: 3.0}}),
        "parts[2].T at L = 6 ends at 3.0, not after its start",
    ),
    (lambda s: s["parts"][2]["T"].update({"from": "cold"}), "parts[2].T.from is 'cold', not a number or a mapping"),
    (lambda s: s["parts"][2].update(exchange_interval={4: 10}), "parts[2].exchange_interval says nothing about L = 6"),
    (
        lambda s: s["parts"][2].update(exchange_interval={4: 10, 6: 7}),
        "at L = 6, not a multiple of exchange_interval = 7",
    ),
    (
        lambda s: s["parts"][2].update(measure_interval=25),
        "parts[2].measure_interval is 25 at L = 4, not a multiple of exchange_interval = 10; take 20",
    ),
    (
        lambda s: s["parts"][2].update(measure_interval=4),
        "parts[2].measure_interval is 4 at L = 4, not a multiple of exchange_interval = 10; take 10",
    ),
    (
        lambda s: s["parts"][2].update(measure_interval={4: 20, 6: 5}),
        "parts[2].measure_interval is 5 at L = 6, not a multiple of exchange_interval = 10",
    ),
    (lambda s: s["parts"][2].update(measure_interval={4: 20}), "parts[2].measure_interval says nothing about L = 6"),
    (lambda s: s["parts"][2].update(measure_interval=0), "parts[2].measure_interval is 0, below 1"),
    (
        lambda s: s["parts"][2].update(measure_interval=30),
        "parts[2].sweeps is 3200 at L = 4, not a multiple of measure_interval = 30; take 3210",
    ),
    (
        lambda s: s["parts"][2].update(measure_interval=160),
        "parts[2].bins is 6, too many for 20 measurements at L = 4; take fewer",
    ),
    (
        lambda s: s["parts"][2].update(link_overlap_slots=[0]),
        "parts[2] has the unknown key 'link_overlap_slots'",
    ),
    (lambda s: s["parts"][2].update(longer={4: {"packs": 1}}), "parts[2].longer.4 lacks the key 'times'; add it"),
    (lambda s: s["parts"][2].update(longer={4: {"packs": 0, "times": 4}}), "parts[2].longer.4.packs is 0, below 1"),
    (lambda s: s["parts"][2].update(longer={4: {"packs": 1, "times": 1}}), "parts[2].longer.4.times is 1, below 2"),
    (lambda s: s["parts"][2].update(longer=4), "parts[2].longer is 4, not a mapping; give packs and times for an L"),
    (
        lambda s: s["parts"][2].update(longer={8: {"packs": 1, "times": 4}}),
        "parts[2].longer has an entry for 8, which is not in L",
    ),
    (
        lambda s: s["parts"][2].update(longer={4: {"packs": 1, "times": 3}}),
        "parts[2].longer at L = 4 requests 3 times the sweeps; take a power of 2",
    ),
    (
        lambda s: s["parts"][2].update(longer={6: {"packs": 4, "times": 4}}),
        "parts[2].longer at L = 6 requests 4 packs of 32 samples of each shard, but shard_samples is 128",
    ),
    (
        lambda s: s["parts"][2].update(longer={4: {"packs": 1, "times": 4}}, sweeps=3210),
        "multiple of 320, so that every bin is as long as all before it, not 3210; take 3200",
    ),
    (
        lambda s: s["parts"][2].update(longer={4: {"packs": 1, "times": 4}}, save=["spins"]),
        "which save cannot show; remove spins",
    ),
    (
        lambda s: s["parts"][2].update(block_samples=32),
        "parts[2].block_samples is 32 at L = 4, which leaves 8 blocks; take 16",
    ),
    (
        lambda s: s["parts"].append(s["parts"][2] | {"name": "again", "block_samples": 8}),
        "'field' and 'again' share the run at L = 4",
    ),
    (lambda s: s.update(name="a study"), "name is 'a study'"),
    (lambda s: s.update(seed=-1), "seed is -1, below 0; the seed is a 32-bit number"),
    (lambda s: s.update(seed=2**32), "seed is 4294967296, above 4294967295"),
    (lambda s: s["parts"][1].update(block_samples=48), "parts[1].block_samples is 48 at L = 4, not a multiple of 32"),
    (
        lambda s: s["parts"][1].update(block_samples={4: 64}),
        "parts[1].block_samples says nothing about L = 6; add an entry for it",
    ),
    (
        lambda s: s["parts"].append(s["parts"][1] | {"name": "again", "block_samples": 64}),
        "the parts 'relaxation' and 'again' share the run at L = 4, but their block_samples are 1 and 64",
    ),
    (
        lambda s: s.update(critical=transition(parts=["relaxatoin"])),
        "critical.parts[0] is 'relaxatoin', no part of model ea3d; did you mean 'relaxation'?",
    ),
    (lambda s: s.update(critical=transition(parts=["ising"])), "critical.parts[0] is 'ising', no part of model ea3d"),
    (lambda s: s.update(critical=transition(clocks=[])), "critical.clocks is an empty list; give at least one entry"),
    (
        lambda s: s.update(critical=transition(clocks=[1.5])),
        "critical.clocks[0] is 1.5, not below 1; xi / L lies between 0 and about 0.65",
    ),
    (
        lambda s: s.update(critical=transition(L_min=8)),
        "critical.quote.cumulants.L_min is 8, not one of 4, 6; quote a fit of the scan",
    ),
    (lambda s: s.update(critical=transition(clock=0.4)), "critical.quote.cumulants.clock is 0.4, not one of 0.3"),
    (
        lambda s: s.update(critical=transition(together={"clocks": [0.4], "xi_min": [2]})),
        "critical.together.clocks[0] is 0.4, none of critical.clocks; add it",
    ),
    (
        lambda s: s.update(
            critical=transition()
            | {"quote": {name: {"xi_min": 3, "corrected": False} for name in ("cumulants", "powers")}}
        ),
        "critical.quote.cumulants has xi_min, but there are no fits of all clocks together; add critical.together",
    ),
    (
        lambda s: s.update(critical=all_clocks({"xi_min": 3})),
        "critical.quote.cumulants.xi_min is 3, not one of 2; quote a fit of the scan",
    ),
    (
        lambda s: s.update(critical=all_clocks({"xi_min": 2, "clock": 0.3})),
        "critical.quote.cumulants has clock, corrected, xi_min; a fit at one clock is named by clock and L_min",
    ),
    (
        lambda s: s.update(critical=all_clocks({"xi_min": 2}, degrees=[2, 2])),
        "critical.degrees has an entry twice; keep one of them",
    ),
    (lambda s: s.update(critical=all_clocks({"xi_min": 2}, degrees=[0])), "critical.degrees[0] is 0, below 1"),
    (lambda s: s.update(critical=all_clocks({"xi_min": 2}, degrees=[2, 5])), "critical.degrees[1] is 5, above 4"),
    (
        lambda s: s.update(critical=transition(degrees=[2, 3])),
        "critical.degrees has more than one entry, but only fits of all clocks together use them all; add critical.together",
    ),
    (
        lambda s: s.update(critical=all_clocks({"xi_min": 2, "degree": 3})),
        "critical.quote.cumulants.degree is 3, not one of 2; quote a fit of the scan",
    ),
    (
        lambda s: s.update(critical=all_clocks({"clock": 0.3, "L_min": 4, "degree": 3}, degrees=[2, 3])),
        "critical.quote.cumulants.degree is 3, but fits at one clock have the first of critical.degrees, 2; remove degree or quote",
    ),
    (
        lambda s: s["parts"][1].update(L=[4]) or s.update(critical=transition()),
        "critical.parts hold one size, but its fits need two",
    ),
    (
        lambda s: (
            s["parts"].append(s["parts"][1] | {"name": "again", "sweeps": 512})
            or s.update(critical=transition(parts=["relaxation", "again"]))
        ),
        "critical.parts hold L = 4, T = 1.1 twice",
    ),
]
