"""Keeps the samples of a run in a folder while it lasts, as Zarr's format 3, which xarray reads.

Samples are written in blocks, one file for each array and block. The number of complete samples is written last, so
that a process that is killed leaves all samples up to that number.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

import numpy as np

from qddot.base.errors import SimulationError, flag
from qddot.base.system import checksums, zarr_folders
from qddot.base.system.interrupts import held
from qddot.motion.simulate.runs.samples import POSITION, Arrays, Variable
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.setup import Setup

LARGEST = 1 << 21  # numbers in a block
WRITTEN = "written"  # the array with the number of complete samples
CAUSES = "stop_causes"  # the attribute with the texts that `stop_cause` refers to by number
CODES = "stop_cause"
POSITIONS = "positions"  # the attribute with the names of the entries of q, if there are more of them than joints
TEXTS = tuple(f"stop_{name}" for name in Cause._fields)
SEALS = "seals"  # the array with the seal of each block that is finished; 0 before
SAMPLES = "samples"  # the attribute with the number of samples of a run that has ended
IDENTITY = "identity"  # the attribute with a number drawn for this run, so that no other has the same seals
STOPS = ("stop_q", "stop_qd", CODES, "stop_time")  # the sample by which an arm is known to have stopped

RUNS = zarr_folders.Kind(
    "qddot_run",
    "run",
    "arm.simulate(…, options=qddot.Options(store=…))",
    SimulationError,
    "run.data.isel(time=…) reads the other samples",
    changing=(*STOPS, WRITTEN),
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
            raise SimulationError(
                f"{place} exists",
                remedy="choose another store, or set overwrite=True to delete the run that is stored there",
            )
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
        self._identity = token_hex(8)
        per_sample = setup.plant.state_size + 2 * setup.plant.n + 2
        self._place, self._replaces, self._samples = place, place.exists(), setup.records
        self._block = self._most = min(setup.records, max(1, LARGEST // (setup.arms * per_sample)))
        self._arrays: dict[str, Any] = {}
        self._group: Any = None
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
        if self._group is None:
            self._block = min(self._most, max(samples, count))

    def end_of_block(self, sample: int) -> int:
        """Returns the index of the first sample after the block of another."""
        return (sample // self._block + 1) * self._block

    def write(self, arrays: Arrays) -> None:
        """Writes the next samples, which are in one block, and then their number; Ctrl-C is handled afterwards.

        raises SimulationError: they cannot be written
        """
        with held():
            self._write(arrays)

    def _write(self, arrays: Arrays) -> None:
        times = arrays["time"]
        try:
            if self._group is None:
                self._begin(arrays)
            end = self.written + len(times)
            for name, each in _over_time(arrays).items():
                own = tuple(slice(self.written, end) if dim == "time" else slice(None) for dim in each.dims)
                self._arrays[name][own] = each.values
            self._write_stops(arrays)
            for block in range(self.written // self._block, end // self._block):
                self._seal(block)
            self._arrays[WRITTEN][0] = end
        except OSError as error:
            raise self._unwritten(f"samples from t = {times[0]:g} s on", error) from error
        self.written = end

    def finish(self, complete: bool, notes: list[str]) -> None:
        """Notes that the run has ended; Ctrl-C is handled afterwards. raises SimulationError: this cannot be written"""
        try:
            with held():
                if self.written % self._block:
                    self._seal(self.written // self._block)
                RUNS.keep(self._place, (*STOPS,))
                about = {"complete": int(complete), "notes": "\n".join(notes), SAMPLES: self.written}
                zarr_folders.note(self._group, **about)
        except OSError as error:
            raise self._unwritten("how the run ended", error) from error

    def _seal(self, block: int) -> None:
        """Seals the files of a block, which do not change any more."""
        names = [name for name in self._arrays if name not in (WRITTEN, SEALS, "time")]
        axes = {name: self._arrays[name].metadata.dimension_names for name in names}
        files = {name: self._place / block_file(name, axes[name], block) for name in names}
        self._arrays[SEALS][block] = checksums.seal(self._identity, block, files)

    def _unwritten(self, what: str, error: OSError) -> SimulationError:
        return SimulationError(
            f"{self._place}: {what} could not be written: {error.strerror or error}",
            remedy=f"the {self.written} samples before are kept: qddot.Run.load reads them" if self.written else "",
        )

    def _begin(self, arrays: Arrays) -> None:
        """Makes the store, in the place of one that was to be overwritten."""
        store = RUNS.new(self._place, lambda where: self._fill(where, arrays), self._replaces)
        self._alone.enter_context(store)
        self._group = RUNS.opened(self._place, "r+")
        names = (*_over_time(arrays), WRITTEN, SEALS)
        self._arrays = {name: zarr_folders.array(self._group, name) for name in names}

    def _fill(self, where: str, arrays: Arrays) -> None:
        """Fills a new folder with arrays that have no samples yet, and with those that do not change over time."""
        own = {RUNS.mark: 1, "joints": arrays.joints, "joint_units": arrays.units, CAUSES: self._causes}
        own |= {IDENTITY: self._identity}
        own |= {POSITIONS: arrays.positions} if POSITION in arrays.coords else {}
        group = RUNS.zarr().create_group(where, zarr_format=3, attributes={**arrays.attrs, **own})
        for name, each in _over_time(arrays).items():
            shape, block = (
                [size if dim == "time" else count for dim, count in zip(each.dims, each.values.shape, strict=True)]
                for size in (self._samples, self._block)
            )
            zarr_folders.add(group, name, shape, block, each.dims, attrs=each.attrs)
        for name, each in arrays.variables.items():
            if "time" not in each.dims and name not in TEXTS:
                shape = each.values.shape
                array = zarr_folders.add(group, name, shape, shape, each.dims, "float64", np.nan, each.attrs)
                array[...] = np.nan if name in STOPS else each.values
        arms = (len(arrays["arm"]),)
        zarr_folders.add(group, CODES, arms, arms, ("arm",), "int16", 0)[...] = 0
        zarr_folders.add(group, WRITTEN, (1,), (1,), ("count",), "int64", 0)[...] = 0
        zarr_folders.add(group, SEALS, (-(-self._samples // self._block),), (1,), ("block",), "int64", 0)

    def _write_stops(self, arrays: Arrays) -> None:
        """Writes where arms have stopped, if there are more of them than before; each cause is an index into a list."""
        stopped = int(np.isfinite(arrays["stop_time"]).sum())
        if stopped == self._stops:
            return
        self._stops, causes = stopped, [list(texts) for texts in zip(*(arrays[name] for name in TEXTS), strict=True)]
        self._causes += sorted(cause for cause in map(list, {*map(tuple, causes)}) if cause not in self._causes)
        zarr_folders.note(self._group, **{CAUSES: self._causes})
        for name in STOPS:
            array = zarr_folders.array(self._group, name)
            array[...] = [*map(self._causes.index, causes)] if name == CODES else arrays[name]


def block_file(name: str, dims: Sequence[str], block: int) -> str:
    """Returns the file of a block of samples, or the only file of an array without the dimension of time."""
    return checksums.chunk_file(name, [block if dim == "time" else 0 for dim in dims])


def _over_time(arrays: Arrays) -> dict[str, Variable]:
    """Returns the arrays with a sample for each time by their names, the times last."""
    own = {name: each for name, each in arrays.variables.items() if "time" in each.dims}
    return {**own, "time": arrays.coords["time"]}
