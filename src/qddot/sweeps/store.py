"""A Store keeps the finished chunks of a sweep, as Zarr's format 3 on disk or in memory, which xarray reads.

All arrays of a chunk are written before it is marked as finished, each in a file that takes its place whole, so that
whatever is interrupted is done again and no finished chunk is lost. A store is read without pickle: every array's
metadata is looked at before Zarr opens it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.errors import SweepError, shortened
from qddot.sweeps import store_layout as layout
from qddot.sweeps.job import Job, difference
from qddot.system import files

if TYPE_CHECKING:
    import xarray as xr

CODECS = {"bytes", "zstd", "crc32c", "gzip", "blosc", "transpose"}
TYPES = {"float64", "int16", "int32", "int64", "uint8", "bool"}
KEPT = {
    "digest": str,
    "plan": dict,
    "runs": int,
    "chunk": int,
    **dict.fromkeys(("variables", "processors", "joints", "joint_units", "drawn"), list),
}
MOST_CHUNKS = 10**8
LARGEST = 1 << 24  # bytes of metadata
SMALL = 1 << 28  # bytes of an answer that is read into memory at once


class Store:
    """A store has a group of arrays; `path` is None for one in memory."""

    def __init__(self, group: Any, path: Path | None) -> None:
        self._group = group
        self.path = path
        # looking one up costs as much as writing to it
        self._array = cache(group.__getitem__)

    @property
    def about(self) -> dict[str, Any]:
        """Returns the attributes of the whole."""
        return dict(self._group.attrs)

    @property
    def finished(self) -> Any:
        """Returns which chunks are finished, (chunks,)."""
        return self._group[layout.FINISHED][:] == 1

    def write(self, k: int, arrays: dict[str, Any]) -> None:
        """Writes a chunk and marks it. raises SweepError: the disk does not take it"""
        start = k * self.about["chunk"]
        try:
            for name, values in arrays.items():
                array = self._array(name)
                first = start if array.metadata.dimension_names[0] == layout.RUN else k
                array[first : first + len(values)] = values
            self._array(layout.FINISHED)[k] = 1
        except OSError as error:
            raise SweepError(
                f"{self.path}: chunk {k} was not written: {error.strerror or error}",
                remedy=f"{int(self.finished.sum())} chunks are kept; make room and call again to finish the rest",
            ) from error

    def note_processor(self, name: str) -> None:
        """Notes a kind of processor on which chunks were run."""
        if name not in self.about["processors"]:
            self._group.attrs["processors"] = [*self.about["processors"], name]

    def edges(self, name: str) -> Any:
        """Returns the edges between which runs of q or qd are counted."""
        return self._group[f"{name}_edges"][:]

    def counts(self) -> dict[str, int]:
        """Returns how many runs ended with each status."""
        status, chunk = self._group["status"], self.about["chunk"]
        names = status.attrs["flag_meanings"].split()
        total = np.zeros(len(names), np.int64)
        for k in np.flatnonzero(self.finished):
            part = status[k * chunk : (k + 1) * chunk]
            total += np.bincount(part[part >= 0], minlength=len(names))
        return {name: int(count) for name, count in zip(names, total, strict=True)}

    def dataset(self) -> xr.Dataset:
        """Returns all of it as a Dataset, in memory where it is small; unfinished runs are NaN, their status −1.

        raises SweepError: attributes that do not fit the arrays
        """
        try:
            return self._dataset()
        except (ValueError, KeyError, TypeError) as error:
            raise SweepError(f"{self.path}: damaged: {error}", remedy="delete it and run the sweep again") from error

    def _dataset(self) -> xr.Dataset:
        import xarray as xr

        about = self.about
        data = xr.open_zarr(self._group.store, chunks=None, consolidated=False)
        edges = sorted(name for name in data.data_vars if str(name).endswith("_edges"))
        data = data[[*about["variables"], *edges]]
        coordinates: dict[str, Any] = {}
        if "joint" in data.sizes:
            coordinates |= {"joint": about["joints"], "unit": ("joint", about["joint_units"])}
        if "axis" in data.sizes:
            coordinates["axis"] = list(layout.AXES)
        data = data.assign_coords(coordinates)
        answer: xr.Dataset = data.load() if data.nbytes <= SMALL else data
        return answer

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other processes from running the same store; the system ends that with the process."""
        if self.path is None or os.name == "nt":
            yield
            return
        import fcntl

        with open(self.path / "zarr.json", "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SweepError(f"{self.path}: another process runs this sweep", remedy="wait for it") from None
            except OSError:
                pass  # a file system without locks
            self._clean()
            yield

    def _clean(self) -> None:
        """Removes files that a killed process had not finished."""
        for path in Path(self.path or "").rglob("*.partial"):
            with suppress(OSError):
                path.unlink()


def begun(job: Job, path: str | Path | None, overwrite: bool) -> Store | None:
    """Returns the store of a job that was begun before, or None where there is none, or it is to be overwritten.

    raises SweepError: a path at which something else lies; with overwrite=True, something that is no sweep's store
    """
    place = None if path is None else _checked(path)
    if place is None or not (place.exists() or place.is_symlink()):
        return None
    there = metadata(place)
    if overwrite and place.is_symlink():
        raise SweepError(f"{place} is a link", remedy="name the folder itself to overwrite it")
    if overwrite:
        return None
    if there["digest"] != job.digest:
        raise SweepError(
            f"{place} holds another sweep ({difference(there['plan'], job.identity)})",
            remedy="name another store, or overwrite=True to delete that one",
        )
    return opened(place)


def created(job: Job, path: str | Path | None) -> Store:
    """Returns a new store of a job; one that lies there is deleted. raises SweepError: it cannot be made"""
    if path is None:
        return Store(_created(job, zarr().storage.MemoryStore()), None)
    place = _checked(path)
    old, new = (place.with_name(f"{files.UNFINISHED}{token_hex(8)}") for _ in range(2))
    try:
        if place.exists():
            place.rename(old)
            shutil.rmtree(old)
        _created(job, str(new))
        new.rename(place)
    except BaseException as error:
        shutil.rmtree(new, ignore_errors=True)
        if isinstance(error, OSError):
            raise SweepError(f"{place} cannot be made: {error.strerror or error}") from error
        raise
    return opened(place)


def opened(path: str | Path) -> Store:
    """Returns the store at a path. raises SweepError: there is none, or one with arrays that no sweep writes"""
    place = _checked(path)
    metadata(place)
    return Store(zarr().open_group(str(place), mode="r+", zarr_format=3, use_consolidated=False), place)


def metadata(place: Path) -> dict[str, Any]:
    """Returns the attributes of the store at a path. raises SweepError: it is no store of a sweep"""
    about = _json(place / "zarr.json", place).get("attributes")
    if not isinstance(about, dict) or about.get("qddot_sweep") != 1:
        raise SweepError(f"{place} is no store of a sweep", expected="a folder that qddot.sweep has written")
    arrays = {path.parent.name: _json(path, place) for path in sorted(place.glob("*/zarr.json"))}
    for name, array in arrays.items():
        _check_array(array, place / name)
    plain = (
        all(isinstance(about.get(key), kind) for key, kind in KEPT.items()) and min(about["runs"], about["chunk"]) > 0
    )
    if not plain or not {layout.FINISHED, "status", *map(str, about["variables"])} <= set(arrays):
        raise SweepError(f"{place}: damaged metadata", remedy="delete it and run the sweep again")
    chunks = -(-about["runs"] // about["chunk"])
    if chunks > MOST_CHUNKS or arrays[layout.FINISHED].get("shape") != [chunks]:
        raise SweepError(
            f"{place}: {chunks} chunks", expected="as many as are marked", remedy="delete it and run again"
        )
    return about


def zarr() -> Any:
    """Returns the package. raises SweepError: it is not installed"""
    try:
        import zarr
    except ModuleNotFoundError:
        raise SweepError("zarr is not installed", remedy="pip install 'qddot[sweep]'") from None
    return zarr


def _checked(path: str | Path) -> Path:
    try:
        place = Path(path)
        bad = "\0" in str(place) or not place.name
    except TypeError:
        bad = True
    if bad:
        raise SweepError(f"a store {shortened(path)}", expected="a folder's name")
    if not place.absolute().parent.is_dir():
        raise SweepError(f"{place}: the folder {place.parent} does not exist", remedy="make it first")
    return place


def _json(path: Path, place: Path) -> dict[str, Any]:
    try:
        content = json.loads(files.read(path, LARGEST))
    except (OSError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise SweepError(f"{place} is no store of a sweep", expected="a folder that qddot.sweep has written")
    return content


def _check_array(about: dict[str, Any], path: Path) -> None:
    """Raises SweepError for types and codecs that could run code or that no sweep writes."""
    codecs = about.get("codecs")
    named = codecs if isinstance(codecs, list) else [None]
    names = {codec.get("name") if isinstance(codec, dict) else None for codec in named}
    if not names <= CODECS or about.get("data_type") not in TYPES or about.get("storage_transformers"):
        raise SweepError(f"{path}: an array that no sweep writes", expected=f"codecs of {', '.join(sorted(CODECS))}")


def _created(job: Job, where: Any) -> Any:
    """Returns a new group with all arrays of a job, none of which has any chunk yet."""
    group = zarr().create_group(where, zarr_format=3, attributes=layout.attributes(job))
    for each in layout.layouts(job):
        first, size, part = ("chunk", job.chunks, 1) if each.per_chunk else (layout.RUN, job.runs, job.chunk)
        _array(group, each, (size, *each.sizes), (part, *each.sizes), (first, *each.dims))
    _array(group, layout.Layout(layout.FINISHED, dtype="uint8", fill=0), (job.chunks,), (1,), ("chunk",))
    if job.samples:
        units = {"units": "s"}
        for name, edges in job.edges.items():
            _array(group, layout.Layout(f"{name}_edges"), edges.shape, edges.shape, ("edge", "time", "joint"))
            group[f"{name}_edges"][...] = edges
        _array(group, layout.Layout("time", attrs=units), (job.samples,), (job.samples,), ("time",))
        group["time"][:] = layout.times(job)
    return group


def _array(group: Any, of: layout.Layout, shape: Any, chunks: Any, dims: tuple[str, ...]) -> None:
    # numbers that are drawn hardly get smaller, and packing them costs more than running them
    packed = None if of.dtype == "float64" else "auto"
    attrs = {key: value for key, value in of.attrs.items() if value != ""}
    group.create_array(
        of.name,
        shape=shape,
        chunks=chunks,
        dtype=of.dtype,
        fill_value=of.fill,
        compressors=packed,
        dimension_names=dims,
        attributes=attrs,
    )
