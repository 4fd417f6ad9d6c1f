"""Reads a study file and refuses, in one sentence, studies that no engine can run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, ValidationError

from workflows.critical.validation import check_critical
from workflows.methods.registry import method_of
from workflows.methods.tempering.validation import check_longer_sizes
from workflows.models.registry import OWN, section_of
from workflows.study.definitions import with_definitions
from workflows.study.error import StudyError, nearest
from workflows.study.per_size import check_window, count_for_size
from workflows.study.presets import in_field, knows_exponents, presets

SCHEMAS = Path(__file__).parents[1] / "schemas"

TYPE_NAMES = {"array": "a list", "object": "a mapping", "integer": "an integer", "number": "a number", "string": "text"}

BOUNDS = {"minimum": "below", "maximum": "above", "exclusiveMinimum": "not above", "exclusiveMaximum": "not below"}

# Keys of a part with one number, or one for each size.
PER_SIZE = [
    "samples",
    "shard_samples",
    "grown_from",
    "sweeps",
    "exchange_interval",
    "measure_interval",
    "block_samples",
]

# Keys of a part that need exponents, and which.
EXPONENTS = {"crossing": ("nu", "omega"), "fit": ("eta",)}

# An unknown key explains a missing one, so it is reported first.
FIRST_REPORTED = ["enum", "additionalProperties", "type", "minItems"]


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML says nothing about a key given twice and would silently take the second."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                line = key_node.start_mark.line + 1
                raise StudyError(f"line {line}: the key '{key}' is given twice; keep one of them")
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def read_study(path: Path) -> dict[str, Any]:
    """The checked content of a study file."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeyLoader)
    except OSError as error:
        raise StudyError(f"{path}: cannot be read ({error.strerror}); give the path of a study file") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark else ""
        problem = getattr(error, "problem", None) or "unreadable text"
        raise StudyError(f"{path}: {line}not YAML ({problem}); correct the line") from error
    except StudyError as error:
        raise StudyError(f"{path}: {error}") from error
    try:
        return check(content)
    except StudyError as error:
        raise StudyError(f"{path}: {error}") from error


def check(content: Any) -> dict[str, Any]:
    """The study with defaults filled in; StudyError if the schema or a relation between keys is violated."""
    content = _with_text_keys(content)
    for place, value in _numbers(content):
        if not math.isfinite(value):
            raise StudyError(f"{place} is {value}; give a finite number")
    if isinstance(content, dict) and "benchmarks" in content:
        check_schema(content, read_schema("benchmark"))
        return content
    schema = with_definitions(read_schema("study"), content)
    check_schema(content, schema)
    if "critical" in content:
        for key in ("omegas", "degrees"):
            content["critical"].setdefault(key, schema["properties"]["critical"]["properties"][key]["default"])
    for part, definition in zip(content["parts"], schema["properties"]["parts"]["prefixItems"]):
        for key, rule in definition["properties"].items():
            if "default" in rule:
                part.setdefault(key, rule["default"])
    _check_relations(content)
    return content


def read_schema(name: str) -> dict[str, Any]:
    return yaml.safe_load((SCHEMAS / f"{name}.schema.yaml").read_text(encoding="utf-8"))


def check_schema(content: Any, schema: dict[str, Any]) -> None:
    """StudyError if the content violates the schema."""
    errors = sorted(Draft202012Validator(schema).iter_errors(content), key=_order)
    if errors:
        raise StudyError(_sentence(errors[0]))


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
            yield from _numbers(item, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, f"{place}[{index}]")
    elif isinstance(value, float):
        yield place, value


def _order(error: ValidationError) -> int:
    known = error.validator in FIRST_REPORTED
    return FIRST_REPORTED.index(error.validator) if known else len(FIRST_REPORTED)


def _place(path: Any) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "the study"


def _sentence(error: ValidationError) -> str:
    """One sentence for a schema error: the key, its problem, the remedy."""
    place, value, limit, schema = _place(error.absolute_path), error.instance, error.validator_value, error.schema
    remedy = f"; {schema['remedy']}" if "remedy" in schema else ""
    match error.validator:
        case "additionalProperties":
            known = list(schema["properties"])
            key = next(key for key in value if key not in known)
            return f"{place} has the unknown key '{key}'{nearest(key, known)}"
        case "required":
            key = next(key for key in limit if key not in value)
            return f"{place} lacks the key '{key}'{remedy or '; add it (config/README.md explains every key)'}"
        case "type":
            types = [limit] if isinstance(limit, str) else limit
            return f"{place} is {value!r}, not {' or '.join(TYPE_NAMES[name] for name in types)}{remedy}"
        case "enum":
            return f"{place} is {value!r}, not one of {', '.join(limit)}{nearest(value, limit)}"
        case "minItems":
            return f"{place} {'has one entry' if value else 'is an empty list'}; give at least {limit if value else 'one entry'}"
        case "uniqueItems":
            return f"{place} has an entry twice; keep one of them"
        case "multipleOf":
            return f"{place} is {value}, not a multiple of {limit}{remedy}"
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            return f"{place} is {value}, {BOUNDS[error.validator]} {limit}{remedy}"
        case _:
            return f"{place} is {value!r} and {error.validator} fails{remedy}"


