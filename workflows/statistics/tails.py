"""Upper tails of distributions. scipy.stats has them too, but importing it takes longer than most jobs of a study work."""

from __future__ import annotations

from typing import Any

from scipy import special


def chi2_tail(chi2: Any, dof: Any) -> Any:
    """The probability of a chi^2 as large as `chi2` or larger."""
    return special.chdtrc(dof, chi2)


def chi2_of_tail(p: Any, dof: Any) -> Any:
    """The chi^2 that is exceeded with probability `p`."""
    return special.chdtri(dof, p)


def student_tail(t: Any, dof: Any) -> Any:
    return special.stdtr(dof, -t)


def f_tail(f: Any, numerator: Any, denominator: Any) -> Any:
    return special.fdtrc(numerator, denominator, f)
