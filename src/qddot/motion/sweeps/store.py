"""A Store keeps the finished chunks of a sweep on disk or in memory, in Zarr's format 3, which xarray reads.

All arrays of a chunk are written before it is marked as finished, each as a whole file that is moved into place. So
interrupted chunks are run again, and no finished chunk is lost. A chunk that is damaged later counts as unfinished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.base.errors import SweepError
from qddot.base.system import checksums, files, zarr_folders
from qddot.base.system.zarr_folders import ABOUT, SMALL, Metadata
from qddot.motion.simulate.runs.samples import POSITION
from qddot.motion.sweeps import store_layout as layout
from qddot.motion.sweeps.damage import Damage, survey
from qddot.motion.sweeps.job import Job, difference, fingerprint

if TYPE_CHECKING:
    import xarray as xr

AGAIN = "qddot.sweep with the same arguments and store repairs this; only damaged chunks run again"
SWEEPS = zarr_folders.Kind("qddot_sweep", "sweep", "qddot.sweep", SweepError, AGAIN)
KEPT = {
    "digest": str,
    "plan": dict,
    "runs": int,
    "chunk": int,
    **dict.fromkeys(("variables", "processors", "joints", "joint_units", "drawn"), list),
}
MOST_CHUNKS = 10**8


class Store:
    """A store has a group of arrays; `path` is None for one in memory.

    damage: the damage that was found; renewed: what was wrong with each array that has been made again
    """

    def __init__(
        self, group: Any, path: Path | None, damage: Damage | None = None, renewed: Sequence[str] = ()
    ) -> None:
        self._group = group
        self.path = path
        self.damage = damage or Damage()
        self.renewed = tuple(renewed)
        # looking up an array costs as much as writing to it
        self._array = cache(partial(zarr_folders.array, group))

    @property
    def about(self) -> dict[str, Any]:
        """Returns the attributes of the store."""
        return dict(self._group.attrs)

    @property
    def finished(self) -> Any:
        """Returns which chunks are finished, (chunks,)."""
        return self._group[layout.FINISHED][:] != 0

    def write(self, k: int, arrays: dict[str, Any]) -> None:
        """Writes a chunk and marks it. raises SweepError: it cannot be written"""
        start = k * self.about["chunk"]
        try:
            for name, values in arrays.items():
                array = self._array(name)
                first = start if array.metadata.dimension_names[0] == layout.RUN else k
                array[first : first + len(values)] = values
            self._array(layout.FINISHED)[k] = 1 if self.path is None else self._seal(self.path, k)
            if k in self.damage.chunks:
                self._group.store.hidden.difference_update(self.damage.files[k])
        except OSError as error:
            raise SweepError(
                f"{self.path}: chunk {k} was not written: {error.strerror or error}",
                remedy=f"the finished chunks ({int(self.finished.sum())}) are kept; make room and call again to finish",
            ) from error

    def _seal(self, place: Path, k: int) -> int:
        about = self.about
        axes = {name: len(self._array(name).shape) for name in about["variables"]}
        files = {name: place / checksums.chunk_file(name, [k, *[0] * (n - 1)]) for name, n in axes.items()}
        return checksums.seal(about["digest"], k, files)

    def note_processor(self, name: str) -> None:
        """Notes a kind of processor on which chunks were run."""
        if name not in self.about["processors"]:
            zarr_folders.note(self._group, processors=[*self.about["processors"], name])

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
        """Returns the store as a Dataset, in memory if it is small; unfinished runs are NaN, with the status −1.

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
        if POSITION in data.sizes:
            coordinates[POSITION] = about[layout.POSITIONS]
        if "axis" in data.sizes:
            coordinates["axis"] = list(layout.AXES)
        data = data.assign_coords(coordinates)
        data.attrs = {name: value for name, value in data.attrs.items() if name not in zarr_folders.OWN}
        answer: xr.Dataset = data.load() if data.nbytes <= SMALL else data
        return answer

    @contextmanager
    def alone(self) -> Iterator[Store]:
        """Keeps other processes from running the same store; the lock ends with the process."""
        assert self.path is not None
        with SWEEPS.alone(self.path):
            yield self


def existing(
    job: Job, path: str | Path | None, overwrite: bool, with_edges: Callable[[Job], Job] = lambda job: job
) -> Store | None:
    """Returns the store of a job that was begun before, or None if there is none or if it is to be overwritten.

    Damaged chunks count as not finished; damaged arrays that belong to no chunk are written again.
    with_edges: the function that returns a job with the edges of its quantiles
    raises SweepError: the path holds something else; with overwrite=True, it holds no sweep's store
    """
    place = None if path is None else SWEEPS.place(path)
    if place is None or not (place.exists() or place.is_symlink()):
        return None
    there = metadata(place)
    if overwrite:
        SWEEPS.check_no_link(place)
        return None
    about = there.about
    if about["digest"] != job.digest:
        raise SweepError(
            f"{place} holds another sweep ({difference(about['plan'], job.identity)})",
            remedy="choose another store, or set overwrite=True to delete that one",
        )
    damage = survey(place, there, in_full=True)
    damage.check_room(place)
    lost = damage.arrays
    if lost:
        with SWEEPS.alone(place):
            _renew(place, with_edges(job) if any(name.endswith("_edges") for name in lost) else job, list(lost))
        damage = survey(place, metadata(place), in_full=True)
    return Store(SWEEPS.opened(place, "r+", damage.hidden), place, damage, list(lost.values()))


