"""Parts whose keys h, p or seed are lists, as plain parts with one value of each.

Everything after this step knows plain parts only: one table, one crossing, one section for each. A part without lists is
plain itself and keeps its name, so its jobs and paths are those of a study without sweeps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from workflows.study.error import Mistake, StudyError, bare, inside
from workflows.study.error import shown as quoted
from workflows.study.value_lists import MOST_VALUES, is_number, listed, shown, temperatures_of, with_numbers

SWEPT = ("h", "p", "seed")  # keys with one value in a plain part
TEMPERATURES = ("T", "beta")

Part = dict[str, Any]

# The number of a part in a place of a study, and the rest of the place.
PLACE = re.compile(r"parts\[(\d+)\](.*)", re.DOTALL)


@dataclass(frozen=True)
class Origin:
    """Where the plain parts of a study come from: the number of a part in the file and its values of the keys that vary."""

    parts: tuple[tuple[int, Part], ...]

    def in_plain(self, mistakes: list[Mistake]) -> list[Mistake]:
        """Mistakes of parts of the file as mistakes of the plain parts that come from them."""
        return [
            replace(mistake, place=f"parts[{index}]{found[2]}") if found else mistake
            for mistake in mistakes
            for found in [PLACE.match(mistake.place)]
            for index, (number, _) in enumerate(self.parts or ((0, {}),))
            if not found or number == int(found[1])
        ]

    def in_file(self, mistakes: list[Mistake]) -> list[Mistake]:
        """Mistakes of plain parts with their places in the file. One that some values of a part have names the first."""
        groups: dict[tuple[Any, ...], list[tuple[Mistake, Part]]] = {}
        for mistake in mistakes:
            found, at = PLACE.match(mistake.place), mistake.at and self._at(mistake.at)
            number, swept = self.parts[int(found[1])] if found and int(found[1]) < len(self.parts) else (None, {})
            place = f"parts[{number}]{found[2]}" if found and number is not None else mistake.place
            told = replace(mistake, place=place, at=at)
            groups.setdefault((told, number), []).append((told, swept))
        return [self._told(number, group) for (_, number), group in groups.items()]

    def _at(self, at: str) -> str:
        found = PLACE.match(at)
        known = found and int(found[1]) < len(self.parts)
        return f"parts[{self.parts[int(found[1])][0]}]{found[2]}" if found and known else at

    def _told(self, number: int | None, group: list[tuple[Mistake, Part]]) -> Mistake:
        mistake, swept = group[0]
        if not swept or len(group) == sum(number == other for other, _ in self.parts):
            return mistake
        values = ", ".join(f"{key} = {shown(value)}" for key, value in swept.items())
        sentence = f"at {values}: {mistake.sentence}"
        return replace(mistake, place="", words=sentence, at=mistake.at or mistake.place, is_whole=True)


def expanded(content: Any) -> tuple[Any, Origin, list[Mistake]]:
    """A study with plain parts, where these come from, and the mistakes of lists that do not fit together, whose parts are
    left out. Keys that it does not understand stay for the schema to refuse."""
    if not isinstance(content, dict) or not isinstance(content.get("parts"), list):
        return content, Origin(()), []
    result, mistakes = dict(content), []
    try:
        seeds = listed("seed", "seed", with_numbers("seed", content.get("seed")))
    except StudyError as error:
        return content, Origin(tuple((i, {}) for i in range(len(content["parts"])))), [Mistake.of(str(error))]
    if isinstance(seeds, list) and seeds:
        result["seed"] = seeds[0]
    several = isinstance(seeds, list) and len(seeds) > 1
    origin: list[tuple[int, Part]] = []
    result["parts"] = []
    for index, part in enumerate(content["parts"]):
        if several and isinstance(part, dict) and "seed" not in part:
            part = part | {"seed": seeds}
        try:
            plain = plain_parts(f"parts[{index}]", part) if isinstance(part, dict) else [part]
        except StudyError as error:
            mistakes.append(Mistake.of(str(error)))
            continue
        result["parts"] += plain
        origin += [(index, swept_values(one) if isinstance(one, dict) else {}) for one in plain]
    return result, Origin(tuple(origin)), mistakes


def plain_parts(place: str, part: Part) -> list[Part]:
    """One part for each combination of h, p and seed. StudyError if lists, `zip` or mappings do not fit together."""
    part = {key: with_numbers(key, value) for key, value in part.items()}
    if all(key in part for key in TEMPERATURES):
        raise StudyError(f"{place} has T and beta; keep one of them, since beta = 1/T")
    part |= {key: _values(place, key, part[key]) for key in SWEPT if key in part}
    if "sweep" in part:
        _check_sweep(place, part)
    combinations = _combinations(place, part)
    values = {key: _distinct(combination[key] for combination in combinations) for key in SWEPT if key in part}
    varied = [key for key in values if len(values[key]) > 1]
    plain = [_plain(place, part, combination, values, varied) for combination in combinations]
    names = [one.get("name") for one in plain]
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"{place} has a combination of {' and '.join(values)} twice; keep one of them")
    return plain


def source_of(part: Part) -> Any:
    """The name in the study file of the part that a plain part comes from."""
    sweep = part.get("sweep")
    return sweep.get("part") if isinstance(sweep, dict) else part.get("name")


def swept_values(part: Part) -> Part:
    """Those of h, p and seed that differ between the plain parts of one part of the study file."""
    sweep = part.get("sweep")
    return {key: sweep[key] for key in SWEPT if key in sweep} if isinstance(sweep, dict) else {}


def plain_name(name: Any, swept: Part) -> Any:
    """The name of a part with the values of the keys that vary: field_h0.5_seed2."""
    return "_".join([name, *(f"{key}{shown(value).replace('+', '')}" for key, value in swept.items())])


def _values(place: str, key: str, value: Any) -> Any:
    """The values of h, p or seed; a list, unless it is one number or nothing that the schema accepts."""
    if isinstance(value, dict) and not {"step", "count"} & value.keys():
        raise StudyError(f"{place}.{key} is a mapping; give a number, a list, or from, to and step")
    value = listed(f"{place}.{key}", key, value)
    if value == []:
        raise StudyError(f"{place}.{key} is an empty list; give at least one entry")
    return value if isinstance(value, list) else [value]


def _distinct(values: Any) -> list[Any]:
    return list({shown(value): value for value in values}.values())


def _check_sweep(place: str, part: Part) -> None:
    """`sweep` is what this module writes, and study.json has it; no study file may state the origin of a part."""
    swept = swept_values(part)
    right = (
        isinstance(part["sweep"], dict)
        and part["sweep"].keys() == {"part", *swept}
        and isinstance(part["sweep"]["part"], str)
        and all(part.get(key) == [value] for key, value in swept.items())
        and part.get("name") == plain_name(part["sweep"]["part"], swept)
    )
    if not right:
        raise StudyError(
            f"{place}.sweep is written by psflip into study.json; remove it and list values in h, p or seed"
        )


def _combinations(place: str, part: Part) -> list[Part]:
    """All combinations of the values of h, p and seed; where `zip` says so, those with the same number in their lists."""
    zipped = _zipped(place, part)
    together = [dict(zip(zipped, row)) for row in zip(*zipped.values())]
    axes = [[{key: value} for value in part[key]] for key in SWEPT if key in part and key not in zipped]
    axes = [together, *axes] if together else axes
    count = 1
    for axis in axes:
        count *= len(axis)
    if count > MOST_VALUES:
        raise StudyError(f"{place} has {count} combinations of values, more than {MOST_VALUES}; shorten a list")
    rows = [{key: value for one in row for key, value in one.items()} for row in product(*axes)]
    return rows if together else [{key: row[key] for key in SWEPT if key in row} for row in rows]


def _zipped(place: str, part: Part) -> dict[str, list[Any]]:
    """The lists that go together, by their keys."""
    if "zip" not in part:
        return {}
    keys, known = part["zip"], (*SWEPT, *TEMPERATURES)
    if (
        not isinstance(keys, list)
        or len(keys) < 2
        or any(key not in known for key in keys)
        or len(set(keys)) < len(keys)
    ):
        raise StudyError(
            f"{place}.zip is {quoted(keys)}; give a list of two or more of {', '.join(known)}, such as [p, T]"
        )
    if not set(keys) & set(SWEPT):
        raise StudyError(f"{place}.zip has none of {', '.join(SWEPT)}; add one that goes with {' and '.join(keys)}")
    for key in keys:
        if key not in part:
            raise StudyError(
                f"{place}.zip names {key}, which the part does not have; add its list or remove it from zip"
            )
    lists = {key: listed(f"{place}.{key}", key, part[key]) for key in keys}
    for key, values in lists.items():
        if not isinstance(values, list):
            raise StudyError(f"{place}.zip names {key}, which is no list; give as many values as of {keys[0]}")
    counts = {key: len(values) for key, values in lists.items()}
    if len(set(counts.values())) > 1:
        given = ", ".join(f"{count} of {key}" for key, count in counts.items())
        raise StudyError(f"{place}.zip puts lists of unequal length together ({given}); give as many values of each")
    return lists


def _plain(place: str, part: Part, combination: Part, values: dict[str, list[Any]], varied: list[str]) -> Part:
    """The part with one value of every swept key, and of every other key the value that belongs to these."""
    result: Part = {}
    for key, value in part.items():
        if key == "zip":
            continue
        if key in combination:
            result[key] = combination[key]
        else:
            chosen = value if key == "sweep" else _chosen(inside(place, key), value, combination, values)
            if chosen is not None or value is None:  # `crossing: {h: {0: {...}, 1: null}}` leaves the key out at h = 1
                result[key] = chosen
    for key in ("L", *TEMPERATURES):
        if key in result:
            result[key] = listed(f"{place}.{key}", key, result[key])
    if "beta" in result:
        result = {"T" if key == "beta" else key: value for key, value in result.items()}
        result["T"] = temperatures_of(f"{place}.beta", result["T"])
    if varied and isinstance(part.get("name"), str):
        swept = {key: combination[key] for key in varied}
        result |= {"name": plain_name(part["name"], swept), "sweep": {"part": part["name"]} | swept}
    return result


def _chosen(place: str, value: Any, combination: Part, values: dict[str, list[Any]]) -> Any:
    """What `{h: {0: ..., 1: ...}}` holds for the h of a combination, also deeper in a mapping. `{L: {...}}` is a mapping
    by L, which plain parts know."""
    if not isinstance(value, dict):
        return value
    keys = [key for key in (*SWEPT, "L") if key in value]
    if not keys:
        return {name: _chosen(inside(place, name), item, combination, values) for name, item in value.items()}
    key = keys[0]
    if len(value) > 1 or not isinstance(value[key], dict):
        raise StudyError(
            f"{place} has the key {key}; give one entry for each {key} and nothing else: {{{key}: {{...}}}}"
        )
    if key == "L":
        return _chosen(place, value["L"], combination, values)
    if key not in values:
        raise StudyError(f"{place} has an entry for each {key}, but the part has no {key}; add {key} or give one value")
    entries = _entries(place, key, value[key], values[key])
    return _chosen(place, entries[shown(combination[key])], combination, values)


def _entries(place: str, key: str, given: dict[str, Any], values: list[Any]) -> dict[str, Any]:
    """The entries by the values of a swept key, of which each has one."""
    entries = {}
    for name, entry in given.items():
        same = [value for value in values if is_number(value) and _number(name) == value]
        if not same:
            raise StudyError(
                f"{place} has an entry for {key} = {bare(name)}, which is not in {key}; remove it or add the {key}"
            )
        entries[shown(same[0])] = entry
    for value in values:
        if shown(value) not in entries:
            raise StudyError(f"{place} says nothing about {key} = {bare(shown(value))}; add an entry for it")
    return entries


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
