"""Files like those of psflip-lab on machines that do not exist: round numbers, none of them measured."""

from __future__ import annotations

from typing import Any

SCALAR = 40000.0


def row(variant: str, layout: str, generator: str, L: int, ps: float, **more: Any) -> dict[str, Any]:
    content = {
        "system": "ea3d", "variant": variant, "layout": layout, "generator": generator, "L": L, "ps_per_flip": ps,
        "seconds": 1e-3, "flips": 1e9, "speedup": SCALAR / ps, "device": "cpu", "threads": 1,
    }  # fmt: skip
    return content | more


def measurement(command: str, table: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    provenance = {"code_version": "0.0.0", "git_commit": "made-up", "created": "2000-01-01T00:00:00Z", "gpu": None}
    return {"command": f"psflip-lab {command}", "machine": "made-up CPU", "table": table, **provenance, **more}


def layouts(**more: Any) -> dict[str, Any]:
    """sliced is the fastest from L = 32 on of the branch 4m, standard below; packs 4 are better than 1."""
    times = {
        "sliced": {8: 900.0, 10: 500.0, 16: 500.0, 18: 600.0, 32: 400.0, 64: 800.0},
        "standard": {8: 400.0, 10: 700.0, 16: 450.0, 18: 700.0, 32: 500.0, 64: 1600.0},
        "bitwise": {8: 500.0, 16: 480.0, 32: 450.0, 64: 1000.0},
    }
    rows = [
        row("layout", layout, "minstd", L, ps * (1 if packs == 4 else 1.5), packs=packs, replicas=4, **more)
        for layout, sizes in times.items()
        for L, ps in sizes.items()
        for packs in (1, 4, 16)
    ]
    for layout in times:
        rows.append(row("layout", layout, "xorwow", 32, 1200.0, packs=4, replicas=4, **more))
        rows.append(row("layout", layout, "mt19937", 32, 800.0, packs=4, replicas=4, **more))
    others = [row("scalar", "plain", "minstd", L, SCALAR) for L in times["sliced"]]
    others += [row("psflip", "psflip", "philox", L, 100.0, packs=16) for L in times["sliced"]]
    return measurement("layouts --L 8,10,16,18,32,64", others + rows)


def stencil() -> dict[str, Any]:
    times = {"sliced": 200.0, "standard": 300.0, "bitwise": 250.0}
    rows = [row("stencil", layout, "none", 64, ps, packs=1) for layout, ps in times.items()]
    return measurement("layouts --generator none", rows)


def generators() -> dict[str, Any]:
    names = (("minstd", "psflip", 4.0), ("mt19937", "std", 5000.0))
    rows = [
        {"generator": name, "library": library, "device": "cpu", "state_bytes": state, "threads": 1.0,
         "numbers_filled": 1e6, "seconds_init": 1e-6, "seconds_fill": 0.5, "seconds_fill_2_29": 2.5, "numbers_per_second": 2e8}
        for name, library, state in names
    ]  # fmt: skip
    return measurement("generators", [], generators=rows)


def ising2d() -> dict[str, Any]:
    times = {"scalar": 8000.0, "basic": 4000.0, "tensor": 8000.0, "four_bit": 1000.0, "psflip_sites": 50.0}
    rows = [row(name, "plain", "philox", 2048, ps, bytes_per_spin=1) for name, ps in times.items()]
    return measurement("ising2d --L 2048", [one | {"system": "ising2d"} for one in rows])


def numba() -> dict[str, Any]:
    """Without a reference and without a commit, as the module of Python writes it."""
    numbers = {"L": 2048, "ps_per_flip": 2000.0, "device": "cpu", "threads": 1}
    texts = {"system": "ising2d", "variant": "numba", "layout": "bytes", "generator": "philox_sequence"}
    content = measurement("", [texts | numbers]) | {"command": "python -m workflows.laboratory.numba_ising2d --L 2048"}
    return {key: value for key, value in content.items() if key not in ("git_commit", "code_version")}


def multi_hit() -> dict[str, Any]:
    """LCG32 deviates by 100 errors, Philox by 1; 10 hits cost the least, 5 hits within two errors."""
    rows, energies = [row("scalar", "plain", "minstd", 1024, 8000.0)], []
    runs = (
        ("sequential", "sequential", 1, 8000.0, 30.0),
        ("tiles", "naive", 1, 8000.0, 30.0),
        ("tiles", "naive", 5, 4100.0, 40.0),
        ("tiles", "naive", 10, 4000.0, 40.0),
        ("tiles", "naive", 100, 2000.0, 200.0),
        ("tiles", "symmetric", 10, 4000.0, 41.0),
    )
    for beta, generator, deviation in ((0.4, "lcg32", 100.0), (0.4, "philox", 1.0), (0.44, "lcg64", 0.0)):
        for variant, order, hits, ps, tau in runs:
            if beta == 0.4 and (hits == 5 or order == "symmetric"):
                continue
            keys = {"order": order, "hits": hits, "beta": beta} | ({"tile": 16} if variant == "tiles" else {})
            rows.append(row(variant, "plain", generator, 1024, ps, **keys))
            shift = 2e-4 if order == "symmetric" else 0.0
            estimates = {"e": -1.1060792037 + 1e-4 * deviation + shift, "e_error": 1e-4, "C": 0.86, "C_error": 0.01}
            energies.append(
                {
                    "variant": variant,
                    "generator": generator,
                    "dimension": 2,
                    "L": 1024,
                    "seed": 1,
                    "sweeps": 64000,
                    "discarded": 2000,
                    "blocks": 64,
                }
                | {"tau_int": tau, "tau_int_error": 1.0, "ps_per_flip": ps, "device": "cpu", "threads": 1}
                | {"m": 0.5, "m_error": 0.01, "tau_int_m": 50 * tau, "tau_int_m_error": 20.0}
                | estimates
                | keys
            )
    table = [one | {"system": "ising2d"} for one in rows]
    return measurement("multi_hit --L 1024", table, energies=energies)


def glass2d() -> dict[str, Any]:
    """Words of 64 are 50 times faster than bytes, psflip 100 times; 512 realizations are faster than 64."""
    rows = [row("scalar", "plain", "minstd", 16, 8000.0)]
    for realizations, factor in ((64, 2.0), (512, 1.0)):
        for name, ps in (("bytes", 10000.0), ("words32", 400.0), ("words64", 200.0)):
            rows.append(row(name, name, "minstd", 16, factor * ps, realizations=realizations, replicas=1))
        for bits in (64, 256):
            ours = {"realizations": realizations, "replicas": 4, "realizations_of_word": bits}
            rows.append(row("psflip", "psflip", "philox", 16, factor * 25600.0 / bits, **ours))
    return measurement("glass2d --L 16", [one | {"system": "ea2d"} for one in rows])


def tempering() -> dict[str, Any]:
    """Exchanges every 10 sweeps cost a quarter more."""
    rows = []
    for L in (16, 64):
        rows.append(row("scalar", "plain", "minstd", L, 8000.0))
        for variant, ps, samples, replicas in (("scalar_tempering", 9000.0, 1, 1), ("psflip", 80.0, 512, 2)):
            for interval, factor in ((10, 1.25), (100, 1.0)):
                keys = {"exchange_interval": interval, "slots": 20, "samples": samples, "replicas": replicas}
                rows.append(row(variant, "plain", "minstd", L, factor * ps, exchange_rate=0.75, **keys))
    return measurement("tempering --L 16,64", [one | {"system": "ising2d"} for one in rows])


def tile_times(**more: Any) -> dict[str, Any]:
    """The energy adds 20 % at k = 1 and 10 % at k = 100; Philox takes twice as long as LCG32; 100 hits are 4 times as fast."""
    rows = []
    for system in ("ising2d", "ising3d"):
        for L in (64, 128):
            rows.append(row("scalar", "plain", "minstd", L, 8000.0) | {"system": system})
            rows.append(row("psflip_samples", "samples", "philox", L, 50.0, lattices=512) | {"system": system})
            for generator, factor in (("lcg32", 1), ("philox", 2)):
                for hits, ps, overhead in ((1, 4000.0, 1.2), (100, 1000.0 * 1.2 / 1.1, 1.1)):
                    for variant, time in (("tiles_tracked", ps * overhead), ("tiles_untracked", ps)):
                        keys = {"order": "naive", "tile": 16, "hits": hits, "beta": 0.4} | more
                        rows.append(row(variant, "plain", generator, L, time * factor, **keys) | {"system": system})
    return measurement("multi_hit --times", rows)


def heisenberg() -> dict[str, Any]:
    """double takes twice the time of float; float deviates by 2 errors in e, double by 1 error from the series."""
    keys = {"proposal": "uniform", "cap": 2.0, "beta": 0.5, "device": "cpu", "threads": 1}
    rows = [row("scalar", "plain", "philox", 64, 60000.0, precision="double", **keys)]
    energies, lengths = [], []
    for index, (precision, ps) in enumerate((("double", 8000.0), ("float", 4000.0), ("float_library", 40000.0))):
        for hits in (1, 10):
            of_run = keys | {"precision": precision, "tile": 32, "hits": hits}
            rows.append(row("tiles", "tiles", "philox", 64, ps * (2 if hits == 1 else 1), **of_run))
            estimates = {"e": -0.3460896 + 1e-4 + index * 1e-4 * 2**0.5, "e_error": 1e-4, "m": 0.02, "m_error": 1e-4}
            estimates |= {"C": 0.18, "C_error": 0.01, "tau_int": 5.0, "tau_int_error": 0.1, "blocks": 32}
            energies.append({"L": 64, "sweeps": 12800, "discarded": 1280} | estimates | of_run)
            lengths += [{"L": 64, "sweeps": n, "deviation": 2e-8 * (index + 1)} | of_run for n in (0, 10, 12800)]
    table = [one | {"system": "heisenberg2d", "speedup": 60000.0 / one["ps_per_flip"]} for one in rows]
    return measurement("heisenberg --L 64", table, heisenberg=energies, lengths=lengths)


def field_tiles() -> dict[str, Any]:
    """Boxes flip twice as fast as the scalar update, with 100 hits four times, psflip a hundred times."""
    rows, steps = [], []
    for L in (8, 16):
        times = (("scalar", 8000.0, {}), ("tiles", 4000.0, {"hits": 1}), ("tiles", 2000.0, {"hits": 100}))
        for variant, ps, keys in (*times, ("psflip", 80.0, {"realizations": 512})):
            box = {"tile": "8x8x8"} if variant == "tiles" else {}
            rows.append(row(variant, "plain", "lcg64", L, ps, **keys, **box) | {"system": "rfim3d"})
            if keys.get("hits", 1) > 1:
                continue
            one = {"variant": variant, "L": L, "slots": 24, "interval": 10, "device": "cpu", "threads": 1}
            one |= {"realizations": keys.get("realizations", 1), "seconds_per_step": 1e-6 * ps} | box
            if variant == "psflip":
                one |= {"seconds_of_sweep": 0.01, "seconds_of_exchange": 0.004, "seconds_of_moves": 0.002}
            steps.append(one)
    return measurement("field_tiles --L 8,16", rows, steps=steps)


def temperature_grids() -> dict[str, Any]:
    """The adaptive grid takes 0.8 of the time of the dense one, and its errors are smaller by the root of 2."""
    rows = [row("scalar", "plain", "minstd", 32, 8000.0)]
    grids = []
    for name, slots, seconds, variance, rate in (
        ("sparse", 5, 4.0, 4.0, 0.05),
        ("dense", 13, 10.0, 1.0, 0.2),
        ("adaptive", 9, 8.0, 0.5, 0.25),
        ("equal_rates", 8, 7.0, 1.0, 0.3),
        ("more_slots", 10, 9.0, 1.0, 0.4),
    ):
        rows.append(row(name, "psflip", "philox", 32, 80.0, slots=slots))
        trials = 5 if name in ("adaptive", "equal_rates", "more_slots") else 0
        one = {"grid": name, "L": 32, "slots": slots, "samples": 512, "steps": 2000, "interval": 10, "device": "cpu", "threads": 1,
               "trials": trials, "trial_samples": 64, "seconds": seconds, "seconds_of_trials": 2.0 if trials else 0.0, "passed": slots - 1,
               "lowest_rate": rate, "mean_rate": rate, "highest_rate": rate + 0.1, "variance_C": variance, "variance_U4": variance,
               "rates": [[2.8 + slot, rate] for slot in range(slots - 1)], "rates_of_trials": [[rate, rate]] * trials}  # fmt: skip
        if name != "sparse":
            one |= {"flips_per_round_trip": 1e8 * rate, "flips_error": 1e6}
        grids.append(one)
    command = {"command": "python -m workflows.laboratory.temperature_grids --L 32"}
    return measurement("", [one | {"system": "rfim3d"} for one in rows], grids=grids) | command


def relaxation() -> dict[str, Any]:
    rows = [
        {"generator": name, "quantity": quantity, "L": 8, "T": 1.1, "blocks": 256, "chi2": 9.0, "degrees_of_freedom": 9,
         "probability": probability, "largest_pull": 1.5}
        for name, probability in (("minstd", 0.002), ("xorwow", 0.4))
        for quantity in ("energy", "q2")
    ]  # fmt: skip
    return measurement("relaxation", [], relaxation=rows)


def exchange() -> dict[str, Any]:
    rows = [
        row(variant, "sliced", "philox", 8, 200.0, ranks=2, messages_of_half_sweep=messages, bytes_of_half_sweep=16384.0,
            seconds_of_messages=seconds, seconds_of_half_sweep=1e-4)
        for variant, messages, seconds in (("one_way", 1.0, 4e-6), ("two_way", 2.0, 6e-6))
    ]  # fmt: skip
    return measurement("exchange", [row("scalar", "plain", "minstd", 8, SCALAR), *rows])


def bands() -> dict[str, Any]:
    """Fractions at L = 64 differ by 2 errors from those of percolation."""
    fractions = {"ground": 0.6391, "straight": 0.3188, "diagonal": 0.0420}
    times = {"mean": 10.0, "error": 0.5, "median": 8, "lattices": 100}
    rows = [
        {"L": L, "T": 0.0, "lattices": 4096, "sweeps": 4 * L * L, "states": {
            name: {"lattices": 7, "fraction": value, "error": 0.01, "at_L": {"fraction": value, "error": 0.01}, "settled": times}
            for name, value in fractions.items()}}
        for L in (32, 64)
    ]  # fmt: skip
    return measurement("bands", [], bands=rows)


def entry_of_tiles(**changes: Any) -> dict[str, Any]:
    return {"seed": "001", "command": "multi_hit", "L": [24], "tile": [4]} | changes


def entry_of_grid(**changes: Any) -> dict[str, Any]:
    return {"seed": "001", "command": "tempering", "L": [16]} | changes


def entry_of_spins(**changes: Any) -> dict[str, Any]:
    return {"seed": "001", "command": "heisenberg", "L": [24], "tile": [4]} | changes


def entry_of_boxes(**changes: Any) -> dict[str, Any]:
    return {"seed": "003", "command": "field_tiles", "L": [32]} | changes


def entry_of_grids(**changes: Any) -> dict[str, Any]:
    return {"seed": "003", "command": "temperature_grids", "L": 8} | changes


def study(**changes: Any) -> dict[str, Any]:
    """A study with an entry that needs a GPU."""
    entries = [
        {"seed": "000", "command": "layouts", "L": [8, 10, 16, 18, 32, 64], "packs": [1, 4, 16]},
        {"seed": "000", "command": "generators"},
        {"seed": "002", "command": "layouts", "file": "stencil", "L": [64], "generator": ["none"]},
        {"seed": "000", "command": "generators", "file": "gpu", "device": "cuda", "count": 536870912},
    ]
    return {"name": "lab", "title": "Made-up laboratory", "laboratory": entries} | changes
