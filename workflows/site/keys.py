"""The page on the keys of a study file, from its schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from workflows.methods.registry import METHODS
from workflows.site.tables import cell, code, header, row

TRAITS = {
    "random_bonds": "random bonds",
    "field": "a field",
    "disorder": "disorder",
    "site_packing": "site packing",
}


# Keys that psflip itself writes, into study.json.
WRITTEN = ("sweep",)

PART = """Types are those of one value of a sweep: `L`, `T`, `beta`, `h`, `p` and `seed` also take lists and intervals, and other
keys mappings ([sweeps](../docs/study-file/sweeps.md))."""


def keys_page(root: Path) -> str:
    schema = yaml.safe_load((root / "workflows" / "schemas" / "study.schema.yaml").read_text(encoding="utf-8"))
    about = "From `workflows/schemas/study.schema.yaml`. How they are used: [studies](../config/README.md)."
    top = {key: value for key, value in schema["properties"].items() if key != "critical"}
    critical = schema["properties"]["critical"]
    rows = _rows(schema, critical["properties"], critical["required"], "studies with `critical`", "critical.")
    lines = ["# Keys of a study file", "", about, ""]
    lines += ["## Study", "", *table(_rows(schema, top, schema["required"], "every study")), ""]
    lines += ["## Part", "", PART, "", *table(part_rows(schema)), ""]
    lines += ["## Critical", "", critical["description"], "", *table(rows), ""]
    return "\n".join(lines)


def table(rows: list[tuple[str, ...]]) -> list[str]:
    head = header("key", "applies to", "type", "default", "description")
    return [*head, *(row(code(key), *map(cell, rest)) for key, *rest in rows)]


def part_rows(schema: dict[str, Any]) -> list[tuple[str, ...]]:
    """A row for each key; methods whose row of a key is the same share it."""
    found: dict[tuple[str, ...], list[str]] = {}
    for method in METHODS:
        definition, any_part = schema["$defs"][method], schema["properties"]["parts"]["items"]
        properties = definition["properties"] | {"model": any_part["properties"]["model"]}
        for key, _, *rest in _rows(schema, properties, definition["required"] + any_part["required"], ""):
            found.setdefault((key, *rest), []).append(method)
    names = list(dict.fromkeys(key for key, *_ in found))
    needs = _needs(schema)
    rows = []
    for (key, *rest), methods in sorted(found.items(), key=lambda item: names.index(item[0][0])):
        words = "all" if len(methods) == len(METHODS) else ", ".join(methods)
        trait = needs.get((methods[0], key.partition(".")[0]))
        rows.append((key, f"{words}; models with {TRAITS[trait]}" if trait else words, *rest))
    return rows


def _needs(schema: dict[str, Any]) -> dict[tuple[str, str], str]:
    found = {}
    for method in METHODS:
        for key, value in schema["$defs"][method]["properties"].items():
            if trait := resolved(schema, value).get("needs"):
                found[method, key] = trait
    return found


def resolved(schema: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """A subschema with the definition that it refers to; its own words come first."""
    if "$ref" not in value:
        return value
    return schema["$defs"][value["$ref"].rpartition("/")[2]] | {key: own for key, own in value.items() if key != "$ref"}


def _rows(
    schema: dict[str, Any], properties: dict[str, Any], required: list[str], applies: str, before: str = ""
) -> list[tuple[str, ...]]:
    """A row for each key, and for each key inside it."""
    rows: list[tuple[str, ...]] = []
    for key, value in properties.items():
        if key in WRITTEN:
            continue
        full = resolved(schema, value)
        default = json.dumps(full["default"]).strip('"') if "default" in full else ""
        default = "required" if key in required and key != "h" else default
        rows.append((f"{before}{key}", applies, type_of(full), default, full.get("description", "")))
        # The items of `parts` have a table of their own, `T` of tempering two keys that its description names.
        if "properties" in full and key not in ("parts", "T"):
            rows += _rows(schema, full["properties"], full.get("required", []), applies, f"{before}{key}.")
    return rows


def type_of(value: dict[str, Any]) -> str:
    """In words: the type, or the values that are allowed, and the limits."""
    if "enum" in value:
        return ", ".join(f"`{one}`" for one in value["enum"])
    kinds = value.get("type", [])
    words = (
        " or ".join([kinds] if isinstance(kinds, str) else kinds).replace("object", "mapping").replace("array", "list")
    )
    limits = [
        f"{sign}\N{NO-BREAK SPACE}{value[key]}"
        for key, sign in (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))
        if key in value
    ]
    items = value.get("items", {})
    if items and "object" not in kinds and items.get("type") != "object":
        words += f" of {type_of(items)}"
    return f"{words} {', '.join(limits)}".strip()
