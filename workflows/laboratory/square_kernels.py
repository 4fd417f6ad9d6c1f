"""Half sweeps of one square lattice on a GPU by Numba CUDA; see square_functions. Importing it needs Numba."""

from __future__ import annotations

from types import SimpleNamespace

from numba import cuda

from workflows.laboratory.square_functions import functions


def kernels() -> SimpleNamespace:
    """As loops(): a thread for each site, or for each four numbers by sequence."""
    of_site = functions(cuda.jit(device=True))
    sequence_numbers, addressed_number = of_site.sequence_numbers, of_site.addressed_number
    updated_spin = of_site.updated_spin

    @cuda.jit
    def fill(random, half_sweep, shift, scale, k0, k1):
        rows, columns = random.shape
        groups = (columns + 3) // 4
        thread = cuda.grid(1)
        y, j = thread // groups, 4 * (thread % groups)
        if y < rows:
            four = sequence_numbers(y, j, half_sweep, rows, k0, k1)
            for i in range(min(4, columns - j)):
                random[y, j + i] = (four[i] >> shift) * scale

    @cuda.jit
    def fill_addressed(random, half_sweep, sample, k0, k1):
        rows, columns = random.shape
        thread = cuda.grid(1)
        y, j = thread // columns, thread % columns
        if y < rows:
            random[y, j] = addressed_number(y, j, half_sweep, rows, sample, k0, k1)

    @cuda.jit
    def update(spins, other, random, ratio, parity):
        rows, columns = spins.shape
        thread = cuda.grid(1)
        y, j = thread // columns, thread % columns
        if y < rows:
            spins[y, j] = updated_spin(spins[y, j], other, random[y, j], ratio, parity, y, j)

    return SimpleNamespace(fill=fill, fill_addressed=fill_addressed, update=update)
