"""A study drawn by seed from the schema, for models and methods that no study of config/ combines:

python tests/workflow/forecast/drawn_study.py SEED > drawn.yaml; python -m workflows.forecast.compare drawn.yaml"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import yaml

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from workflows.methods.registry import METHODS
from workflows.study.definitions import definition_of
from workflows.study.presets import presets
from workflows.study.validation import read_schema


def drawn_part(draw: random.Random, name: str, flips: float) -> dict[str, Any]:
    """A part whose shards of its largest size have about so many flips."""
    model, method = draw.choice(list(presets())), draw.choice(list(METHODS))
    preset = presets()[model]
    part: dict[str, Any] = {"name": name, "model": model, "method": method}
    keys = definition_of(part, read_schema("study")["$defs"])["properties"]
    sizes = draw.sample([8, 16, 24, 32] if preset.dimension == 2 else [4, 6, 8, 10, 12], 2)
    shard = draw.choice([64, 128, 256])
    part |= {
        "L": sorted(sizes),
        "samples": 2 * shard,
        "shard_samples": shard,
        "start": draw.choice(["random", "ordered"]),
    }
    if "h" in keys:
        part["h"] = draw.choice([0.5, 1, 1.3]) if preset.has_disorder else draw.choice([0, 0.25])
    if "p" in keys and draw.random() < 0.5:
        part["p"] = draw.choice([0.1, 0.2])
    if "replicas" in keys:
        part["replicas"] = draw.choice([2, 3, 4])
    slots = 1
    if method == "tempering":
        slots = draw.randint(4, 9)
        part |= {"T": [round(1.5 + 0.25 * slot, 2) for slot in range(slots)], "exchange_interval": draw.choice([4, 10])}
        unit = part["exchange_interval"] * 2 ** (part.setdefault("bins", 4) - 1)
        if draw.random() < 0.5:
            part["T"] = {"from": 1.5, "to": 3.5}
            part["adapt"] = {"method": "insert", "slots": slots - 2, "trials": 2, "insertions": 1, "samples": 64}
            part["adapt"]["sweeps"] = 40 * part["exchange_interval"]
    else:
        part["T"] = [draw.choice([1.2, 2.0]), draw.choice([2.5, 3.5])]
        unit = 1
    if method == "equilibrium":
        part |= {"measure_interval": draw.choice([4, 10]), "bins": draw.choice([8, 32])}
        unit = part["measure_interval"] * part["bins"]
    spins = max(sizes) ** preset.dimension * shard * part.get("replicas", 2) * slots
    part["sweeps"] = max(1, round(flips / spins / unit)) * unit
    return part


def drawn_study(seed: int, parts: int = 2, flips: float = 1e10) -> dict[str, Any]:
    draw = random.Random(seed)
    found: list[dict[str, Any]] = []
    while len(found) < parts:
        part = drawn_part(draw, f"part{len(found) + 1}", flips)
        if part["model"] not in {other["model"] for other in found}:
            found.append(part)
    return {"name": f"drawn{seed}", "title": f"Drawn with seed {seed}", "seed": seed, "parts": found}


if __name__ == "__main__":
    print(yaml.safe_dump(drawn_study(int(sys.argv[1])), sort_keys=False), end="")