def _renew(place: Path, job: Job, names: Sequence[str]) -> None:
    """Writes arrays again as they were before any chunk. raises SweepError: they cannot be made"""
    with TemporaryDirectory() as folder:
        _created(job, folder)
        for name in names:
            for path in (Path(folder) / name).rglob("*"):
                target = place / path.relative_to(folder)
                try:
                    if path.is_file():
                        target.parent.mkdir(parents=True, exist_ok=True)
                        if target.is_symlink() or not target.is_dir():
                            target.unlink(missing_ok=True)  # a link or a pipe
                        files.write({target: path.read_bytes()})
                except OSError as error:
                    raise SweepError(
                        f"{target} is damaged, and cannot be made again: {error.strerror}", remedy="move it away"
                    ) from error
    SWEEPS.seal(place)


@contextmanager
def created(job: Job, path: str | Path | None, overwrite: bool) -> Iterator[Store]:
    """Yields a new store of a job, and keeps other processes from it.

    overwrite: whether a store at its path is deleted
    raises SweepError: it cannot be made
    """
    if path is None:
        yield Store(_created(job, SWEEPS.zarr().storage.MemoryStore()), None)
        return
    place = SWEEPS.place(path)
    with SWEEPS.new(place, lambda where: _created(job, where), overwrite):
        yield Store(SWEEPS.opened(place, "r+"), place)


def opened(path: str | Path) -> Store:
    """Returns the store at a path for reading; damaged chunks count as not finished.

    raises SweepError: there is none, or one with arrays that no sweep writes, or whose metadata are damaged
    """
    place = SWEEPS.place(path)
    there = metadata(place)
    for name, why in there.spoilt.items():
        raise SweepError(f"{place / name / ABOUT} is damaged: {why}", remedy=AGAIN)
    damage = survey(place, there)
    return Store(SWEEPS.opened(place, "r", damage.hidden), place, damage)


def metadata(place: Path) -> Metadata:
    """Returns the metadata of the store at a path. raises SweepError: it is not a store of a sweep"""
    there = SWEEPS.metadata(place)
    about, arrays = there.about, there.arrays
    plain = (
        all(isinstance(about.get(key), kind) for key, kind in KEPT.items()) and min(about["runs"], about["chunk"]) > 0
    )
    names = {layout.FINISHED, "status", *map(str, about["variables"])} if plain else {""}
    if not names <= {*arrays, *there.spoilt}:
        raise SweepError(f"{place}: damaged metadata", remedy="delete it and run the sweep again")
    if about["digest"] != fingerprint(about["plan"]) or about["plan"].get("chunk") != about["chunk"]:
        raise SweepError(
            f"{place}: its digest does not match its plan",
            expected="the plan by which the runs were made",
            remedy="delete it and run the sweep again",
        )
    chunks = -(-about["runs"] // about["chunk"])
    marks = arrays.get(layout.FINISHED, {"shape": [chunks]})
    if chunks > MOST_CHUNKS or marks.get("shape") != [chunks]:
        raise SweepError(
            f"{place} is damaged: it has {chunks} chunks, and another number of marks of finished ones",
            remedy="delete its folder and run again",
        )
    if marks.get("data_type", "int64") != "int64":
        raise SweepError(f"{place} was made by an earlier version", remedy="delete its folder and run again")
    return there


def _created(job: Job, where: Any) -> Any:
    """Returns a new group with all arrays of a job, without any chunk yet."""
    group = SWEEPS.zarr().create_group(where, zarr_format=3, attributes=layout.attributes(job))
    for each in layout.layouts(job):
        first, size, part = ("chunk", job.chunks, 1) if each.per_chunk else (layout.RUN, job.runs, job.chunk)
        _array(group, each, (size, *each.sizes), (part, *each.sizes), (first, *each.dims))
    _array(group, layout.Layout(layout.FINISHED, dtype="int64", fill=0), (job.chunks,), (1,), ("chunk",))
    fixed: list[tuple[layout.Layout, Any, tuple[str, ...]]]
    fixed = [
        (layout.Layout(f"{name}_edges"), edges, ("edge", "time", job.kept[name][0]))
        for name, edges in job.edges.items()
    ]
    if job.samples:
        fixed.append((layout.Layout("time", attrs={"units": "s"}), layout.times(job), ("time",)))
    for of, values, dims in fixed:
        _array(group, of, values.shape, values.shape, dims)[...] = values
    return group


def _array(group: Any, of: layout.Layout, shape: Any, chunks: Any, dims: tuple[str, ...]) -> Any:
    return zarr_folders.add(group, of.name, shape, chunks, dims, of.dtype, of.fill, of.attrs, of.packed)
