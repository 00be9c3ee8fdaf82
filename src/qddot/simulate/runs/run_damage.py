"""Finds the damage in a run's store: files that are lost, cut short or changed, or that are not regular files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from qddot.errors import number_of
from qddot.simulate.runs.run_store import WRITTEN
from qddot.system import checksums, zarr_folders
from qddot.system.zarr_folders import Metadata

NAMED = 3  # the number of damaged blocks that a note names


class Damage(NamedTuple):
    """This is the damage in a store.

    files: the damaged ones, which are not read, so that their samples are NaN; notes: what is wrong with them
    """

    files: list[str]
    notes: list[str]


def survey(place: Path, store: Metadata, count: int, in_full: bool | None) -> Damage:
    """Returns the damage in a store with so many samples. The times are not checked, since they are not read.

    in_full: whether the content of files is checked, or only their size; None checks the content of small stores
    raises KeyError, TypeError, ValueError: metadata that no run has; OSError: files cannot be examined
    """
    arrays = {name: array for name, array in store.arrays.items() if name != "time"}
    if in_full is None:
        in_full = checksums.size(arrays.values()) <= zarr_folders.SMALL
    axes = {name: dims.index("time") for name, array in arrays.items() if "time" in (dims := array["dimension_names"])}
    damaged, wrong, notes = list[str](), dict[int, str](), list[str]()
    for name, array in arrays.items():
        shape, sizes, axis = checksums.chunk_shape(array), checksums.sizes_of(array), axes.get(name)
        for block in range(1 if axis is None else -(-count // shape[axis])):
            file = _file(name, array, axis, block)
            why = checksums.problem(place / file, sizes, in_full)
            if why and name == WRITTEN:
                raise OSError(f"{file} is damaged: {why}")
            if why and axis is not None:
                first, last = block * shape[axis], min((block + 1) * shape[axis], count) - 1
                wrong.setdefault(block, f"samples {first} to {last}, {file}: {why}")
            elif why:
                damaged.append(file)
                notes.append(f"damaged and left out: {file}: {why}")
    damaged += [_file(name, arrays[name], axis, block) for block in wrong for name, axis in axes.items()]
    reasons = "; ".join(list(wrong.values())[:NAMED])
    more = f"; and {number_of(len(wrong) - NAMED, 'more block')}" if len(wrong) > NAMED else ""
    return Damage(damaged, [*notes, *([f"damaged and left out: {reasons}{more}"] if wrong else [])])


def _file(name: str, array: Mapping[str, Any], axis: int | None, block: int) -> str:
    """Returns the file of a block of samples; axis: the index of the dimension of time, if the array has one."""
    return checksums.chunk_file(name, [block if k == axis else 0 for k in range(len(array["shape"]))])
