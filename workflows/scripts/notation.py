"""Numbers as physicists write them."""

from __future__ import annotations

import math


def with_error(value: float | None, error: float | None = None) -> str:
    """1.2345(67): two digits of the error in units of the last digit of the value; a minus sign is a minus sign."""
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
        shown = str(scaled) if places == 0 or error < 1 else f"{error:.{places}f}"
        text = f"{value:.{places}f}({shown})"
    return text.replace("-", "−")


def signed(value: float | None, places: int = 1) -> str:
    """A deviation in standard errors, with its sign."""
    return "–" if value is None or not math.isfinite(value) else f"{value:+.{places}f}".replace("-", "−")


def seconds(value: float) -> str:
    """A duration in the unit that suits it."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if value >= 2 * size:
            return f"{value / size:.1f} {unit}"
    return f"{value:.3g} s"
