"""Reads a measurement file of ea3d with xarray and with h5py: example_read.py FILE.h5"""

import sys

import h5py
import numpy as np
import xarray as xr

# Every axis is an HDF5 dimension scale, so the file opens as a labelled data set.
data = xr.open_dataset(sys.argv[1], engine="h5netcdf")
energy = -data.bond_sum.mean(["sample", "replica"]) / data.attrs["L"] ** 3
print("energy per site against time:", energy.isel(temperature=0).to_series(), sep="\n")

# The same file in h5py. With --save-disorder and --save-spins everything can be computed again from the spins.
with h5py.File(sys.argv[1]) as file:
    spins = file["spins"][0].astype(int)  # sample, replica, z, y, x
    bonds = file["couplings"][:][:, None]  # sample, (replica), direction, z, y, x
    neighbours = np.stack([np.roll(spins, -1, axis) for axis in (-1, -2, -3)], axis=2)  # +x, +y, +z
    bond_sum = (bonds * spins[:, :, None] * neighbours).sum((2, 3, 4, 5))
    overlap = (spins[:, 0] * spins[:, 1]).sum((1, 2, 3))  # of replicas 0 and 1
    same = (bond_sum == file["bond_sum"][0, -1]).all() and (overlap == file["overlap"][0, -1, :, 0]).all()
    print("recomputed energies and overlaps are", "the same" if same else "different")
