"""Swept adds plots and statistics to the Datasets of sweeps: `data.sweep.plot_histogram("q_final")` and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import xarray as xr

from qddot.base.checked import whole
from qddot.base.errors import SweepError, did_you_mean, shortened
from qddot.base.system.stores import LAYOUT
from qddot.motion.sweeps.store import SWEEPS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_BINS = 10_000


@xr.register_dataset_accessor("sweep")  # type: ignore[no-untyped-call]
class Swept:
    """This accessor plots the results of a sweep's Dataset, and computes their statistics."""

    def __init__(self, data: Any) -> None:
        if data.attrs.get(SWEEPS.mark) != LAYOUT:
            raise SweepError("a Dataset of something else", expected="what qddot.sweep or qddot.load_sweep returned")
        self._data: xr.Dataset = data

    def __repr__(self) -> str:
        about = self._data.attrs
        return f"<sweep of {about['plan']['model']}: {about['runs']} runs, {', '.join(about['drawn'])} drawn>"

    def plot_histogram(self, name: str, bins: int = 60, lang: str = "en") -> Figure:
        """Returns a histogram of a variable over all runs, as a Matplotlib figure.

        name: of a variable with the dimension `run` and without the dimension time; lang: "en" or "zh"
        raises SweepError: no such variable
        """
        from qddot.motion.sweeps import loading
        from qddot.papers.draw import spread

        whole(bins, "bins", 1, MOST_BINS, error=SweepError)
        names = [str(key) for key, x in self._data.items() if x.dims[:1] == ("run",) and "time" not in x.dims]
        if name not in names:
            raise SweepError(f"no variable {shortened(name)} for a histogram", remedy=did_you_mean(name, names))
        loading.values(self._data[name])
        return spread.histogram(self._data[name], bins, lang)

    def quantiles(self, name: str = "q", levels: Sequence[float] = LEVELS) -> xr.DataArray:
        """Returns quantiles of q or qd over time, over all runs, (quantile, time, joint or position).

        With reduce="whole" they are exact. With "quantiles" runs are counted between 255 fixed values, quantiles of the
        first runs; each quantile is interpolated between the two that enclose it, and attrs["within"] bounds
        their distance.
        levels: increasing numbers from 0 to 1
        raises SweepError: a sweep that kept neither
        """
        from qddot.motion.sweeps.quantiles import quantiles

        return quantiles(self._data, name, levels)

    def plot_tube(self, name: str = "q", levels: Sequence[float] = LEVELS, lang: str = "en") -> Figure:
        """Returns a Matplotlib figure of the quantiles over time; arguments as in `quantiles`."""
        from qddot.papers.draw import spread

        return spread.tube(self.quantiles(name, levels), lang)

    def sensitivity(self, name: str) -> xr.Dataset:
        """Returns Sobol's first-order and total indices of a variable for each drawn number, and their errors.

        raises SweepError: the design is not "saltelli", there is no such variable, or it does not vary
        """
        from qddot.motion.sweeps.sensitivity import sensitivities

        return sensitivities(self._data, name)

    def plot_sensitivity(self, name: str, lang: str = "en") -> Figure:
        """Returns a Matplotlib figure of the indices with intervals of 95 %; arguments as in `sensitivity`."""
        from qddot.papers.draw import spread

        return spread.sensitivity(self.sensitivity(name), lang)
