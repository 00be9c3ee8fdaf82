"""Keeps the samples of a run in a folder while it lasts, as Zarr's format 3, which xarray reads.

A block is marked with the number of its samples after they are written, so that a process that is killed leaves all
samples up to that number.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex
from typing import Self

import numpy as np

from qddot.base.errors import SimulationError, flag, reason_of
from qddot.base.system import stores
from qddot.base.system.interrupts import held
from qddot.base.words.message import Message, Words, say
from qddot.motion.simulate.runs.described_samples import in_english
from qddot.motion.simulate.runs.samples import POSITION, Arrays, Variable
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.setup import Setup

LARGEST = 1 << 21  # numbers in a block
CAUSES = "stop_causes"  # the attribute with the texts that `stop_cause` refers to by number
CODES = "stop_cause"
POSITIONS = "positions"  # the attribute with the names of the entries of q, if there are more of them than joints
TEXTS = tuple(f"stop_{name}" for name in Cause._fields)
SAMPLES = "samples"  # the attribute with the number of samples of a run that has ended
IDENTITY = "identity"  # the attribute with a number drawn for this run, so that no other has the same seals
STOPS = ("stop_q", "stop_qd", CODES, "stop_time")  # the sample by which an arm is known to have stopped

RUNS = stores.Kind(
    "qddot_run",
    "run",
    "arm.simulate(…, options=qddot.Options(store=…))",
    SimulationError,
    "run.data.isel(time=…) reads the other samples",
    IDENTITY,
    along=("time",),
    part="block",
    entries="samples",
    unread=("time",),
    changing=STOPS,
)


def place_for(setup: Setup, path: str | Path | None, overwrite: bool) -> Path | None:
    """Returns the path of a run's store, None for a run that is kept in memory.

    raises SimulationError: the path exists; with overwrite=True, it exists and is not a store of a run
    """
    if path is None:
        return None
    RUNS.zarr()
    _load_reader()
    place = RUNS.place(path)
    if place.exists() or place.is_symlink():
        if not flag(overwrite, "overwrite"):
            raise SimulationError("run-store-exists", place=place)
        RUNS.metadata(place)
        RUNS.check_no_link(place)
    return place


def _load_reader() -> None:
    """Loads all of xarray, which loads Dask with its first array.

    It reads the store when the run has ended; if Ctrl-C ended the run, nobody should wait seconds for it.
    """
    import xarray as xr

    xr.Dataset({"q": ("time", [0.0])}).assign(K=("time", [0.0]))


class Writer:
    """A writer makes a store when it has the first samples, and keeps other processes from it until it is closed.

    written: the number of samples in the store
    """

    def __init__(self, place: Path, setup: Setup) -> None:
        per_sample = setup.plant.state_size + 2 * setup.plant.n + 2
        self._place, self._replaces, self._samples = place, place.exists(), setup.records
        self._block = self._most = min(setup.records, max(1, LARGEST // (setup.arms * per_sample)))
        self._store: stores.Store | None = None
        self._alone = ExitStack()
        self._causes, self._stops = [[""] * len(TEXTS)], 0
        self.written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._alone.close()

    def fit(self, samples: int, count: int) -> None:
        """Limits the blocks of a store that does not exist yet to `samples`, or to `count` if that is more.

        A whole block is written whenever one of its samples is, so that slow runs need small blocks.
        count: the number of samples of the first write
        """
        if self._store is None:
            self._block = min(self._most, max(samples, count))

    def end_of_block(self, sample: int) -> int:
        """Returns the index of the first sample after the block of another."""
        return (sample // self._block + 1) * self._block

    def write(self, arrays: Arrays) -> None:
        """Writes the next samples, and then their number; Ctrl-C is handled afterwards.

        raises SimulationError: they cannot be written
        """
        times = arrays["time"]
        try:
            with held():
                self._write(self._store or self._begun(arrays), arrays, len(times))
        except OSError as error:
            raise self._unwritten(say("samples-from", t=f"{times[0]:g}"), error) from error

    def _write(self, into: stores.Store, arrays: Arrays, count: int) -> None:
        k, offset = divmod(self.written, self._block)
        if offset:
            into.mark(k, offset, is_sealed=False)
        into.write(k, {name: each.values for name, each in _over_time(arrays).items()}, offset)
        self._write_stops(into, arrays)
        end = self.written + count
        for block in range(k, -(-end // self._block)):
            into.mark(block, min(self._block, end - block * self._block))
        self.written = end

    def finish(self, complete: bool, notes: Sequence[Words]) -> None:
        """Notes that the run has ended; Ctrl-C is handled afterwards. raises SimulationError: this cannot be written"""
        assert self._store is not None
        try:
            with held():
                self._store.keep(complete=int(complete), notes=in_english(notes), samples=self.written)
        except OSError as error:
            raise self._unwritten(say("how-the-run-ended"), error) from error

    def _unwritten(self, what: Message, error: OSError) -> SimulationError:
        return SimulationError(
            "run-not-written",
            place=self._place,
            what=what,
            reason=reason_of(error),
            remedy=say("earlier-samples-kept", count=self.written) if self.written else "",
        )

    def _begun(self, arrays: Arrays) -> stores.Store:
        """Returns the new store, in the place of one that was to be overwritten."""
        self._alone.enter_context(RUNS.new(self._place, lambda where: self._fill(where, arrays), self._replaces))
        self._store = stores.Store(RUNS, RUNS.opened(self._place, "r+"), self._place)
        return self._store

    def _fill(self, where: str, arrays: Arrays) -> None:
        """Fills a new folder with arrays that have no samples yet, and with those that do not change over time."""
        own = {"joints": arrays.joints, "joint_units": arrays.units, CAUSES: self._causes, IDENTITY: token_hex(8)}
        own |= {POSITIONS: arrays.positions} if POSITION in arrays.coords else {}
        group = RUNS.group(where, {**arrays.attrs, **own})
        for name, each in _over_time(arrays).items():
            shape, block = (
                [size if dim == "time" else count for dim, count in zip(each.dims, each.values.shape, strict=True)]
                for size in (self._samples, self._block)
            )
            stores.add(group, name, shape, block, each.dims, attrs=each.attrs)
        for name, each in arrays.variables.items():
            if "time" not in each.dims and name not in TEXTS:
                values = np.full_like(each.values, np.nan) if name in STOPS else each.values
                stores.add_whole(group, name, values, each.dims, attrs=each.attrs)
        stores.add_whole(group, CODES, np.zeros(len(arrays["arm"]), np.int16), ("arm",))
        stores.Store(RUNS, group, None).add_marks(-(-self._samples // self._block))

    def _write_stops(self, into: stores.Store, arrays: Arrays) -> None:
        """Writes where arms have stopped, if there are more of them than before; each cause is an index into a list."""
        stopped = int(np.isfinite(arrays["stop_time"]).sum())
        if stopped == self._stops:
            return
        self._stops, causes = stopped, [list(texts) for texts in zip(*(arrays[name] for name in TEXTS), strict=True)]
        self._causes += sorted(cause for cause in map(list, {*map(tuple, causes)}) if cause not in self._causes)
        stores.note(into.group, **{CAUSES: self._causes})
        for name in STOPS:
            into.set(name, [*map(self._causes.index, causes)] if name == CODES else arrays[name])


def _over_time(arrays: Arrays) -> dict[str, Variable]:
    """Returns the arrays with a sample for each time by their names, the times last."""
    own = {name: each for name, each in arrays.variables.items() if "time" in each.dims}
    return {**own, "time": arrays.coords["time"]}
