"""Relations between keys of a study, which a schema cannot express.

Each check is a generator of mistakes. It sees a study in which reading a key that has a mistake of its own ends the check, so that
every relation is checked whose keys are fine, and none is told that follows from another mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from workflows.critical.validation import check_critical
from workflows.methods.registry import method_of
from workflows.methods.tempering.validation import check_longer_sizes
from workflows.models.registry import OWN, section_of
from workflows.study.definitions import is_known
from workflows.study.error import Mistake, StudyError
from workflows.study.per_size import check_window, count_for_size
from workflows.study.presets import in_field, knows_exponents, presets

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

# Runs of a study, sizes times temperatures: Snakemake plans about 2,000 jobs a second.
MOST_RUNS = 20_000


class _SpoiledError(Exception):
    """A check needs a key that has a mistake of its own."""


class Guarded(dict):
    """A mapping of a study in which some keys have mistakes of their own; None among them: all have."""

    def __init__(self, content: dict[str, Any], spoiled: set[str | None]) -> None:
        super().__init__(content)
        self.spoiled = spoiled

    def _require(self, key: Any) -> None:
        if key in self.spoiled or None in self.spoiled:
            raise _SpoiledError

    def __getitem__(self, key: str) -> Any:
        self._require(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._require(key)
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._require(key)
        return super().get(key, default)


def guarded(content: dict[str, Any], mistakes: Iterable[Mistake]) -> Guarded:
    """The study with its parts and `critical` guarded against keys that have mistakes."""
    view = Guarded(content, set())
    if isinstance(content.get("parts"), list):
        parts = [Guarded(part, set() if is_known(part) else {None}) if isinstance(part, dict) else Guarded({}, {None})
                 for part in content["parts"]]  # fmt: skip
        dict.__setitem__(view, "parts", parts)
    if isinstance(content.get("critical"), dict):
        dict.__setitem__(view, "critical", Guarded(content["critical"], set()))
    for mistake in mistakes:
        _spoil(view, mistake)
    return view


def _spoil(view: Guarded, mistake: Mistake) -> None:
    """Marks the key of a part, of `critical` or of the study that a mistake is about, and hides a key that is unknown."""
    found = re.match(r"(?:parts\[(\d+)\]|(critical))(?:\.([\w-]+))?", mistake.place)
    mapping: Any = view
    if found:
        mapping = dict.get(view, "critical") if found[2] else dict.__getitem__(view, "parts")[int(found[1])]
    if not isinstance(mapping, Guarded):
        view.spoiled.add("critical")
    elif not found:
        view.spoiled.add(re.split(r"[.\[]", mistake.place)[0] or mistake.key)
    elif not mistake.is_surplus:
        mapping.spoiled.add(found[3] or mistake.key)
    elif not found[3]:
        mapping.pop(mistake.key, None)


def told_by(check: Callable[[], Iterable[Mistake] | None]) -> list[Mistake]:
    """The mistakes that a check yields, or the one that it raises; those before a key that is spoiled."""
    mistakes: list[Mistake] = []
    try:
        for mistake in check() or ():
            mistakes.append(mistake)
    except _SpoiledError:
        pass
    except StudyError as error:
        mistakes.append(Mistake.of(str(error)))
    return mistakes


def relations(study: Guarded) -> list[Mistake]:
    """The mistakes of all relations. Numbers that are missing for a size hide what depends on them."""
    mistakes = told_by(lambda: _names(study))
    for place, part in told_parts(study):
        found = told_by(lambda part=part, place=place: _all_sizes(place, part))
        for mistake in found:
            _spoil(study, mistake)
        mistakes += found
    mistakes += told_by(lambda: _runs(study))
    for place, part in told_parts(study):
        mistakes += [mistake for check in _of_part(place, part) for mistake in told_by(check)]
    if "critical" in dict.keys(study):
        mistakes += [mistake for check in check_critical(study) for mistake in told_by(check)]
    # One number for all sizes is one mistake.
    return list(
        {(mistake.place, re.sub(r"at L = \d+", "", mistake.words)): mistake for mistake in mistakes[::-1]}.values()
    )[::-1]


def told_parts(study: Guarded) -> list[tuple[str, Guarded]]:
    """The parts with their places; none if `parts` is no list."""
    parts = dict.get(study, "parts")
    guards = [part for part in parts if isinstance(part, Guarded)] if isinstance(parts, list) else []
    return [(f"parts[{index}]", part) for index, part in enumerate(guards)]


def _of_part(place: str, part: Guarded) -> Iterator[Callable[[], Iterable[Mistake]]]:
    """The checks of a part, each to be run alone."""
    for key in ("crossing", "fit"):
        yield lambda key=key: _window(place, part, key)
        yield lambda key=key: _exponents(place, part, key)
    yield lambda: _crossing_ratio(place, part)
    yield lambda: _crossing_window(place, part)
    yield lambda: check_longer_sizes(place, part)
    yield lambda: _shards(place, part)
    yield lambda: _growth(place, part)
    method = told_by_method(part)
    for check in method.checks if method else ():
        yield lambda check=check: check(place, part)


def told_by_method(part: Guarded) -> Any:
    """The method of a part; None if its model or method is not known."""
    try:
        return method_of(part)
    except _SpoiledError:
        return None


def _names(study: Guarded) -> Iterator[Mistake]:
    places: dict[str, str] = {}
    for place, part in told_parts(study):
        name = dict.get(part, "name")
        if isinstance(name, str) and places.setdefault(name, place) != place:
            yield Mistake(
                "", f"two parts are named '{name}'; give each part its own name", f"{place}.name", is_whole=True
            )


def _runs(study: Guarded) -> Iterator[Mistake]:
    """A study that no one could plan is refused before its runs are listed."""
    count = 0
    for _, part in told_parts(study):
        count += len(part["L"]) * (1 if method_of(part).tempered else len(part["T"]))
    if count > MOST_RUNS:
        yield Mistake("parts", f"make {count} runs of one size and temperature; give at most {MOST_RUNS}")


def _all_sizes(place: str, part: Guarded) -> Iterator[Mistake]:
    """Where a key has a number for each L, all L of the part are there and no others."""
    groups = [(place, part, key) for key in PER_SIZE]
    for name, keys in (("T", ("from", "to")), ("adapt", None)):
        inner = {} if name in part.spoiled else dict.get(part, name)
        if isinstance(inner, dict):
            groups += [(f"{place}.{name}", inner, key) for key in keys or inner]
    for where, mapping, key in groups:
        yield from told_by(lambda where=where, mapping=mapping, key=key: _sizes(where, part, mapping, key))


def _sizes(place: str, part: Guarded, mapping: dict[str, Any], key: str) -> Iterator[Mistake]:
    """A number for each L in `mapping`: in the part itself or in one of its keys."""
    if key not in mapping or not isinstance(mapping[key], dict):
        return
    given = mapping[key]
    for size in part["L"]:
        if str(size) not in given:
            yield Mistake(f"{place}.{key}", f"says nothing about L = {size}; add an entry for it")
    for size in given:
        if size not in map(str, part["L"]):
            words = f"has an entry for {size}, which is not in L; remove it or add the L"
            yield Mistake(f"{place}.{key}", words, at=f"{place}.{key}.{size}")


def _window(place: str, part: Guarded, key: str) -> Iterator[Mistake]:
    if key in part:
        yield from check_window(f"{place}.{key}", part[key]["from"], part[key]["to"])


def _crossing_ratio(place: str, part: Guarded) -> Iterator[Mistake]:
    """Curves of two sizes are compared."""
    if "crossing" not in part:
        return
    if len(part["L"]) < 2:
        yield Mistake(f"{place}.crossing", "needs two sizes, but L has one; add an L or remove the key")
    ratio = part["crossing"].get("ratio")
    if ratio and not any(abs(two / one - ratio) < 1e-3 for one in part["L"] for two in part["L"]):
        yield Mistake(f"{place}.crossing.ratio", f"is {ratio}, but no two of L have it; add an L or remove the key")


def _crossing_window(place: str, part: Guarded) -> Iterator[Mistake]:
    """Each curve is a parabola near the crossing."""
    if "crossing" not in part or method_of(part).tempered:
        return
    inside = [t for t in part["T"] if part["crossing"]["from"] <= t <= part["crossing"]["to"]]
    if len(inside) < 3:
        words = f"holds {len(inside)} of the temperatures, but needs 3; widen it or add some to T"
        yield Mistake(f"{place}.crossing", words)


def _exponents(place: str, part: Guarded, key: str) -> Iterator[Mistake]:
    """Extrapolations and fits need exponents, which psflip knows for some models."""
    if key not in part or part[key].get("extrapolate") is False:
        return
    names, model = EXPONENTS[key], part["model"]
    missing = [name for name in names if name not in part[key]]
    is_own = section_of(part) in OWN.values()
    if is_own and len(missing) < len(names):
        words = f"has exponents, but psflip knows those of {model}; remove {' and '.join(names)}"
        yield Mistake(f"{place}.{key}", words)
    elif missing and not is_own and not knows_exponents(part):
        where = " in a field" if presets()[model].field == "uniform" and in_field(part) else ""
        where += f" at p = {part['p']:g}" if part.get("p", 0.5) != 0.5 else ""
        words = f"lacks {' and '.join(missing)}; psflip knows no exponents of {model}{where}, so give those of its universality class"
        yield Mistake(f"{place}.{key}", words)


def _shards(place: str, part: Guarded) -> Iterator[Mistake]:
    for size in part["L"]:
        samples, shard = (count_for_size(part[key], size) for key in ("samples", "shard_samples"))
        if samples % shard:
            yield Mistake(
                f"{place}.samples",
                f"is {samples} at L = {size}, not a multiple of shard_samples = {shard};"
                " shards are whole, so that more samples never repeat old ones",
            )


def _growth(place: str, part: Guarded) -> Iterator[Mistake]:
    for size in part["L"]:
        samples, shard = (count_for_size(part[key], size) for key in ("samples", "shard_samples"))
        before = count_for_size(part.get("grown_from", 0), size)
        if before % shard or before > samples:
            yield Mistake(
                f"{place}.grown_from",
                f"is {before} at L = {size}, not a multiple of shard_samples = {shard} up to samples = {samples};"
                " give the samples that the part had before, for a size that has not grown all of them",
            )
