"""Compares runs, joins one to the end of another, and takes samples at other times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.checked_arrays import finite
from qddot.base.checked import real
from qddot.base.errors import SimulationError, shortened
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.motion.simulate.runs.samples import ENERGY_TOLERANCE, POSITION, UNKNOWN
from qddot.motion.simulate.runs.stops import Stop

if TYPE_CHECKING:
    import xarray as xr

SAME = 1e-9  # relative difference up to which states and times count as equal
ALIKE = 1e-6  # of potential energies, relative or in J
STATES = ("q", "qd", "tau", "K", "P", "z")  # the other accounts count from the start of a run


@record()
class Difference:
    """This is the distance between two runs at the times of the first one.

    time: (time,) [s], as far as both reach; distance: the largest difference of a coordinate, (arm, time) [rad or m];
    within: the largest difference allowed; agree: for each arm the time up to which it stays within that [s]
    """

    time: NDArray[np.float64]
    distance: NDArray[np.float64]
    within: float
    agree: NDArray[np.float64]

    @property
    def worst(self) -> float:
        """Returns the largest difference of a coordinate at any time [rad or m]."""
        return float(np.nanmax(self.distance))

    def __bool__(self) -> bool:
        return bool((self.agree >= self.time[-1]).all())

    def __str__(self) -> str:
        if self:
            return str(say("runs-agree", end=f"{self.time[-1]:g}", worst=f"{self.worst:.2g}"))
        arm, within = int(self.agree.argmin()), f"{self.within:g}"
        verdict = say("runs-agree-within", within=within, end=f"{self.agree[arm]:g}", worst=f"{self.worst:.2g}")
        return str(say("of-one-arm", arm=arm, verdict=verdict) if len(self.agree) > 1 else verdict)


def difference(one: xr.Dataset, other: xr.Dataset, within: float) -> Difference:
    """Returns how far two runs of arms with the same coordinates are apart; `other` is taken at the times of `one`.

    raises SimulationError: other coordinates, another number of arms, or a distance that is not a positive number
    """
    within = real(within, "within", 0, above=True, of=say("in-rad-or-m"), error=SimulationError)
    _check_alike(one, other)
    ends = min(one.time.values[-1], other.time.values[-1])
    time = one.time.values[one.time.values <= ends * (1 + SAME)]
    same = len(other.time) >= len(time) and np.allclose(other.time.values[: len(time)], time, rtol=SAME, atol=0)
    if not same and POSITION in other:
        raise SimulationError("quaternions-at-different-times")
    q = other.q.values[:, : len(time)] if same else resampled(other, np.minimum(time, ends)).q.values
    distance = np.abs(one.q.values[:, : len(time)] - q).max(axis=2)
    return Difference(time, distance, within, horizon(time, distance, within))


def horizon(time: Any, distance: Any, within: float) -> Any:
    """Returns, for each arm, the last time before its distance exceeds `within`; distance: (arm, time)"""
    near = distance <= within
    first = np.where(near.all(1), len(time), (~near).argmax(1))
    return time[np.maximum(first - 1, 0)]


def joined(
    one: xr.Dataset, other: xr.Dataset, stops: Sequence[Stop], others: Sequence[Stop]
) -> tuple[xr.Dataset, list[Stop]]:
    """Returns the samples of one run and of another that begins where it ends, with one clock and one ledger.

    raises SimulationError: another model, or a state other than that at the end of the first
    """
    import xarray as xr

    _check_alike(one, other)
    if one.attrs["model_hash"] != other.attrs["model_hash"]:
        raise SimulationError("runs-of-two-models", one=one.attrs["model"], other=other.attrs["model"])
    for state, same in (("q", SAME), ("qd", SAME), ("P", ALIKE)):  # P also has the energy of bent bristles
        end, begin = one[state].values[:, -1], other[state].values[:, 0]
        if not np.allclose(begin, end, rtol=same, atol=same):
            differs = ~np.isclose(begin, end, rtol=same, atol=same)
            arm = int(np.flatnonzero(differs.reshape(len(differs), -1).any(1))[0])
            raise SimulationError("run-does-not-continue", state=state, arm=arm, end=end[arm], begin=begin[arm])
    shift = float(one.time.values[-1] - other.time.values[0])
    variables: dict[Any, Any] = {}
    for name, array in other.data_vars.items():
        if "time" not in array.dims:
            continue
        before = one[name] if name in one else xr.zeros_like(array).isel(time=[0]).broadcast_like(one.time)
        later = array if name in STATES else array + before.isel(time=-1, drop=True)
        # the sample where the runs meet is the second run's, whose torque acts from then on
        values = np.concatenate([before.values[:, :-1], later.values], axis=1)
        variables[name] = (array.dims, values, array.attrs)
    for name, array in one.data_vars.items():
        if "time" in array.dims and name not in other and name not in STATES:  # this account stays as it was
            rest = np.repeat(array.values[:, -1:], len(other.time), axis=1)
            variables[name] = (array.dims, np.concatenate([array.values[:, :-1], rest], axis=1), array.attrs)
    later_stops = [replace(stop, time=stop.time + shift) for stop in others]
    fixed = {name: array for name, array in other.data_vars.items() if "time" not in array.dims}
    fixed["stop_time"] = other.stop_time + shift
    notes = "\n".join(dict.fromkeys(filter(None, [*one.attrs["notes"].split("\n"), *other.attrs["notes"].split("\n")])))
    about = {"duration": one.attrs["duration"] + other.attrs["duration"], "notes": notes}
    about[ENERGY_TOLERANCE] = max(run.attrs.get(ENERGY_TOLERANCE, UNKNOWN) for run in (one, other))
    times = np.concatenate([one.time.values[:-1], other.time.values + shift])
    coords: dict[Any, Any] = {name: array for name, array in other.coords.items() if name != "time"}
    data = xr.Dataset(
        {**variables, **fixed}, {**coords, "time": ("time", times, other.time.attrs)}, other.attrs | about
    )
    return data, [*stops, *later_stops]


def resampled(data: xr.Dataset, times: Any) -> xr.Dataset:
    """Returns the samples of a run at other times within it.

    q is the cubic through q and q̇ of the two nearest samples, and q̇ is its slope; energies and accounts are cubic
    splines, torques are straight lines. Values of an arm after it has stopped are NaN.
    raises SimulationError: times that do not increase, or that are outside the run
    """
    import xarray as xr

    at, t, q, qd = _times(times, data), data.time.values, data.q.values, data.qd.values
    variables: dict[Any, Any] = {}
    for name, array in data.data_vars.items():
        if "time" not in array.dims:
            variables[name] = array
            continue
        values = np.full((array.shape[0], len(at), *array.shape[2:]), np.nan)
        for arm in range(len(values)):
            there = int(np.isfinite(q[arm]).all(1).sum())
            inside = at <= t[there - 1] * (1 + SAME)
            samples, x = slice(0, there), np.minimum(at[inside], t[there - 1])
            motion = q[arm, samples], qd[arm, samples]
            values[arm, inside] = _between(str(name), t[samples], array.values[arm, samples], motion, x)
        variables[name] = (array.dims, values, array.attrs)
    coords = {name: array for name, array in data.coords.items() if name != "time"}
    return xr.Dataset(variables, {**coords, "time": ("time", at, data.time.attrs)}, data.attrs)


def motion_between(t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
    """Returns q and q̇ at the times x: the cubic through q and q̇ of the two nearest samples, and its slope."""
    from scipy.interpolate import CubicHermiteSpline  # SciPy takes a while to load

    cubic = CubicHermiteSpline(t, q, qd)
    return cubic(x), cubic.derivative()(x)


def _between(name: str, t: Any, values: Any, motion: tuple[Any, Any], x: Any) -> Any:
    """Returns one variable at the times x; motion: q and q̇ at the samples."""
    from scipy.interpolate import CubicSpline  # SciPy takes a while to load

    if len(t) < 2:
        return np.broadcast_to(values, (len(x), *values.shape[1:]))
    if name in ("q", "qd"):
        return motion_between(t, *motion, x)[name == "qd"]
    if name == "tau":
        return np.stack([np.interp(x, t, column) for column in values.T], axis=-1)
    return CubicSpline(t, values)(x)


def _times(times: Any, data: xr.Dataset) -> Any:
    """Returns the times that a user gives as numbers, or as the step between them."""
    at, end = finite(times, "times"), float(data.time.values[-1])
    if not at.ndim and at > 0:
        at = np.arange(int(end / at * (1 + SAME)) + 1) * at
    if at.ndim != 1 or not len(at) or not (np.diff(at) > 0).all() or at[0] < 0 or at[-1] > end * (1 + SAME):
        raise SimulationError("times-outside-the-run", times=shortened(times), end=f"{end:g}")
    return at


def _check_alike(one: xr.Dataset, other: xr.Dataset) -> None:
    """Raises SimulationError unless two runs have the same coordinates and as many arms."""
    for name in ("joint", "arm"):
        mine, yours = (list(map(str, data[name].values)) for data in (one, other))
        if mine != yours:
            raise SimulationError("runs-of-different-arms", mine=shortened(mine), yours=shortened(yours))
