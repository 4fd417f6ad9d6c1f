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


def study(**changes: Any) -> dict[str, Any]:
    """A study with an entry that needs a GPU."""
    entries = [
        {"seed": "000", "command": "layouts", "L": [8, 10, 16, 18, 32, 64], "packs": [1, 4, 16]},
        {"seed": "000", "command": "generators"},
        {"seed": "002", "command": "layouts", "file": "stencil", "L": [64], "generator": ["none"]},
        {"seed": "000", "command": "generators", "file": "gpu", "device": "cuda", "count": 536870912},
    ]
    return {"name": "lab", "title": "Made-up laboratory", "laboratory": entries} | changes
