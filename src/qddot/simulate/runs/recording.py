"""A Recording has the samples of a simulation, with their ledger of energy and their files."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qddot import html
from qddot.checked import index, real
from qddot.errors import SimulationError, shortened
from qddot.model.model import Model
from qddot.numeric.arm import NumericArm
from qddot.simulate.runs import joined_runs, loaded_runs
from qddot.simulate.runs.joined_runs import Difference
from qddot.simulate.runs.ledger import Ledger
from qddot.simulate.runs.samples import Arrays, Samples
from qddot.simulate.runs.stops import Stop
from qddot.simulate.runs.trust import Trust, compared
from qddot.simulate.stepping.methods import METHODS
from qddot.system import files

if TYPE_CHECKING:
    import xarray as xr

LARGEST_DISTANCE = 1e300
MOST_STOPS = 5  # that are shown
FORMATS = {".nc": "NetCDF", ".csv": "CSV"}


@dataclass(frozen=True)
class Models:
    """The models of a run's arms, which differ in the values of some symbols; parameters: (N, P)."""

    model: Model
    values: Mapping[str, float]
    free: tuple[str, ...]
    parameters: Any

    def __call__(self, arm: int) -> Model:
        own = {name: float(value) for name, value in zip(self.free, self.parameters[arm], strict=True)}
        return self.model.with_values({**self.values, **own})


