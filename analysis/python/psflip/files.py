"""One file of psflip as an xarray Dataset, after its checksum footer (docs/file-format.md)."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import xarray as xr

from psflip.error import PsflipError

MAGIC = b"psflip/1"
SEAL_BYTES = 24  # MAGIC, length and CRC-32 of all bytes before, both 8 bytes little endian
# Names in a Dataset as in the tables.
RENAMED = {"temperature": "T", "time": "t"}
# Scalars that keep systems apart; files of 0.3 and later also have an axis of length 1 for the first three.
SYSTEM = ("L", "h", "p", "seed")


def checked_bytes(path: Path) -> bytes:
    """The HDF5 part of a sealed file, in memory. Raises PsflipError for a missing, truncated or changed file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PsflipError(f"Cannot read {path}: {error.strerror}; check its name and permissions.") from error
    body, footer = data[:-SEAL_BYTES], data[-SEAL_BYTES:]
    if footer[:8] != MAGIC:
        raise PsflipError(
            f"Cannot use {path}: the checksum footer of psflip is missing, so it is truncated or was changed by another"
            " program; make it again, or read it as it is with verify=False."
        )
    if footer[8:] != len(body).to_bytes(8, "little") + zlib.crc32(body).to_bytes(8, "little"):
        raise PsflipError(
            f"Cannot use {path}: its checksum is wrong, so it is corrupted; make it again, or read it as it is with"
            " verify=False."
        )
    return body


def attributes_of(file: h5py.File, path: Path) -> dict[str, Any]:
    """Attributes of the root as Python values. Raises PsflipError unless psflip has completed the file."""
    attributes = {name: value.item() if isinstance(value, np.generic) else value for name, value in file.attrs.items()}
    if attributes.get("format") != "psflip" or attributes.get("complete") != 1:
        raise PsflipError(f"Cannot use {path}: psflip did not write or complete it; give a file that psflip wrote.")
    # Where an attribute is not spelled out it has its default: no field; half of the random bonds are -1.
    attributes.setdefault("h", 0.0)
    attributes.setdefault("p", 0.5 if attributes["couplings"] == "bimodal" else 0.0)
    with_bins = "tempering" if "exchange_interval" in attributes else "equilibrium"
    attributes.setdefault("method", "relaxation" if "time" in file else with_bins)  # files of 0.1 name none
    return attributes


def read_file(
    path: Path,
    kind: str,
    wanted: Callable[[dict[str, Any]], bool],
    chosen: Callable[[str], bool] = lambda name: True,
    verify: bool = True,
) -> xr.Dataset | None:
    """The datasets of a file that `chosen` takes, over named axes, with L, h, p, seed and sites as scalar coordinates
    and the attributes of the file; None if `wanted` does not take the attributes."""
    try:
        source = io.BytesIO(checked_bytes(path)) if verify else path
        with h5py.File(source, "r") as file:
            attributes = attributes_of(file, path)
            if attributes["kind"] != kind:
                raise PsflipError(
                    f"Cannot use {path}: it is a {attributes['kind']} file where a {kind} file is wanted; give one of"
                    " that kind."
                )
            return labelled(file, attributes, chosen) if wanted(attributes) else None
    except (OSError, KeyError, RuntimeError) as error:
        raise PsflipError(f"Cannot read {path}: {error}; give a file that psflip wrote.") from error


def labelled(file: h5py.File, attributes: dict[str, Any], chosen: Callable[[str], bool]) -> xr.Dataset:
    """The content of an open file. Axes are `T` and `t` where the file says temperature and time."""
    coordinates: dict[str, Any] = {name: attributes[name] for name in SYSTEM}
    dimension = re.search(r"(\d)d$", attributes["model"])
    if dimension is not None:
        coordinates["sites"] = attributes["L"] ** int(dimension[1])
    variables = {}
    for name, item in file.items():
        if item.is_scale:
            renamed = RENAMED.get(name, name)
            if renamed not in SYSTEM:
                coordinates[renamed] = (renamed, item[()], described(item))
        elif chosen(name):
            axes = [str(item.dims[d][0].name).removeprefix("/") for d in range(item.ndim)]
            variables[name] = ([RENAMED.get(axis, axis) for axis in axes], item[()], described(item))
    return xr.Dataset(variables, coordinates, attributes)


def described(item: h5py.Dataset) -> dict[str, str]:
    return {name: item.attrs[name] for name in ("units", "description") if name in item.attrs}
