"""Trust says up to which time a trajectory is reliable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot import html
from qddot.checked import real
from qddot.errors import SimulationError
from qddot.simulate.runs.recording import Recording
from qddot.simulate.runs.samples import Arrays
from qddot.simulate.stepping.methods import METHODS

LARGEST_DISTANCE = 1e300


@dataclass(frozen=True)
class Trust:
    """This compares a run with the same run at half the step or a hundredth of the tolerance; `finer` says which.

    time: (time,) [s]; distance: the largest difference of a coordinate, (arm, time) or (time,) [rad or m];
    horizon: for each arm the time [s] up to which it stays below `within`
    """

    time: NDArray[np.float64]
    distance: NDArray[np.float64]
    within: float
    horizon: NDArray[np.float64] | float
    finer: str = "half the step"

    def __str__(self) -> str:
        distance, horizon = np.atleast_2d(self.distance), np.atleast_1d(self.horizon)
        last = _last(distance)
        arm = int(horizon.argmin())
        whose = f"arm {arm}: " if len(horizon) > 1 else ""
        if horizon[arm] >= self.time[-1]:
            worst = max(row[k] for row, k in zip(distance, last, strict=True))
            return (
                f"reliable to the end: a run with {self.finer} differs by less than {self.within:g} in every "
                f"coordinate (by {worst:.2g} at the end)"
            )
        if horizon[arm] >= self.time[last[arm]]:
            return (
                f"{whose}reliable up to {horizon[arm]:g} s, where the samples of this run, or of the run with "
                f"{self.finer} with which it is compared, end; nothing is known after that"
            )
        return (
            f"{whose}reliable up to {horizon[arm]:g} s; after that, a run with {self.finer} differs by more than "
            f"{self.within:g} in a coordinate, and by {distance[arm, last[arm]]:.2g} at the end, even if the energy is "
            "conserved"
        )

    def __repr__(self) -> str:
        return f"<trust: {self}>"

    def _repr_html_(self) -> str:
        distance, horizon = np.atleast_2d(self.distance), np.atleast_1d(self.horizon)
        rows = [
            [str(arm), f"{horizon[arm]:g} s", f"{self.time[last]:g} s", f"{distance[arm, last]:.2g}"]
            for arm, last in enumerate(_last(distance))
        ]
        titles = ("arm", f"within {self.within:g} up to", "compared up to", "distance there [rad or m]")
        return html.block(
            html.lines([f"compared with {self.finer}", str(self)]), html.table(titles, rows, "trust.horizon")
        )


def _last(distance: Any) -> Any:
    """Returns, for each arm, the last sample whose distance is known, or the first if none is."""
    finite = np.isfinite(distance)
    return np.where(finite.any(1), finite.shape[1] - 1 - finite[:, ::-1].argmax(1), 0)


def trusted(run: Recording, within: float) -> Trust:
    """Returns a comparison of a run with the same run at smaller errors, at their common times.

    within: the largest difference of a coordinate [rad or m]
    raises SimulationError: an enclosed run, which needs no comparison, or a run that cannot be repeated
    """
    real(within, "within", 0, LARGEST_DISTANCE, above=True, of="rad or m", error=SimulationError)
    coarse = run.arrays
    if "q_lower" in coarse:
        raise SimulationError(
            "an enclosed run has proven bounds and needs no comparison", remedy="see run.lower and run.upper"
        )
    if run.again is None:
        raise SimulationError(
            "a run cannot be repeated if it is from a file, was joined or resampled, was pickled without its law, or "
            "was driven by a law that remembers",
            expected="the run that arm.simulate returned, with a law that laws.made makes afresh",
        )
    return compared(coarse, run.again().arrays, within, METHODS[coarse.attrs["method"]].finer)


def compared(coarse: Arrays, fine: Arrays, within: float, finer: str) -> Trust:
    """Returns the distance of two runs at their common times."""
    count = min(len(coarse["time"]), len(fine["time"]))
    times = coarse["time"][:count]
    apart = np.abs(coarse["q"][:, :count] - fine["q"][:, :count]).max(axis=2)
    believed = apart <= within
    first = np.where(believed.all(1), count, (~believed).argmax(1))
    horizon = times[np.maximum(first - 1, 0)]
    single = coarse.attrs["single"]
    distance, until = (apart[0], float(horizon[0])) if single else (apart, horizon)
    return Trust(coarse["time"], distance, within, until, finer)
