"""Finds the damage in a run's store: files that are lost, cut short or changed, or that are not regular files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from qddot.base.errors import number_of
from qddot.base.system import checksums, zarr_folders
from qddot.base.system.zarr_folders import Metadata
from qddot.motion.simulate.runs.run_store import IDENTITY, SAMPLES, SEALS, WRITTEN, block_file

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
    arrays = {name: array for name, array in store.arrays.items() if name not in ("time", SEALS)}
    if in_full is None:
        in_full = checksums.size(arrays.values()) <= zarr_folders.SMALL
    axes = {name: dims.index("time") for name, array in arrays.items() if "time" in (dims := array["dimension_names"])}
    damaged, wrong, notes = list[str](), dict[int, str](), list[str]()
    for name, array in arrays.items():
        shape, sizes, axis = checksums.chunk_shape(array), checksums.sizes_of(array), axes.get(name)
        for block in range(1 if axis is None else -(-count // shape[axis])):
            file = block_file(name, array["dimension_names"], block)
            why = checksums.problem(place / file, sizes, in_full)
            if axis is None and name != WRITTEN:
                why = why or zarr_folders.of_another(store.about, name, place / file)
            if why and name == WRITTEN:
                raise OSError(f"{file} is damaged: {why}")
            if why and axis is not None:
                first, last = block * shape[axis], min((block + 1) * shape[axis], count) - 1
                wrong.setdefault(block, f"samples {first} to {last}, {file}: {why}")
            elif why:
                damaged.append(file)
                notes.append(f"damaged and left out: {file}: {why}")
    if SEALS in store.arrays and axes:
        over_time = {name: arrays[name]["dimension_names"] for name in axes}
        size = min(checksums.chunk_shape(arrays[name])[axis] for name, axis in axes.items())
        # the last block of a run that did not end has no seal yet
        sealed = count // size if SAMPLES not in store.about else -(-count // size)
        for block in range(sealed):
            why = "" if block in wrong else _moved(place, store.about, over_time, block)
            if why:
                wrong[block] = f"samples {block * size} to {min((block + 1) * size, count) - 1}, {why}"
    damaged += [block_file(name, arrays[name]["dimension_names"], block) for block in wrong for name in axes]
    reasons = "; ".join(list(wrong.values())[:NAMED])
    more = f"; and {number_of(len(wrong) - NAMED, 'more block')}" if len(wrong) > NAMED else ""
    return Damage(damaged, [*notes, *([f"damaged and left out: {reasons}{more}"] if wrong else [])])


def _moved(place: Path, about: Mapping[str, Any], arrays: Mapping[str, Any], block: int) -> str:
    """Returns what is wrong with a block whose files are whole, but not all its own, or "".

    arrays: the dimensions of each array with samples
    """
    file = checksums.chunk_file(SEALS, [block])
    try:
        seal = checksums.number_in(place / file)
    except OSError as error:
        return f"{file}: {error.strerror or error}"
    files = {name: place / block_file(name, dims, block) for name, dims in arrays.items()}
    if seal == checksums.seal(about[IDENTITY], block, files):
        return ""
    return f"{file}: it does not fit the other files of the block, some of which are those of another"
