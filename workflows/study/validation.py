"""Checks a study and tells all its mistakes at once, each in one sentence with the place, the value and the remedy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, ValidationError, validators

from workflows.laboratory import entries as laboratory
from workflows.study.definitions import is_known, with_definitions
from workflows.study.error import Mistake, inside, nearest, refusal, shown
from workflows.study.reading import Document, read_document
from workflows.study.relations import guarded, relations
from workflows.study.sweep import expanded

SCHEMAS = Path(__file__).parents[1] / "schemas"

TYPE_NAMES = {
    "array": "a list",
    "object": "a mapping",
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
}

BOUNDS = {"minimum": "below", "maximum": "above", "exclusiveMinimum": "not above", "exclusiveMaximum": "not below"}

# An unknown key explains a missing one, so it is reported first.
FIRST_REPORTED = ["enum", "additionalProperties", "type", "minItems"]

# Mistakes that are looked for; more tell nothing new.
MOST_MISTAKES = 1000


def _unique(_validator: Any, unique: bool, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """As jsonschema does, in linear time."""
    if unique and isinstance(value, list):
        seen = set()
        for item in value:
            key = repr(item) if isinstance(item, (list, dict, bool)) else item
            if key in seen:
                yield ValidationError("an entry twice")
                return
            seen.add(key)


VALIDATOR = validators.extend(Draft202012Validator, {"uniqueItems": _unique})


def read_study(path: Path) -> dict[str, Any]:
    """The checked content of a study file. StudyError tells every mistake after FILE:LINE."""
    return check_document(path, read_document(path))


def check_document(path: Path, document: Document) -> dict[str, Any]:
    """The checked content of a study file that has been read."""
    spoiled = {mistake.place for mistake in document.mistakes}
    content, found = _checked(document.content, document.mistakes)
    # What cannot be read needs no second complaint, and hides what depends on it.
    mistakes = document.mistakes + [mistake for mistake in found if mistake.place not in spoiled]
    if mistakes:
        raise refusal(mistakes, str(path), document.lines)
    return content


def check(content: Any) -> dict[str, Any]:
    """The study with defaults filled in; StudyError if the schema or a relation between keys is violated."""
    content, mistakes = _checked(content, [])
    if mistakes:
        raise refusal(mistakes)
    return content


def _checked(content: Any, known: list[Mistake]) -> tuple[Any, list[Mistake]]:
    """The content with defaults filled in, and its mistakes in addition to those that reading found."""
    content = _with_text_keys(content)
    mistakes = [Mistake(place, f"is {value}; give a finite number") for place, value in _numbers(content)
                if not math.isfinite(value)]  # fmt: skip
    if isinstance(content, dict) and "benchmarks" in content:
        return content, mistakes + _schema_mistakes(content, read_schema("benchmark"))
    if isinstance(content, dict) and "laboratory" in content:
        found = _schema_mistakes(content, laboratory.with_commands(read_schema("laboratory"), content))
        return content, mistakes + found + list(laboratory.relations(content, known + found))
    content, origin, found = expanded(content)
    written = known + mistakes + found
    if found and not content["parts"]:
        return content, mistakes + found
    schema = with_definitions(read_schema("study"), content)
    plain = _schema_mistakes(content, schema)
    _fill_in(content, schema)
    if isinstance(content, dict):
        plain += relations(guarded(content, origin.in_plain(written) + plain))
    return content, mistakes + found + origin.in_file(plain)


def _fill_in(content: Any, schema: dict[str, Any]) -> None:
    """Adds the defaults of keys that are absent, as far as the content has the form of a study."""
    if not isinstance(content, dict):
        return
    if isinstance(content.get("critical"), dict):
        for key in ("omegas", "degrees"):
            content["critical"].setdefault(key, schema["properties"]["critical"]["properties"][key]["default"])
    parts = content["parts"] if isinstance(content.get("parts"), list) else []
    for part, definition in zip(parts, schema["properties"]["parts"].get("prefixItems", [])):
        if not is_known(part):
            continue
        for key, rule in definition["properties"].items():
            if "default" in rule:
                part.setdefault(key, rule["default"])
        if isinstance(part.get("L"), list):  # 8.0 counts as an integer, and as the size 8
            part["L"] = [int(size) if isinstance(size, float) and size.is_integer() else size for size in part["L"]]


@cache
def _schema(name: str) -> dict[str, Any]:
    return yaml.safe_load((SCHEMAS / f"{name}.schema.yaml").read_text(encoding="utf-8"))


def read_schema(name: str) -> dict[str, Any]:
    """A schema that the caller may change."""
    return deepcopy(_schema(name))


def check_schema(content: Any, schema: dict[str, Any]) -> None:
    """StudyError if the content violates the schema."""
    mistakes = _schema_mistakes(content, schema)
    if mistakes:
        raise refusal(mistakes)


def _schema_mistakes(content: Any, schema: dict[str, Any]) -> list[Mistake]:
    errors = sorted(islice(VALIDATOR(schema).iter_errors(content), MOST_MISTAKES), key=_order)
    return list(dict.fromkeys(mistake for error in errors for mistake in _mistakes(error)))


def _with_text_keys(value: Any) -> Any:
    """JSON knows only text as keys; `{8: 4096}` is a mapping from "8"."""
    if isinstance(value, dict):
        return {str(key): _with_text_keys(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_text_keys(item) for item in value]
    return value


def _numbers(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, inside(place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, inside(place, index))
    elif isinstance(value, float):
        yield place, value


def _order(error: ValidationError) -> int:
    known = error.validator in FIRST_REPORTED
    return FIRST_REPORTED.index(error.validator) if known else len(FIRST_REPORTED)


def _mistakes(error: ValidationError) -> Iterator[Mistake]:
    """A schema error as sentences: one for each key that is unknown or missing, else one."""
    place = ""
    for step in error.absolute_path:
        place = inside(place, step)
    value, schema = error.instance, error.schema
    known = list(schema.get("properties", {}))
    if error.validator == "additionalProperties":
        for key in [key for key in value if key not in known]:
            words = f"has the unknown key {shown(key)}{nearest(key, known)}"
            yield Mistake(place, words, inside(place, key), key, is_surplus=True)
    elif error.validator == "required":
        remedy = f"; {schema['remedy']}" if "remedy" in schema else "; add it (config/README.md explains every key)"
        unknown = {nearest(key, known) for key in value if key not in known}
        for key in [key for key in error.validator_value if key not in value]:
            is_misspelled = schema.get("additionalProperties") is False and f"; did you mean '{key}'?" in unknown
            yield Mistake(place, f"lacks the key '{key}'{remedy}", key=key, is_told=is_misspelled)
    else:
        yield Mistake(place, _words(error, value, f"; {schema['remedy']}" if "remedy" in schema else ""))


def _words(error: ValidationError, value: Any, remedy: str) -> str:
    """What is wrong with a value, and the remedy."""
    limit, text = error.validator_value, "empty" if value is None else shown(value)
    match error.validator:
        case "type":
            types = [limit] if isinstance(limit, str) else limit
            return f"is {text}, not {' or '.join(TYPE_NAMES[name] for name in types)}{remedy}"
        case "enum":
            return f"is {text}, not one of {', '.join(limit)}{nearest(value, limit)}"
        case "minItems":
            return (
                f"{'has one entry' if value else 'is an empty list'}; give at least {limit if value else 'one entry'}"
            )
        case "pattern":
            return f"is {text}{remedy}"
        case "maxLength":
            return f"is {text}, {len(value)} characters; give at most {limit}"
        case "uniqueItems":
            return "has an entry twice; keep one of them"
        case "multipleOf":
            return f"is {text}, not a multiple of {limit}{remedy}"
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            return f"is {text}, {BOUNDS[error.validator]} {limit}{remedy}"
        case _:
            return f"is {text} and {error.validator} fails{remedy}"
