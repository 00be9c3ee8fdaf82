"""A Store keeps the finished chunks of a sweep, as Zarr's format 3 on disk or in memory, which xarray reads.

All arrays of a chunk are written before it is marked as finished, each in a file that takes its place whole, so that
whatever is interrupted is done again and no finished chunk is lost.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.errors import SweepError
from qddot.sweeps import store_layout as layout
from qddot.sweeps.job import Job, difference
from qddot.system import zarr_folders

if TYPE_CHECKING:
    import xarray as xr

SWEEPS = zarr_folders.Kind("qddot_sweep", "sweep", "qddot.sweep", SweepError)
KEPT = {
    "digest": str,
    "plan": dict,
    "runs": int,
    "chunk": int,
    **dict.fromkeys(("variables", "processors", "joints", "joint_units", "drawn"), list),
}
MOST_CHUNKS = 10**8
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

    def alone(self) -> AbstractContextManager[None]:
        """Keeps other processes from running the same store; the system ends that with the process."""
        return nullcontext() if self.path is None else SWEEPS.alone(self.path)


def begun(job: Job, path: str | Path | None, overwrite: bool) -> Store | None:
    """Returns the store of a job that was begun before, or None where there is none, or it is to be overwritten.

    raises SweepError: a path at which something else lies; with overwrite=True, something that is no sweep's store
    """
    place = None if path is None else SWEEPS.place(path)
    if place is None or not (place.exists() or place.is_symlink()):
        return None
    there = metadata(place)
    if overwrite:
        SWEEPS.check_no_link(place)
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
        return Store(_created(job, SWEEPS.zarr().storage.MemoryStore()), None)
    place = SWEEPS.place(path)
    SWEEPS.made(place, lambda where: _created(job, where))
    return opened(place)


def opened(path: str | Path) -> Store:
    """Returns the store at a path. raises SweepError: there is none, or one with arrays that no sweep writes"""
    place = SWEEPS.place(path)
    metadata(place)
    return Store(SWEEPS.opened(place, "r+"), place)


def metadata(place: Path) -> dict[str, Any]:
    """Returns the attributes of the store at a path. raises SweepError: it is no store of a sweep"""
    about, arrays = SWEEPS.metadata(place)
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


def _created(job: Job, where: Any) -> Any:
    """Returns a new group with all arrays of a job, none of which has any chunk yet."""
    group = SWEEPS.zarr().create_group(where, zarr_format=3, attributes=layout.attributes(job))
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
    zarr_folders.add(group, of.name, shape, chunks, dims, of.dtype, of.fill, of.attrs)
