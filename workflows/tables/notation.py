"""Numbers as physicists write them."""

from __future__ import annotations

import math


def with_error(value: float | None, error: float | None = None, systematic: float | None = None) -> str:
    """1.2345(67): two digits of the error in units of the last digit of the value; a minus sign is a minus sign.
    1.2345(67)(89) with a systematic error in the same units, rounded up to one of them where it is smaller."""
    if value is None or not math.isfinite(value):
        return "–"
    if not error or not math.isfinite(error):
        text = f"{value:.6g}"
    else:
        places = max(0, 1 - math.floor(math.log10(error)))
        scaled = round(error * 10**places)
        if scaled >= 100 and places > 0:  # 0.0996 rounds to two digits as 0.10, not as 0.100
            places -= 1
            scaled = round(error * 10**places)
        text = f"{value:.{places}f}({bracket(error, places)})"
        if systematic is not None and math.isfinite(systematic):
            text += f"({bracket(max(systematic, 0.1**places if systematic else 0.0), places)})"
    return text.replace("-", "−")


def bracket(error: float, places: int) -> str:
    """An error in units of the last of so many decimal places, or with its decimal point from 1 on."""
    return str(round(error * 10**places)) if places == 0 or error < 1 else f"{error:.{places}f}"


def signed(value: float | None, places: int = 1) -> str:
    """A deviation in standard errors, with its sign."""
    return "–" if value is None or not math.isfinite(value) else f"{value:+.{places}f}".replace("-", "−")


def seconds(value: float) -> str:
    """A duration in the unit that suits it."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if value >= 2 * size:
            return f"{value / size:.1f} {unit}"
    return f"{value:.3g} s"
