"""Checks of the key `critical` of a study that a schema cannot express."""

from __future__ import annotations

from typing import Any

from workflows.models.registry import OWN, section_of
from workflows.study.error import StudyError, nearest


def check_critical(content: dict[str, Any]) -> None:
    """The parts that are fitted together are there, and the quoted fit is one of the scan."""
    critical = content["critical"]
    models = {part["name"]: part["model"] for part in content["parts"]}
    known = [part["name"] for part in content["parts"] if section_of(part) is OWN["ea3d", "relaxation"]]
    for index, name in enumerate(critical["parts"]):
        if models.get(name) == "ea3d" and name not in known:
            raise StudyError(
                f"critical.parts[{index}] is {name!r}, no relaxation with random bonds at p = 1/2; remove it"
            )
        if name not in known:
            raise StudyError(f"critical.parts[{index}] is {name!r}, no part of model ea3d{nearest(name, known)}")
    parts = [part for part in content["parts"] if part["name"] in critical["parts"]]
    points = [(size, t) for part in parts for size in part["L"] for t in part["T"]]
    if len(points) != len(set(points)):
        twice = next(point for point in points if points.count(point) > 1)
        raise StudyError(
            f"critical.parts hold L = {twice[0]}, T = {twice[1]} twice; give each size and temperature to one of them"
        )
    sizes = sorted({size for size, _ in points})
    if len(sizes) < 2:
        raise StudyError("critical.parts hold one size, but its fits need two; add an L or remove the key critical")
    check_together(critical)
    check_degrees(critical)
    for name, quote in critical["quote"].items():
        check_quote(name, quote, critical, sizes)


def check_together(critical: dict[str, Any]) -> None:
    for index, clock in enumerate(critical.get("together", {}).get("clocks", [])):
        if clock not in critical["clocks"]:
            raise StudyError(f"critical.together.clocks[{index}] is {clock}, none of critical.clocks; add it there")


def check_degrees(critical: dict[str, Any]) -> None:
    if len(critical["degrees"]) > 1 and "together" not in critical:
        raise StudyError(
            "critical.degrees has more than one entry, but only fits of all clocks together use them all; add "
            "critical.together or give one degree"
        )


def check_quote(name: str, quote: dict[str, Any], critical: dict[str, Any], sizes: list[int]) -> None:
    """The keys name one fit of the scan."""
    place = f"critical.quote.{name}"
    if "xi_min" in quote and "together" not in critical:
        raise StudyError(
            f"{place} has xi_min, but there are no fits of all clocks together; add critical.together or give L_min"
        )
    together = critical.get("together", {"clocks": [], "xi_min": []})
    values = {"clock": together["clocks"] if "xi_min" in quote else critical["clocks"]}
    values |= {"xi_min": together["xi_min"]} if "xi_min" in quote else {"L_min": sizes}
    if "xi_min" in quote and name == "cumulants":
        del values["clock"]
    if quote.keys() - {"corrected", "degree"} != values.keys():
        raise StudyError(
            f"{place} has {', '.join(sorted(quote))}; a fit at one clock is named by clock and L_min, one of all clocks "
            "together by xi_min, for powers with the clock at which they are read"
        )
    values["degree"] = critical["degrees"]
    for key, known in values.items():
        if key in quote and quote[key] not in known:
            shown = ", ".join(str(value) for value in known)
            raise StudyError(f"{place}.{key} is {quote[key]}, not one of {shown}; quote a fit of the scan")
    first = critical["degrees"][0]
    if "xi_min" not in quote and quote.get("degree", first) != first:
        raise StudyError(
            f"{place}.degree is {quote['degree']}, but fits at one clock have the first of critical.degrees, {first}; "
            "remove degree or quote a fit of all clocks together"
        )
