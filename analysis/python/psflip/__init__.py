"""Reads what psflip writes: measurement files, sums over jackknife blocks, and tables of a study.

Every function takes a study as the folder of its results, such as "results/demo", or as the name of this folder in
results/. Bad input raises PsflipError, whose one sentence says what, why and the remedy."""

from psflip.error import PsflipError
from psflip.measurements import open
from psflip.observables import OBSERVABLES, covariance
from psflip.resampling import Estimate, jackknife
from psflip.sums import block_sums
from psflip.tables import table

__all__ = [
    "OBSERVABLES",
    "Estimate",
    "PsflipError",
    "block_sums",
    "covariance",
    "jackknife",
    "open",
    "table",
]
