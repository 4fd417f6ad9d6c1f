"""Mistakes about methods and traits of models in the smoke study, each with the sentence that refuses it."""

from __future__ import annotations

from bad_studies import Change, transition

FIXED = {  # the model of parts[2] at fixed temperatures
    "name": "fixed",
    "model": "rfim3d",
    "method": "relaxation",
    "L": [4, 6],
    "T": [3.6, 3.9, 4.2],
    "h": 1,
    "samples": 64,
    "shard_samples": 64,
    "sweeps": 320,
}


BAD_METHODS: list[tuple[Change, str]] = [
    (
        lambda s: s["parts"][1].update(method="relax"),
        "parts[1].method is 'relax', not one of relaxation, equilibrium, tempering; did you mean 'relaxation'?",
    ),
    (
        lambda s: s["parts"][1].update(method="tempering"),
        "parts[1] has the unknown key 'fit'; known are name, ",
    ),
    (
        lambda s: s["parts"][0].update(method="relaxation"),
        "parts[0] has the unknown key 'measure_interval'; known are name, ",
    ),
    (
        lambda s: s["parts"].append(FIXED | {"fit": {"from": 1, "to": 8}}),
        "parts[3].fit lacks eta; psflip knows no exponents of rfim3d, so give those of its universality class",
    ),
    (
        lambda s: s["parts"].append(
            FIXED | {"method": "equilibrium", "crossing": {"from": 3.5, "to": 4.5, "nu": 1.38}}
        ),
        "parts[3].crossing lacks omega; psflip knows no exponents of rfim3d",
    ),
    (
        lambda s: s["parts"][0]["crossing"].update(nu=1),
        "parts[0].crossing has exponents, but psflip knows those of ising2d; remove nu and omega",
    ),
    (
        lambda s: s["parts"][0].update(h=0.5),
        "parts[0].crossing lacks nu and omega; psflip knows no exponents of ising2d in a field",
    ),
    (
        lambda s: s["parts"][0].update(
            h=0.5, packing="sites", L=[64, 128], crossing={"from": 2.0, "to": 2.5, "nu": 1, "omega": 2}
        ),
        "parts[0].packing is 'sites', but h = 0.5; sites share words without a field only, remove one of the two",
    ),
    (lambda s: s["parts"][0].update(h=-1), "parts[0].h is -1, below 0"),
    (lambda s: s["parts"][1].update(p=1.5), "parts[1].p is 1.5, above 1"),
    (lambda s: s["parts"][0].update(p=0.1), "parts[0] has the unknown key 'p'"),
    (
        lambda s: s["parts"][1].update(p=0, random="shared"),
        "parts[1].p is 0, so samples differ by their random numbers alone; add random: independent",
    ),
    (
        lambda s: s["parts"][1].update(p=0.1, couplings="ferromagnet"),
        "parts[1].p is 0.1, but all bonds of couplings 'ferromagnet' are +1; remove one of the two",
    ),
    (
        lambda s: s["parts"][1].update(p=0.1),
        "parts[1].fit lacks eta; psflip knows no exponents of ea3d at p = 0.1",
    ),
    (
        lambda s: s["parts"].append({key: value for key, value in FIXED.items() if key != "h"}),
        "parts[3] lacks the key 'h'; add it",
    ),
    (lambda s: s["parts"][1].update(h=1), "parts[1] has the unknown key 'h'"),
    (lambda s: s["parts"][1].update(packing="sites"), "parts[1] has the unknown key 'packing'"),
    (
        lambda s: s["parts"][0].update(packing="sites"),
        "parts[0].packing is 'sites', but L = 8 is not a multiple of 64",
    ),
    (lambda s: s["parts"][0].update(replicas=2), "parts[0] has the unknown key 'replicas'"),
    (lambda s: s["parts"][0].update(save=["disorder"]), "parts[0].save[0] is 'disorder', not one of spins"),
    (
        lambda s: s["parts"][1].update(couplings="ferromagnet"),
        "parts[1].couplings is 'ferromagnet', whose samples differ by their random numbers alone; add random: independent",
    ),
    (
        lambda s: (
            s["parts"][1].update(method="equilibrium", samples=96, shard_samples=48, sweeps=320)
            or s["parts"][1].pop("fit")
        ),
        "parts[1].shard_samples is 48, not a multiple of 32",
    ),
    (
        lambda s: (
            s["parts"].append(s["parts"][1] | {"name": "late", "method": "equilibrium", "sweeps": 320})
            or s["parts"][3].pop("fit")
            and s.update(critical=transition(parts=["relaxation", "late"]))
        ),
        "critical.parts[1] is 'late', no relaxation with random bonds at p = 1/2; remove it",
    ),
]
