"""The schema of one study: each part has the keys of its method, of these the ones that its model's traits allow."""

from __future__ import annotations

from typing import Any

from workflows.methods.registry import METHODS, method_of
from workflows.study.presets import presets

Schema = dict[str, Any]


def is_known(part: Any) -> bool:
    """Whether a part of a study that nothing has checked yet names a model and, if any, a method that there are."""
    if not isinstance(part, dict) or not isinstance(part.get("model"), str) or part["model"] not in presets():
        return False
    return "method" not in part or part["method"] in list(METHODS)


def definition_of(part: dict[str, Any], definitions: Schema) -> Schema:
    """The definition of the method of a part for its model. References of keys are replaced, so that each has its default."""
    preset, whole = presets()[part["model"]], definitions[method_of(part).name]
    properties = {}
    for key, rule in whole["properties"].items():
        named = definitions[rule["$ref"].rpartition("/")[2]] if "$ref" in rule else {}
        merged = {word: value for word, value in (named | rule).items() if word not in ("$ref", "needs")}
        needs = (named | rule).get("needs")
        if needs is None or preset.has(needs):
            properties[key] = merged
    if method_of(part).tempered:
        properties["replicas"] = properties["replicas"] | {"default": 4 if preset.has_random_bonds else 2}
    if preset.field == "uniform":
        properties["h"] = properties["h"] | {"default": 0}
    if "random" in properties and part.get("p", 0.5) != 0.5:
        properties["random"] = properties["random"] | {"default": "independent"}
    if not preset.has_disorder:
        properties["save"] = properties["save"] | {"items": {"enum": ["spins"]}}
    required = [key for key in whole["required"] if key in properties and "default" not in properties[key]]
    return whole | {"properties": properties, "required": required}


def with_definitions(schema: Schema, content: Any) -> Schema:
    """The schema of studies with the definition of every part of this one. Parts without a known model and method are told so."""
    parts = content.get("parts") if isinstance(content, dict) else None
    whole = schema["properties"]["parts"]
    whole["items"]["properties"]["model"]["enum"] = list(presets())
    if isinstance(parts, list):
        whole["prefixItems"] = [
            definition_of(part, schema["$defs"]) if is_known(part) else whole["items"] for part in parts
        ]
    return schema
