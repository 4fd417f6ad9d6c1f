"""The models of the Ising family, as the registry of the engine lists them, and the traits that decide which keys a study may have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

REGISTRY = Path(__file__).resolve().parents[2] / "engine" / "models" / "presets.def"
LINE = re.compile(r'^PSFLIP_PRESET\((\w+), (\d+), (\d), (\w+), (\w+), (\w+), "([^"]*)"\)', re.MULTILINE)


@dataclass(frozen=True)
class Preset:
    """One line of presets.def. `number` is in the tags of random numbers; `method` is that of a part that names none."""

    name: str
    number: int
    dimension: int
    couplings: str
    field: str
    method: str
    title: str

    @property
    def has_random_bonds(self) -> bool:
        return self.couplings == "random_bonds"

    @property
    def has_field(self) -> bool:
        """Whether its jobs may have a field; in_field() says whether a part has one."""
        return self.field != "none"

    @property
    def has_disorder(self) -> bool:
        return self.has_random_bonds or self.field == "random_sign"

    @property
    def packs_sites(self) -> bool:
        """Whether sites of one lattice can share a word, as `Preset::packs_sites` of the engine says."""
        return self.dimension == 2 and not self.has_disorder

    def has(self, trait: str) -> bool:
        """A trait by the name that the schema of studies uses."""
        return {
            "random_bonds": self.has_random_bonds,
            "field": self.has_field,
            "disorder": self.has_disorder,
            "site_packing": self.packs_sites,
        }[trait]


@cache
def presets() -> dict[str, Preset]:
    """All models by name, in the order of the registry."""
    lines = LINE.findall(REGISTRY.read_text(encoding="utf-8"))
    return {name: Preset(name, int(number), int(dimension), *rest) for name, number, dimension, *rest in lines}


def in_field(part: dict[str, Any]) -> bool:
    """Whether the energy of a part has a field, as `System::has_field` of the engine says: always a random one."""
    return presets()[part["model"]].field == "random_sign" or part.get("h", 0) != 0


def system_of(part: dict[str, Any]) -> dict[str, float | None]:
    """The strength of the field and the probability of J = -1 of a part; None for a model without the term. A ferromagnet
    has no J = -1."""
    preset = presets()[part["model"]]
    h = float(part.get("h", 0)) if preset.has_field else None
    p = 0.0 if part.get("couplings") == "ferromagnet" else float(part.get("p", 0.5))
    return {"h": h, "p": p if preset.has_random_bonds else None}


def knows_exponents(part: dict[str, Any]) -> bool:
    """Whether `psflip-analysis` knows the critical exponents of a part for any of its methods
    (analysis/models/critical_exponents.hpp). At h = 0 they are those of the pure model; those of random fields are
    assumed for tempering alone."""
    preset = presets()[part["model"]]
    return (
        not system_of(part)["h"]
        and part.get("p", 0.5) == 0.5
        and (preset.dimension == 3 or not preset.has_random_bonds)
    )
