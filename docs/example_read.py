"""Energy per site from a measurement file of any model: example_read.py FILE.h5"""

import sys

import xarray as xr

import psflip

data = psflip.open(sys.argv[1])
time = "t" if "t" in data.dims else "bin"
bonds, field = data["bond_sum"], data.get("field_sum", data["magnetization"])  # a uniform field acts on M
energy = -(data.attrs.get("J", 1.0) * bonds + data["h"] * field) / data["sites"]
if time == "bin":
    energy = energy / data["measurements"]  # in bins the file has sums
energy = energy.mean([axis for axis in energy.dims if axis not in ("T", time)])

# With --save-disorder and --save-spins everything can be computed again from the spins.
if "spins" in data and "couplings" in data:
    neighbours = xr.concat([data["spins"].roll({axis: -1}) for axis in "xyz"], data["direction"])  # +x, +y, +z
    again = (data["couplings"] * data["spins"] * neighbours).sum(["direction", "x", "y", "z"], dtype=int)
    overlap = data["spins"].sel(replica=0).astype(int).dot(data["spins"].sel(replica=1), ["x", "y", "z"])  # pair 0
    same = (again == bonds.isel({time: -1})).all() and (overlap == data["overlap"].isel({time: -1, "pair": 0})).all()
    print("recomputed energies and overlaps are", "the same" if same else "different")

print("energy per site of the lowest temperature:", energy.isel(T=0).to_series().to_string(), sep="\n")
