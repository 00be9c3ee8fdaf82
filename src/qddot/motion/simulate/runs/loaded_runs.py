"""Reads runs from NetCDF and from stores, and checks everything in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.base.errors import SimulationError, shortened, visible
from qddot.base.records import record
from qddot.base.system import stores
from qddot.base.words.message import Listed, say
from qddot.motion.simulate.runs import capacity
from qddot.motion.simulate.runs.described_samples import in_english
from qddot.motion.simulate.runs.recording import Recording
from qddot.motion.simulate.runs.run_store import CAUSES, CODES, IDENTITY, POSITIONS, RUNS, SAMPLES, TEXTS
from qddot.motion.simulate.runs.samples import POSITION, Arrays, Variable
from qddot.motion.simulate.runs.stops import REASONS, Cause, Stop

if TYPE_CHECKING:
    import xarray as xr

NEEDED = ("arm", "time", "joint", "q", "qd", "tau", "K", "P")  # the variables that a run must have
TOLD = ("model", "method", "step", "record_every", "complete", "single", "notes", "torque")  # the attributes


def read(path: str | Path) -> Recording:
    """Returns a run that was saved or is in a store; its samples are read at their first use.

    raises SimulationError: there is no run at the path
    """
    try:
        arrays = stored(Path(path)) if Path(path).is_dir() else _from_file(path)
        missing = [name for name in NEEDED if name not in arrays and name not in arrays.coords]
        missing += [name for name in TOLD if name not in arrays.attrs]
        if missing:
            raise ValueError(say("run-lacks", name=missing[0]))
        columns = (arrays[name] for name in ("stop_time", "stop_q", "stop_qd", *TEXTS))
        stops = [
            Stop(k, float(time), Cause(*map(str, texts)), np.array(q), np.array(qd))
            for k, (time, q, qd, *texts) in enumerate(zip(*columns, strict=True))
            if np.isfinite(time)
        ]
        unknown = [stop.kind for stop in stops if stop.kind not in REASONS]
        if unknown:
            raise ValueError(say("unknown-stop", kind=shortened(unknown[0])))
    except (OSError, ValueError, KeyError, AttributeError, TypeError, IndexError) as error:
        raise SimulationError(
            "not-a-run", path=shortened(path), problem=visible(str(error))[:200], names=Listed(NEEDED)
        ) from error
    return Recording(arrays, tuple(stops))


def _from_file(path: str | Path) -> Arrays:
    import xarray as xr

    if Path(path).exists() and not Path(path).is_file():
        raise ValueError(say("no-ordinary-file"))
    with xr.open_dataset(path, engine="h5netcdf") as data:
        return Arrays.of(_read_safely(data.load()))


def stored(place: Path, in_full: bool | None = None) -> Opened:
    """Returns the contents of a run's store so far. Damaged samples are NaN, and named in the notes.

    in_full: whether the content of files is checked, or only their size; None checks the content of small stores
    raises SimulationError: it is not the store of a run, or its metadata are damaged
    """
    import xarray as xr

    about, spoilt = RUNS.metadata(place)
    for name, why in spoilt.items():
        raise SimulationError("run-file-damaged", file=place / name / stores.ABOUT, why=why)
    kept = stores.Store(RUNS, RUNS.opened(place, "r"), place)
    samples, size = kept.group["q"].shape[1], kept.group["q"].chunks[1]
    count = int(about.get(SAMPLES) or _written(kept, samples, size))
    if not 0 < count <= samples:
        raise ValueError(say("samples-of-many", count=count, samples=samples))
    blocks = {k: range(k * size, min((k + 1) * size, count)) for k in range(-(-count // size))}
    kept.survey(blocks, in_full, is_open=SAMPLES not in about)
    notes = [say("note-of-lost-samples", why=why) for why in (*kept.lost.values(), kept.damage()) if why]
    # attributes in a store do not say how its numbers are read
    unread = ["time", stores.FINISHED]
    data = xr.open_zarr(kept.group.store, chunks=None, consolidated=False, decode_cf=False, drop_variables=unread)
    capacity.check_reading(8 * data.sizes["arm"], say("list-of-arms"))
    causes = [tuple(map(str, cause)) for cause in about[CAUSES]]
    columns = zip(*(causes[code] for code in data[CODES].values), strict=True)
    texts = {name: ("arm", np.array(column, dtype=object)) for name, column in zip(TEXTS, columns, strict=True)}
    data = data.isel(time=slice(0, count)).drop_vars(CODES).assign(texts)
    data = data.assign_coords(
        arm=np.arange(data.sizes["arm"]), joint=about["joints"], unit=("joint", about["joint_units"])
    )
    if POSITIONS in about:
        data = data.assign_coords({POSITION: about[POSITIONS]})
    hidden = (RUNS.mark, "joints", "joint_units", POSITIONS, CAUSES, IDENTITY, SAMPLES, *stores.OWN)
    data.attrs = {name: value for name, value in data.attrs.items() if name not in hidden}
    data.attrs["notes"] = in_english([*filter(None, [data.attrs["notes"]]), *notes])
    return Opened.of_parts(_read_safely(data), partial(_times, int(about["record_every"]), float(about["step"]), count))


def _written(kept: stores.Store, samples: int, size: int) -> int:
    """Returns how many samples a run has that did not end, of `samples` in blocks of `size`."""
    marked = kept.marked(-(-samples // size))
    if not marked:
        raise ValueError(say("no-samples-yet"))
    try:
        return int(marked[-1] * size + kept.group.store.numbers(stores.mark_of(marked[-1]))[0])
    except OSError:  # a damaged mark, which will be named
        return min((marked[-1] + 1) * size, samples)


def _times(record_every: int, step: float, count: int) -> Variable:
    capacity.check_reading(8 * count, "time")
    return Variable(("time",), np.arange(count) * record_every * step, {"units": "s"})


class _Asked(Mapping[str, Variable]):
    """These variables are read at their first use."""

    def __init__(self, readers: Mapping[str, Callable[[], Variable]]) -> None:
        self._readers = readers

    def __getitem__(self, name: str) -> Variable:
        return self._readers[name]()

    def __contains__(self, name: object) -> bool:
        return name in self._readers

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


@record(eq=False)
class Opened(Arrays):
    """These arrays are on a disk and are read at their first use; `data` has all of them but the times."""

    data: Any = None

    @classmethod
    def of_parts(cls, data: xr.Dataset, times: Callable[[], Variable]) -> Opened:
        """Returns the arrays of a Dataset, and its times."""
        variables, coords = (
            _Asked({str(name): partial(_variable, each) for name, each in part.items()})
            for part in (data.data_vars, data.coords)
        )
        own = {"arm": coords._readers["arm"], "time": times, **coords._readers}
        return cls(variables, _Asked(own), {str(name): value for name, value in data.attrs.items()}, data)

    def dataset(self) -> xr.Dataset:
        """Returns a Dataset that reads each part at its first use."""
        times = self.coords["time"]
        data: xr.Dataset = self.data.assign_coords(time=(times.dims, times.values, dict(times.attrs)))
        return data

    def __reduce__(self) -> Any:
        # a copy in another process has the samples: the folder may not be there
        return Arrays, (dict(self.variables), dict(self.coords), self.attrs)


def _variable(array: xr.DataArray) -> Variable:
    capacity.check_reading(array.nbytes, str(array.name))
    return Variable(tuple(map(str, array.dims)), array.values, dict(array.attrs))


def _read_safely(data: xr.Dataset) -> xr.Dataset:
    """Returns a dataset from a file, without control characters in its texts.

    raises ValueError: joints with names that no coordinate can have
    """
    for name in (*data.joint.values, *(data[POSITION].values if POSITION in data else ())):
        if not str(name).isidentifier():
            raise ValueError(say("odd-joint", name=shortened(str(name))))
    for about in (data.attrs, *(array.attrs for array in data.variables.values())):
        for key, text in about.items():
            if isinstance(text, str):
                about[key] = "\n".join(map(visible, text.split("\n"))) if key == "notes" else visible(text)
    columns = {name: np.array([visible(str(text)) for text in data[name].values], dtype=object) for name in TEXTS}
    return data.assign({name: ("arm", texts, data[name].attrs) for name, texts in columns.items()})