class Recording(Samples):
    """A recording has samples of one arm or of a batch, and what is known about them.

    stops: where and why arms stopped before the end; values after that are NaN
    """

    def __init__(
        self,
        arrays: Arrays | Callable[[], Arrays],
        stops: Sequence[Stop],
        model: Callable[[int], Model] | None = None,
        again: Callable[[], Recording] | None = None,
    ) -> None:
        super().__init__(arrays)
        self.stops = tuple(stops)
        self._model = model
        self._again = again

    def arm(self, k: int = 0) -> NumericArm:
        """Returns the numeric functions of the k-th arm, with its own values of symbols.

        raises SimulationError: a run from a file, which does not know its arms, or no such arm
        """
        if self._model is None:
            raise SimulationError("a run from a file has no arm", expected="the run that arm.simulate returned")
        count = len(self.arrays["arm"])
        return NumericArm(self._model(index(k, "arm", count, error=SimulationError)))

    @property
    def q(self) -> NDArray[np.float64]:
        """Returns the coordinates [rad or m], (time, n) for a single arm, (arm, time, n) for a batch."""
        return self._of("q")

    @property
    def qd(self) -> NDArray[np.float64]:
        """Returns the rates [rad/s or m/s], shaped as q."""
        return self._of("qd")

    @property
    def tau(self) -> NDArray[np.float64]:
        """Returns the torques of the motors [N·m or N], shaped as q."""
        return self._of("tau")

    @property
    def z(self) -> NDArray[np.float64]:
        """Returns the state that the torque law declares, (time, k) for a single arm, (arm, time, k) for a batch.

        raises SimulationError: its law declares none
        """
        if "z" not in self.arrays:
            raise SimulationError("a run without a law's state", expected="a torque law that declares z0")
        return self._of("z")

    @property
    def lower(self) -> NDArray[np.float64]:
        """Returns the lower bounds of (q, q̇) in a certified run, (time, 2 n), rounded outward.

        raises SimulationError: a run that was not certified
        """
        return self._bounds("lower")

    @property
    def upper(self) -> NDArray[np.float64]:
        """Returns the upper bounds of (q, q̇), as `lower`."""
        return self._bounds("upper")

    def _bounds(self, side: str) -> NDArray[np.float64]:
        if f"q_{side}" not in self.arrays:
            raise SimulationError("this run has no bounds", remedy="simulate with certified=True")
        return np.concatenate([self._of(f"q_{side}"), self._of(f"qd_{side}")], axis=-1)

    @property
    def complete(self) -> bool:
        """Returns whether the run came to its end without an interrupt."""
        return bool(self.arrays.attrs["complete"])

    @property
    def notes(self) -> tuple[str, ...]:
        """Returns notes about this run: a law that was not compiled, steps that did not converge."""
        return tuple(note for note in str(self.arrays.attrs["notes"]).split("\n") if note)

    @cached_property
    def energy(self) -> Ledger:
        """Returns the ledger of energy."""
        return Ledger(self.arrays)

    def trust(self, within: float = 0.01) -> Trust:
        """Returns a comparison with the same run at half the step: how far they are apart, and when they separate.

        A balance of energy is no proof of a trajectory: a chaotic arm can leave it while its energy is right.
        within: the largest difference of a coordinate [rad or m]
        raises SimulationError: a run from a file, which does not know its arm
        """
        real(within, "within", 0, LARGEST_DISTANCE, above=True, of="rad or m", error=SimulationError)
        if "q_lower" in self.arrays:
            raise SimulationError("a certified run is compared with nothing", expected="run.lower and run.upper")
        if self._again is None:
            raise SimulationError(
                "a run cannot be repeated that is from a file, was joined, resampled or sent without its law, or was "
                "driven by a law that remembers",
                expected="the run that arm.simulate returned, with a law that laws.made makes afresh",
            )
        finer = METHODS[self.arrays.attrs["method"]].finer
        return compared(self.arrays, self._again().arrays, within, finer)

    def compare(self, other: Recording, within: float = 0.01) -> Difference:
        """Returns how far another run is apart from this one, at this one's times; it is true if they agree.

        within: the largest difference of a coordinate [rad or m]
        raises SimulationError: other coordinates, or another number of arms
        """
        return joined_runs.difference(self.data, other.data, within)

    def followed_by(self, other: Recording) -> Self:
        """Returns this run and another that begins where it ends, as one run with one clock and one ledger.

        raises SimulationError: another model, or another state than that at this one's end
        """
        data, stops = joined_runs.joined(self.data, other.data, self.stops, other.stops)
        return self._with(data, stops)

    def resampled(self, times: ArrayLike) -> Self:
        """Returns the run at other times within it, rising ones, or a step between them [s].

        q is the cubic through q and q̇ of the samples beside it, q̇ its slope; torques lie on straight lines.
        raises SimulationError: times that do not rise, or beyond the run
        """
        return self._with(joined_runs.resampled(self.data, times), self.stops)

    def _with(self, data: xr.Dataset, stops: Sequence[Stop]) -> Self:
        return type(self)(Arrays.of(data), stops, self._model)

    def __getstate__(self) -> dict[str, Any]:
        # a law that cannot be pickled is left behind; all else of the run is sent
        state = {name: value for name, value in vars(self).items() if name not in ("energy", "data", "arrays")}
        state["_given"] = self.arrays
        try:
            pickle.dumps(self._again)
        except Exception:
            state["_again"] = None
        return state

    def save(self, path: str | Path) -> Path:
        """Writes NetCDF (.nc), which `Run.load` reads, or CSV (.csv) with one row per sample; returns the path.

        raises SimulationError: another suffix, or a file that cannot be written; the run stays as it is
        """
        target = checked_path(path, FORMATS)
        try:
            files.write({target: self._csv if target.suffix == ".csv" else self._netcdf})
        except OSError as error:
            raise SimulationError(
                f"{target} was not written: {error.strerror or error}",
                remedy="the run is still there: save it elsewhere",
            ) from error
        return target

    def _csv(self, file: BinaryIO) -> None:
        self.table().to_csv(file, index=False)

    def _netcdf(self, file: BinaryIO) -> None:
        from qddot.simulate.runs import netcdf

        netcdf.write(self._stored(), file)

    def _stored(self) -> xr.Dataset:
        return self.data.assign_attrs({key: int(v) if isinstance(v, bool) else v for key, v in self.data.attrs.items()})

    def table(self) -> Any:
        """Returns a pandas table with one row per sample: arm, time, then every quantity, by joint where it has one."""
        import xarray as xr

        columns: dict[str, Any] = {}
        for name, array in self.data.data_vars.items():
            if array.dims == ("arm", "time", "joint"):
                columns |= {f"{name}_{joint}": array.sel(joint=joint, drop=True) for joint in self.data.joint.values}
            elif array.dims == ("arm", "time", "law_state"):
                columns |= {f"{name}_{k}": array.isel(law_state=k) for k in range(array.sizes["law_state"])}
            elif array.dims == ("arm", "time"):
                columns[str(name)] = array
        return xr.Dataset(columns).to_dataframe().reset_index()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Returns a run that `save` wrote as NetCDF, or that `simulate` keeps in a store, complete or not.

        raises SimulationError: no such run
        """
        return cls(*loaded_runs.read(path))

    def __repr__(self) -> str:
        (arms, samples), attrs = self.arrays.shape, self.arrays.attrs
        ended = "" if self.complete else ", interrupted"
        stopped = f", {len(self.stops)} stopped early" if self.stops else ""
        return (
            f"<Run of {attrs['model']}: {arms} × {samples} samples up to {self.time[-1]:g} s, "
            f"{attrs['method']} with a step of {attrs['step']:g} s{ended}{stopped}>"
        )

    def _repr_html_(self) -> str:
        attrs, (arms, samples) = self.arrays.attrs, self.arrays.shape
        rows = [
            ["method", f"{attrs['method']}, a step of {attrs['step']:g} s"],
            ["samples", f"{samples} up to {self.time[-1]:g} s" + (f", {arms} arms" * (arms > 1))],
            [
                "coordinates",
                ", ".join(f"{q} [{unit}]" for q, unit in zip(self.arrays.joints, self.arrays.units, strict=True)),
            ],
            ["torque", str(attrs["torque"])],
            ["values", str(attrs.get("values", ""))],
            *(["stopped", str(stop)] for stop in self.stops[:MOST_STOPS]),
            ["stopped", f"{len(self.stops)} arms in all: run.stops" if len(self.stops) > MOST_STOPS else ""],
        ]
        unfinished = [] if self.complete else ["interrupted: this is what had been computed"]
        kept = "run.energy, run.trust(), run.plot(); run.q, run.qd, run.tau, run.data"
        table = html.table(("", ""), [row for row in rows if row[1]])
        return html.shown(html.lines([f"run of {attrs['model']}"]), table, html.notes([*unfinished, *self.notes, kept]))


def is_name(path: Any) -> bool:
    """Returns whether a file can have this name."""
    try:
        return b"\0" not in os.fsencode(Path(path))
    except (TypeError, ValueError):
        return False


def checked_path(path: str | Path, formats: dict[str, str]) -> Path:
    """Returns a path that can be written to, with a known suffix. raises SimulationError: any other path"""
    if not is_name(path):
        raise SimulationError(f"a path {shortened(path)}", expected="a file's name")
    target = Path(path)
    if target.suffix not in formats:
        known = ", ".join(f"{suffix} ({name})" for suffix, name in formats.items())
        raise SimulationError(f"{target}: the format {target.suffix or 'without a suffix'}", expected=known)
    folder = target.parent
    if not folder.is_dir():
        raise SimulationError(f"{target}: the folder {folder} does not exist", remedy="make it first")
    if not os.access(folder, os.W_OK) or target.is_dir():
        raise SimulationError(f"{target} cannot be written", expected="a file in a folder that can be written to")
    return target
