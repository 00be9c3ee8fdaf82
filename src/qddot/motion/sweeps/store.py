"""A Store keeps the finished chunks of a sweep on disk or in memory, in Zarr's format 3, which xarray reads.

All arrays of a chunk are written before it is marked as finished. So interrupted chunks are run again, and no finished
chunk is lost. A chunk that is damaged later counts as unfinished.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.base.errors import SweepError, reason_of
from qddot.base.system import files, stores
from qddot.base.words.message import Words, say
from qddot.motion.simulate.runs.samples import POSITION
from qddot.motion.sweeps import store_layout as layout
from qddot.motion.sweeps.job import Job, difference, fingerprint

if TYPE_CHECKING:
    import xarray as xr

AGAIN = say("sweep-repairs-this")
SWEEPS = stores.Kind(
    *("qddot_sweep", "sweep", "qddot.sweep", SweepError, AGAIN, "digest"),
    along=(layout.RUN, "chunk"),
    part="chunk",
    entries="runs",
)
KEPT = {
    "digest": str,
    "plan": dict,
    "runs": int,
    "chunk": int,
    **dict.fromkeys(("variables", "processors", "joints", "joint_units", "drawn"), list),
}
MOST_CHUNKS = 10**8


class Store(stores.Store):
    """This is the store of a sweep; `renewed` says what was wrong with each array that has been made again."""

    renewed: Sequence[Words] = ()

    @property
    def finished(self) -> Any:
        """Returns which chunks are finished, (chunks,)."""
        return self.group[stores.FINISHED][0] != 0

    def add(self, k: int, arrays: dict[str, Any]) -> None:
        """Writes a chunk and marks it. raises SweepError: it cannot be written"""
        try:
            self.write(k, arrays)
            self.mark(k, len(arrays["status"]))
        except OSError as error:
            raise SweepError(
                "chunk-not-written",
                place=self.place,
                k=k,
                reason=reason_of(error),
                finished=int(self.finished.sum()),
            ) from error

    def note_processor(self, name: str) -> None:
        """Notes a kind of processor on which chunks were run."""
        if name not in self.about["processors"]:
            stores.note(self.group, processors=[*self.about["processors"], name])

    def edges(self, name: str) -> Any:
        """Returns the edges between which runs of q or qd are counted."""
        return self.group[f"{name}_edges"][:]

    def counts(self) -> dict[str, int]:
        """Returns how many runs ended with each status."""
        status, chunk = self.group["status"], self.about["chunk"]
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
            raise SweepError("sweep-damaged", place=self.place, problem=error) from error

    def _dataset(self) -> xr.Dataset:
        import xarray as xr

        about = self.about
        data = xr.open_zarr(self.group.store, chunks=None, consolidated=False)
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
        data.attrs = {name: value for name, value in data.attrs.items() if name not in stores.OWN}
        answer: xr.Dataset = data.load() if data.nbytes <= stores.SMALL else data
        return answer

    @contextmanager
    def alone(self) -> Iterator[Store]:
        """Keeps other processes from running the same store; the lock ends with the process."""
        assert self.place is not None
        with SWEEPS.alone(self.place):
            yield self


def existing(
    job: Job, path: str | Path | None, overwrite: bool, with_edges: Callable[[Job], Job] = lambda job: job
) -> Store | None:
    """Returns the store of a job that was begun before, or None if there is none or if it is to be overwritten.

    Arrays that are damaged, and that do not belong to a chunk, are written again; for their edges, `with_edges` adds
    edges to the job. raises SweepError: the path has something else, or cannot be used
    """
    if path is None:
        return None
    place = SWEEPS.place(path)
    if not (place.exists() or place.is_symlink()):
        return None
    about, spoilt = _metadata(place)
    if overwrite:
        SWEEPS.check_no_link(place)
        return None
    if about["digest"] != job.digest:
        raise SweepError("store-of-another-sweep", place=place, differing=difference(about["plan"], job.identity))
    lost: dict[str, Words] = {
        name: say("file-because", file=f"{name}/{stores.ABOUT}", why=why) for name, why in spoilt.items()
    }
    if spoilt:
        _renew(place, job, with_edges, spoilt)
    there = _surveyed(place, "r+", about, in_full=True)
    for file in there.group.store.hidden:
        if (place / file).is_dir():
            raise SweepError("folder-instead-of-chunk", path=place / file)
    if there.lost:
        lost |= there.lost
        _renew(place, job, with_edges, there.lost)
        there = _surveyed(place, "r+", about, in_full=True)
    there.renewed = [*lost.values()]
    return there


def _surveyed(place: Path, mode: str, about: Mapping[str, Any], in_full: bool | None = None) -> Store:
    """Returns the store at a path, in which damaged chunks count as not finished; about: its attributes.

    raises SweepError: arrays that no sweep writes, marks that cannot be listed
    """
    try:
        there = Store(SWEEPS, SWEEPS.opened(place, mode), place)
        size, runs = about["chunk"], about["runs"]
        chunks = -(-runs // size)
        if there.group[stores.FINISHED].shape[1] != chunks:
            raise ValueError(say("chunks-without-marks", chunks=chunks))
        marked = there.marked(chunks)
        there.survey({k: range(k * size, min((k + 1) * size, runs)) for k in marked}, in_full)
        return there
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SweepError("metadata-damaged-because", place=place, problem=error) from error


def _renew(place: Path, job: Job, with_edges: Callable[[Job], Job], names: Collection[str]) -> None:
    """Writes arrays again as they were before any chunk. raises SweepError: they cannot be made"""
    with SWEEPS.alone(place), TemporaryDirectory() as folder:
        _created(with_edges(job) if any(name.endswith("_edges") for name in names) else job, folder)
        for path in (each for name in names for each in (Path(folder) / name).rglob("*") if each.is_file()):
            target = place / path.relative_to(folder)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                if target.is_symlink() or not target.is_dir():
                    target.unlink(missing_ok=True)  # a link or a pipe
                files.write({target: path.read_bytes()})
            except OSError as error:
                raise SweepError("array-not-renewable", target=target, reason=reason_of(error)) from error
        SWEEPS.seal(place)


@contextmanager
def created(job: Job, path: str | Path | None, overwrite: bool) -> Iterator[Store]:
    """Yields a new store of a job, and keeps other processes from it.

    overwrite: whether a store at its path is deleted
    raises SweepError: it cannot be made
    """
    if path is None:
        yield _created(job, SWEEPS.zarr().storage.MemoryStore())
        return
    place = SWEEPS.place(path)
    with SWEEPS.new(place, lambda where: _created(job, where), overwrite):
        yield Store(SWEEPS, SWEEPS.opened(place, "r+"), place)


def opened(path: str | Path) -> Store:
    """Returns the store at a path for reading; damaged chunks count as not finished.

    raises SweepError: there is none, or one with arrays that no sweep writes, or whose metadata are damaged
    """
    place = SWEEPS.place(path)
    about, spoilt = _metadata(place)
    for name, why in spoilt.items():
        raise SweepError("sweep-file-damaged", file=place / name / stores.ABOUT, why=why, remedy=AGAIN)
    return _surveyed(place, "r", about)


def _metadata(place: Path) -> tuple[dict[str, Any], dict[str, Words]]:
    """Returns what `Kind.metadata` returns. raises SweepError: it is not a store of a sweep"""
    about, spoilt = SWEEPS.metadata(place)
    plain = all(isinstance(about.get(key), kind) for key, kind in KEPT.items())
    needed = {stores.FINISHED, "status", *map(str, about["variables"])} if plain else {""}
    if not needed <= {*about["arrays"]} or not 0 < about["chunk"] * MOST_CHUNKS >= about["runs"] > 0:
        raise SweepError("metadata-damaged", place=place)
    if about["digest"] != fingerprint(about["plan"]) or about["plan"].get("chunk") != about["chunk"]:
        raise SweepError("digest-of-another-plan", place=place)
    return about, spoilt


def _created(job: Job, where: Any) -> Store:
    """Returns a new store with all arrays of a job, without any chunk yet."""
    group = SWEEPS.group(where, layout.attributes(job))
    for each in layout.layouts(job):
        first, size, part = ("chunk", job.chunks, 1) if each.per_chunk else (layout.RUN, job.runs, job.chunk)
        own = (size, *each.sizes), (part, *each.sizes), (first, *each.dims)
        stores.add(group, each.name, *own, each.dtype, each.fill, each.attrs, each.packed)
    for name, edges in job.edges.items():
        stores.add_whole(group, f"{name}_edges", edges, ("edge", "time", job.kept[name][0]))
    if job.samples:
        times = np.arange(job.samples) * job.record_every * job.step
        stores.add_whole(group, "time", times, ("time",), {"units": "s"})
    created = Store(SWEEPS, group, None)
    created.add_marks(job.chunks)
    return created
