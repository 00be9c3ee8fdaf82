"""Samples are an xarray Dataset of a simulation, and its variables as arrays."""

from __future__ import annotations

import numpy as np
import xarray as xr
from numpy.typing import NDArray


class Samples:
    """These are samples of one arm or of a batch; data: an xarray Dataset with the dimensions arm, time and joint."""

    def __init__(self, data: xr.Dataset) -> None:
        self.data = data

    @property
    def time(self) -> NDArray[np.float64]:
        """Returns the samples' times [s], shape (time,)."""
        times: NDArray[np.float64] = self.data.time.values
        return times

    def _of(self, name: str) -> NDArray[np.float64]:
        """Returns a variable, without the dimension of arms for a single arm."""
        values: NDArray[np.float64] = self.data[name].values
        return values[0] if self.data.attrs["single"] else values
