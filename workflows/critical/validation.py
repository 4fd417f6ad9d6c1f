"""Checks of the key `critical` of a study that a schema cannot express."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from workflows.models import ea3d
from workflows.models.registry import section_of
from workflows.study.error import Mistake, nearest, shown


def check_critical(content: dict[str, Any]) -> Iterator[Callable[[], Iterable[Mistake]]]:
    """The checks of the key, each to be run alone."""
    yield lambda: _parts(content)
    yield lambda: _points(content)
    yield lambda: _together(content["critical"])
    yield lambda: _degrees(content["critical"])
    for name in ("cumulants", "powers"):
        yield lambda name=name: _names_of_fit(name, content)
        yield lambda name=name: _fit_of_scan(name, content)


def _parts(content: dict[str, Any]) -> Iterator[Mistake]:
    """The parts that are fitted together are there."""
    models = {part["name"]: part["model"] for part in content["parts"]}
    known = [part["name"] for part in content["parts"] if section_of(part) is ea3d.SECTION]
    for index, name in enumerate(content["critical"]["parts"]):
        if models.get(name) == ea3d.SECTION.model and name not in known:
            words = f"is {shown(name)}, no relaxation with random bonds at p = 1/2; remove it"
        elif name not in known:
            words = f"is {shown(name)}, no part of model {ea3d.SECTION.model}{nearest(name, known) if known else '; remove it'}"
        else:
            continue
        yield Mistake(f"critical.parts[{index}]", words)


def _points(content: dict[str, Any]) -> Iterator[Mistake]:
    """Every size and temperature once, and two sizes at least."""
    names = content["critical"]["parts"]
    parts = [part for part in content["parts"] if part["name"] in names]
    if not parts:  # which another check tells
        return
    points = [(size, t) for part in parts for size in part["L"] for t in part["T"]]
    seen: set[tuple[int, float]] = set()
    twice = next((point for point in points if point in seen or seen.add(point)), None)
    if twice:
        words = f"hold L = {twice[0]}, T = {twice[1]} twice; give each size and temperature to one of them"
        yield Mistake("critical.parts", words)
    if len({size for size, _ in points}) < 2:
        words = "hold one size, but its fits need two; add an L or remove the key critical"
        yield Mistake("critical.parts", words)


def _together(critical: dict[str, Any]) -> Iterator[Mistake]:
    for index, clock in enumerate(critical.get("together", {}).get("clocks", [])):
        if clock not in critical["clocks"]:
            yield Mistake(f"critical.together.clocks[{index}]", f"is {clock}, none of critical.clocks; add it there")


def _degrees(critical: dict[str, Any]) -> Iterator[Mistake]:
    if len(critical["degrees"]) > 1 and "together" not in critical:
        words = (
            "has more than one entry, but only fits of all clocks together use them all; add critical.together or give"
            " one degree"
        )
        yield Mistake("critical.degrees", words)


def _named_by(name: str, content: dict[str, Any]) -> dict[str, list[Any]]:
    """The keys that name a fit of the scan, each with the values that there are."""
    critical = content["critical"]
    quote = critical["quote"][name]
    if "xi_min" not in quote:
        names = critical["parts"]
        sizes = sorted({size for part in content["parts"] if part["name"] in names for size in part["L"]})
        return {"clock": critical["clocks"], "L_min": sizes}
    together = critical["together"]
    values = {"clock": together["clocks"], "xi_min": together["xi_min"]}
    return {"xi_min": values["xi_min"]} if name == "cumulants" else values


def _names_of_fit(name: str, content: dict[str, Any]) -> Iterator[Mistake]:
    """The keys of a quoted fit name one."""
    place, critical = f"critical.quote.{name}", content["critical"]
    quote = critical["quote"][name]
    if "xi_min" in quote and "together" not in critical:
        words = "has xi_min, but there are no fits of all clocks together; add critical.together or give L_min"
        yield Mistake(place, words)
    elif quote.keys() - {"corrected", "degree"} != _named_by(name, content).keys():
        words = (
            f"has {', '.join(sorted(quote))}; a fit at one clock is named by clock and L_min, one of all clocks "
            "together by xi_min, for powers with the clock at which they are read"
        )
        yield Mistake(place, words)


def _fit_of_scan(name: str, content: dict[str, Any]) -> Iterator[Mistake]:
    """The quoted fit is one of the scan."""
    place, critical = f"critical.quote.{name}", content["critical"]
    quote = critical["quote"][name]
    if "xi_min" in quote and "together" not in critical:
        return
    for key, known in {**_named_by(name, content), "degree": critical["degrees"]}.items():
        if key in quote and quote[key] not in known:
            values = ", ".join(str(value) for value in known)
            yield Mistake(f"{place}.{key}", f"is {quote[key]}, not one of {values}; quote a fit of the scan")
            return
    first = critical["degrees"][0]
    if "xi_min" not in quote and quote.get("degree", first) != first:
        words = (
            f"is {quote['degree']}, but fits at one clock have the first of critical.degrees, {first}; "
            "remove degree or quote a fit of all clocks together"
        )
        yield Mistake(f"{place}.degree", words)
