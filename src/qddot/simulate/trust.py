"""How far a trajectory can be believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr


@dataclass(frozen=True)
class Trust:
    """A run beside the same run at half the step.

    time: (time,) [s]; distance: the largest difference of a coordinate, (run, time) or (time,) [rad or m];
    horizon: for each arm the time up to which it stays below `within`
    """

    time: Any
    distance: Any
    within: float
    horizon: Any

    def __str__(self) -> str:
        distance, horizon = np.atleast_2d(self.distance), np.atleast_1d(self.horizon)
        last = float(np.nanmax(distance[:, -1])) if np.isfinite(distance[:, -1]).any() else float("nan")
        if (horizon >= self.time[-1]).all():
            return (
                f"half the step changes no coordinate by {self.within:g}: believe it up to the end ({last:.2g} there)"
            )
        arm = int(horizon.argmin())
        whose = f"arm {arm}: " if len(horizon) > 1 else ""
        return (
            f"{whose}believe the trajectory up to {horizon[arm]:g} s; beyond, half the step changes a coordinate by "
            f"more than {self.within:g}, and by {last:.2g} at the end, whatever the energy says"
        )


def compared(coarse: xr.Dataset, fine: xr.Dataset, within: float) -> Trust:
    """The distance of two runs at the same times."""
    times = coarse.time.values
    apart = np.abs(coarse.q.values - fine.q.values[:, : len(times)]).max(axis=2)
    beyond = ~(apart <= within) & np.isfinite(apart)
    first = np.where(beyond.any(1), beyond.argmax(1), len(times))
    horizon = np.where(first >= len(times), times[-1], times[np.maximum(first - 1, 0)])
    single = coarse.attrs["single"]
    return Trust(times, apart[0] if single else apart, within, float(horizon[0]) if single else horizon)
