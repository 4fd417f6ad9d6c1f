"""Reads a measurement file of rfim3d with h5py: example_rfim3d.py FILE.h5"""

import sys

import h5py
import numpy as np

with h5py.File(sys.argv[1]) as file:
    J, h, N = file.attrs["J"], file.attrs["h"], file.attrs["L"] ** 3
    last = file["measurements"][-1]  # in the last bin, the second half of the run
    energy = -(J * file["bond_sum"][:, -1] + h * file["field_sum"][:, -1]) / last / N  # temperature, sample, set
    rates = file["exchange_accepted"][-1].mean((1, 2)) / file["exchange_attempts"][-1]
    print("T, energy per site:", *zip(file["temperature"][:], energy.mean((1, 2))), sep="\n")
    print("exchange rates:", rates)
    if "spins" in file and "fields" in file and last == 1:  # then the bin holds the final configuration alone
        spins, fields = file["spins"][:].astype(int), file["fields"][:].astype(int)
        bonds = sum((spins * np.roll(spins, -1, axis)).sum((3, 4, 5)) for axis in (-1, -2, -3))
        field_sum = (spins * fields[:, None]).sum((3, 4, 5))
        overlap = (spins[:, :, 0] * spins[:, :, 1]).sum((2, 3, 4))
        same = (bonds == file["bond_sum"][:, -1]).all() and (field_sum == file["field_sum"][:, -1]).all()
        same = same and (overlap == file["overlap"][:, -1]).all()
        print("recomputed energies and overlaps are", "the same" if same else "different")
