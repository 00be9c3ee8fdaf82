"""Samples of a simulation in an xarray Dataset, and its arrays as they were asked for."""

from __future__ import annotations

import numpy as np
import xarray as xr
from numpy.typing import NDArray


class Samples:
    """Samples of one arm, or of a batch of arms; data: an xarray Dataset with the dimensions arm, time and joint."""

    def __init__(self, data: xr.Dataset) -> None:
        self.data = data

    @property
    def time(self) -> NDArray[np.float64]:
        """Returns the samples' times [s], shape (time,)."""
        times: NDArray[np.float64] = self.data.time.values
        return times

    def _of(self, name: str) -> NDArray[np.float64]:
        """Returns a variable, without the dimension of the arms where there is a single arm."""
        values: NDArray[np.float64] = self.data[name].values
        return values[0] if self.data.attrs["single"] else values
