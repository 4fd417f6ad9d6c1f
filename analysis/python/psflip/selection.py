"""Which files of a study or folder are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from psflip.error import PsflipError
from psflip.files import read_file

Source = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def study_folder(study: str | os.PathLike[str]) -> Path:
    """The folder of the results of a study, also given by its name in results/."""
    for folder in (Path(study), Path("results") / study):
        if folder.is_dir():
            return folder
    raise PsflipError(f"There is no folder {study}; give the results of a study, for example results/demo.")


def find_files(source: Source, folder_name: str) -> list[Path]:
    """The files named by `source`: a file, a folder of files, a study with its `folder_name`, or a list of these."""
    if not isinstance(source, str | os.PathLike):
        return [path for one in source for path in find_files(one, folder_name)]
    if Path(source).is_file() or Path(source).suffix == ".h5":
        return [Path(source)]
    folder = study_folder(source)
    inner = folder / folder_name
    paths = sorted(inner.glob("*/*.h5")) if inner.is_dir() else sorted([*folder.glob("*.h5"), *folder.glob("*/*.h5")])
    if not paths:
        raise PsflipError(f"{folder} has no files in {folder_name}/; run the study, or give a folder with such files.")
    return paths


def agrees(have: Any, wanted: Any) -> bool:
    """Whether a value is the wanted one, or one of them; numbers up to rounding."""
    several = isinstance(wanted, list | tuple | set | range | np.ndarray)
    for value in wanted if several else [wanted]:
        if isinstance(value, str) or isinstance(have, str) or have is None:
            if have == value:
                return True
        elif np.isclose(have, value, rtol=1e-9, atol=0):
            return True
    return False


def with_temperatures(data: xr.Dataset, wanted: Any) -> xr.Dataset:
    """The wanted temperatures of a Dataset with axis T."""
    return data.isel(T=[i for i, T in enumerate(data["T"].values) if agrees(T, wanted)])


def read_chosen(
    source: Source,
    kind: str,
    folder_name: str,
    chosen: Callable[[str], bool],
    verify: bool,
    where: dict[str, Any],
) -> Iterator[xr.Dataset]:
    """The files whose attributes (and T) are as `where` says. Raises PsflipError if there are none, or more than one
    model and method."""
    attribute_values = {name: value for name, value in where.items() if name != "T"}
    rejected: set[Path] = set()
    seen: dict[str, set[Any]] = {name: set() for name in attribute_values}
    pairs: set[tuple[str, str]] = set()

    def wanted(attributes: dict[str, Any]) -> bool:
        for name, values in seen.items():
            values.add(attributes.get(name))
        return all(agrees(attributes.get(name), value) for name, value in attribute_values.items())

    found = 0
    for path in find_files(source, folder_name):
        if path.parent in rejected:
            continue
        data = read_file(path, kind, wanted, chosen, verify)
        if data is None:  # the files in a folder of a run are of one job
            rejected |= {path.parent} if path.parent.parent.name == folder_name else set()
            continue
        data = with_temperatures(data, where["T"]) if "T" in where else data
        if data.sizes["T"] == 0:
            continue
        pairs.add((data.attrs["model"], data.attrs["method"]))
        require_one_model(pairs)
        found += 1
        yield data
    if not found:
        raise nothing_found(source, where, seen)


def require_one_model(pairs: set[tuple[str, str]]) -> None:
    if len(pairs) > 1:
        (model, method), *_ = sorted(pairs)
        names = " and ".join(f"{model} {method}" for model, method in sorted(pairs))
        raise PsflipError(
            f"The files are of {names}, which have different axes; choose one, for example"
            f" model='{model}', method='{method}'."
        )


def nothing_found(source: Source, where: dict[str, Any], seen: dict[str, set[Any]]) -> PsflipError:
    values = [
        f"{name} = {', '.join(map(str, sorted(known, key=str))) if known != {None} else 'none'}"
        for name, known in seen.items()
    ]
    there = f"; it has {'; '.join(values)}" if values else ""
    text = ", ".join(f"{name} = {value}" for name, value in where.items())
    return PsflipError(f"{source} has no data with {text}{there}; choose among these, or leave a condition out.")