def _check_relations(content: dict[str, Any]) -> None:
    """Checks that a schema cannot express: keys that depend on each other."""
    names = [part["name"] for part in content["parts"]]
    if "critical" in content:
        check_critical(content)
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"two parts are named '{name}'; give each part its own name")
    for index, part in enumerate(content["parts"]):
        place = f"parts[{index}]"
        for key in PER_SIZE:
            if key in part:
                _check_sizes(place, part, part, key)
        if isinstance(part["T"], dict):
            for end in ("from", "to"):
                _check_sizes(f"{place}.T", part, part["T"], end)
        for key in part.get("adapt", {}):
            _check_sizes(f"{place}.adapt", part, part["adapt"], key)
        for size in part["L"]:
            _check_job(place, part, size)
        for key in ("crossing", "fit"):
            if key in part:
                check_window(f"{place}.{key}", part[key]["from"], part[key]["to"])
        _check_exponents(place, part)
        if "crossing" in part:
            _check_crossing(place, part)
        check_longer_sizes(place, part)
    _check_same_system(content["parts"])


def _check_same_system(parts: list[dict[str, Any]]) -> None:
    """Tables have no column for the strength of the field and the couplings, so a model has one of each in a study."""
    names = {"h": "strength of the field", "couplings": "kind of couplings", "p": "fraction of J = -1"}
    defaults = {"h": None, "couplings": "bimodal", "p": 0.5}
    first: dict[tuple[str, str], tuple[str, Any]] = {}
    for (key, what), (index, part) in product(names.items(), enumerate(parts)):
        value = part.get(key, defaults[key])
        place, other = first.setdefault((key, part["model"]), (f"parts[{index}].{key}", value))
        if value != other:
            raise StudyError(f"parts[{index}].{key} is {value}, but {place} is {other}; write a study for each {what}")


def _check_sizes(place: str, part: dict[str, Any], where: dict[str, Any], key: str) -> None:
    """A number for each L in `where`: in the part itself or in one of its keys."""
    if isinstance(where[key], dict):
        for size in part["L"]:
            if str(size) not in where[key]:
                raise StudyError(f"{place}.{key} says nothing about L = {size}; add an entry for it")
        for size in where[key]:
            if int(size) not in part["L"]:
                raise StudyError(f"{place}.{key} has an entry for {size}, which is not in L; remove it or add the L")


def _check_crossing(place: str, part: dict[str, Any]) -> None:
    """Curves of two sizes are compared, each a parabola near the crossing."""
    if len(part["L"]) < 2:
        raise StudyError(f"{place}.crossing needs two sizes, but L has one; add an L or remove the key")
    ratio = part["crossing"].get("ratio")
    if ratio and not any(abs(two / one - ratio) < 1e-3 for one in part["L"] for two in part["L"]):
        raise StudyError(f"{place}.crossing.ratio is {ratio}, but no two of L have it; add an L or remove the key")
    if method_of(part).tempered:
        return
    inside = [t for t in part["T"] if part["crossing"]["from"] <= t <= part["crossing"]["to"]]
    if len(inside) < 3:
        raise StudyError(
            f"{place}.crossing holds {len(inside)} of the temperatures, but needs 3; widen it or add some to T"
        )


def _check_exponents(place: str, part: dict[str, Any]) -> None:
    """Extrapolations and fits need exponents, which psflip knows for some models."""
    for key, names in EXPONENTS.items():
        if key not in part:
            continue
        missing = [name for name in names if name not in part[key]]
        is_own = section_of(part) in OWN.values()
        if is_own and len(missing) < len(names):
            raise StudyError(
                f"{place}.{key} has exponents, but psflip knows those of {part['model']}; remove {' and '.join(names)}"
            )
        if missing and not is_own and not knows_exponents(part):
            where = " in a field" if presets()[part["model"]].field == "uniform" and in_field(part) else ""
            where += f" at p = {part['p']:g}" if part.get("p", 0.5) != 0.5 else ""
            raise StudyError(
                f"{place}.{key} lacks {' and '.join(missing)}; psflip knows no exponents of {part['model']}{where}, so give"
                " those of its universality class"
            )


def _check_job(place: str, part: dict[str, Any], size: int) -> None:
    samples, shard, sweeps = (count_for_size(part[key], size) for key in ("samples", "shard_samples", "sweeps"))
    if samples % shard:
        raise StudyError(
            f"{place}.samples is {samples} at L = {size}, not a multiple of shard_samples = {shard};"
            " shards are whole, so that more samples never repeat old ones"
        )
    before = count_for_size(part.get("grown_from", 0), size)
    if before % shard or before > samples:
        raise StudyError(
            f"{place}.grown_from is {before} at L = {size}, not a multiple of shard_samples = {shard} up to samples = {samples};"
            " give the samples that the part had before, for a size that has not grown all of them"
        )
    method_of(part).check_part(place, part, size, sweeps)
