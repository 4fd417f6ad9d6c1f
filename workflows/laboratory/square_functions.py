"""Functions of one square lattice, a byte a spin, that Numba compiles for a CPU and for a GPU.

They are plain Python on integers too: every product is masked to 32 or 64 bits. Two arrays hold the spins of the two
parities, compacted along the rows: column j of parity p in row y is the site x = 2 j + (y + p) mod 2 (Romero et al.,
Comput. Phys. Commun. 256, 107473 (2020), figures 1 and 2).
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

MASK = 0xFFFFFFFF


def functions(jit: Callable[[Any], Any]) -> SimpleNamespace:
    """The functions, each decorated by `jit`: numba.njit, numba.cuda.jit(device=True), or one that returns its argument."""

    @jit
    def philox(c0, c1, c2, c3, k0, k1):
        """Philox4x32-10 of a counter and a key: four integers of 32 bits."""
        for _ in range(10):
            p0 = 0xD2511F53 * c0
            p1 = 0xCD9E8D57 * c2
            c0, c1, c2, c3 = ((p1 >> 32) ^ c1 ^ k0) & MASK, p1 & MASK, ((p0 >> 32) ^ c3 ^ k1) & MASK, p0 & MASK
            k0 = (k0 + 0x9E3779B9) & MASK
            k1 = (k1 + 0xBB67AE85) & MASK
        return c0, c1, c2, c3

    @jit
    def sequence_numbers(y, j, half_sweep, size, k0, k1):
        """Four numbers of columns j to j + 3 of a row, j a multiple of 4, by seed, sequence and offset.

        A sequence serves 32 columns in two rows, 64 numbers in a half sweep (SequenceNumbers of engine/laboratory).
        """
        sequence = (y // 2) * ((size // 2 + 31) // 32) + j // 32
        block = 16 * half_sweep + 8 * (y & 1) + (j & 31) // 4
        return philox(block & MASK, block >> 32, sequence & MASK, sequence >> 32, k0, k1)

    @jit
    def addressed_number(y, j, half_sweep, size, sample, k0, k1):
        """The number of psflip for a site of a sample: docs/randomness.md, Metropolis, independent, replica 0."""
        site = y * (size // 2) + j
        lane = sample & 31
        pack = sample >> 5
        high = (pack >> 32) << 24
        u = 0
        for draw in range(2):
            a, b, c, d = philox(site, half_sweep, pack & MASK, high | (draw << 16), k0, k1)
            u = (u << 4) | (a >> lane & 1) << 3 | (b >> lane & 1) << 2 | (c >> lane & 1) << 1 | (d >> lane & 1)
        residual, _, _, _ = philox(site, half_sweep, pack & MASK, high | ((32 + lane) << 16), k0, k1)
        return u << 24 | residual >> 8

    @jit
    def updated_spin(spin, other, number, ratio, parity, y, j):
        """A spin after its update. `ratio` has the five values of exp(-2 beta s sum), s sum = -4, -2, ... 4."""
        rows, columns = other.shape
        up = y - 1 if y > 0 else rows - 1
        down = y + 1 if y + 1 < rows else 0
        if (y + parity) & 1:
            side = j + 1 if j + 1 < columns else 0
        else:
            side = j - 1 if j > 0 else columns - 1
        total = other[up, j] + other[down, j] + other[y, j] + other[y, side]
        return -spin if number < ratio[(spin * total + 4) // 2] else spin

    return SimpleNamespace(
        philox=philox,
        sequence_numbers=sequence_numbers,
        addressed_number=addressed_number,
        updated_spin=updated_spin,
    )


def loops(jit: Callable[[Any], Any]) -> SimpleNamespace:
    """Half sweeps of a CPU in loops over the sites."""
    of_site = functions(jit)
    sequence_numbers, addressed_number = of_site.sequence_numbers, of_site.addressed_number
    updated_spin = of_site.updated_spin

    @jit
    def fill(random, half_sweep, shift, scale, k0, k1):
        """Numbers (word >> shift) scale by seed, sequence and offset, [y][j]."""
        rows, columns = random.shape
        for y in range(rows):
            for j in range(0, columns, 4):
                four = sequence_numbers(y, j, half_sweep, rows, k0, k1)
                for i in range(min(4, columns - j)):
                    random[y, j + i] = (four[i] >> shift) * scale

    @jit
    def fill_addressed(random, half_sweep, sample, k0, k1):
        rows, columns = random.shape
        for y in range(rows):
            for j in range(columns):
                random[y, j] = addressed_number(y, j, half_sweep, rows, sample, k0, k1)

    @jit
    def update(spins, other, random, ratio, parity):
        rows, columns = spins.shape
        for y in range(rows):
            for j in range(columns):
                spins[y, j] = updated_spin(spins[y, j], other, random[y, j], ratio, parity, y, j)

    return SimpleNamespace(fill=fill, fill_addressed=fill_addressed, update=update, **vars(of_site))
