"""Runs an arm many times with drawn values, and returns the results as an xarray Dataset with plots.

The plots and statistics are those of the Dataset's accessor: `data.sweep.plot_histogram("q_final")` and others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xarray as xr

from qddot.base.checked import whole
from qddot.base.errors import SweepError, did_you_mean, shortened
from qddot.base.system.stores import LAYOUT
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.robot import Robot
from qddot.motion.sweeps.store import SWEEPS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from qddot.motion.simulate.motion import Motion
    from qddot.motion.simulate.options import Options
    from qddot.motion.sweeps.drawn import Entry
    from qddot.motion.sweeps.draws import Draws
    from qddot.motion.sweeps.measures import Reduction

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_BINS = 10_000


def sweep(
    arm: Robot | ClosedChain,
    motion: Motion,
    draws: int | Draws | None = None,
    reduce: str | Sequence[str | tuple[str, Reduction]] | Mapping[str, Reduction] = "final",
    *,
    options: Options | None = None,
    values: Mapping[str, Entry] | None = None,
    **symbols: Entry,
) -> xr.Dataset:
    """Returns the results of many runs of an arm, as an xarray Dataset with the dimension `run`; `.sweep` plots it.

    Each number in the motion's start, constant torque, damping and forces, each symbol, and each gain of the law may be
    a distribution: `qddot.uniform`, `log_uniform`, `normal`, `choice` or `grid`.
    motion: `qddot.Motion(q0, qd0, duration=10, step=0.01, torque=law, …)`, what moves in each run, and for how long.
    draws: how many times the numbers are drawn, or `qddot.Draws(1024, "sobol", seed=7)`, which also names the design.
    reduce: the results of each run: a name, a mapping {name: reduction} with reductions of `qddot.reductions`, or a
    list of names and pairs (name, reduction). Names are "final" (q, q̇ at the end), "end_point" (of the tool),
    "extremes" (of q, q̇), "energy" (at the start and the end, with the ledger), "whole" (q, q̇ over time), and
    "quantiles" (of q, q̇ over time, over all runs).
    options: how the sweep is computed and kept, `qddot.Options(store="sweep.zarr", threads=2, …)`. A sweep that
    was interrupted continues in its store. record_every= is for "whole" and "quantiles", which without it keep about
    100 samples of each run.
    Of a closed chain q0 has its independent coordinates and a guess of the others, and qd0 the rates of the independent
    ones: in each run the loops are closed with its own numbers. Runs whose loops stay open, or become singular, say so
    in their status.
    values, symbols: the arm's symbols and the law's gains by name; only `values` takes names that
    are also arguments, such as "draws".
    raises QddotError: a plan that cannot run (raised before it begins); chunks of runs that failed three times (raised
    when all others have ended)
    """
    from qddot.motion.simulate.motion import Motion
    from qddot.motion.simulate.options import options_of
    from qddot.motion.simulate.plant import Closed
    from qddot.motion.simulate.setup import joined_values
    from qddot.motion.sweeps.answering import answer
    from qddot.motion.sweeps.draws import Draws
    from qddot.motion.sweeps.plan import Plan

    if not isinstance(arm, Robot | ClosedChain):
        raise SweepError("sweep-of-no-arm", arm=shortened(arm))
    if not isinstance(motion, Motion):
        raise SweepError("no-motion", motion=shortened(motion))
    own = options_of(options)
    plan = Plan(motion, Draws.of(draws), reduce, own.record_every, own.chunk, joined_values(values, symbols))
    if isinstance(arm, Robot):
        return answer(arm.model, plan, own)
    return answer(arm.tree.model, plan, own, Closed(arm.model, arm.system.choice))


def load_sweep(store: str | Path) -> xr.Dataset:
    """Returns the results so far in a sweep's store; unfinished runs are NaN, with the status −1.

    Runs in damaged files are NaN, too; attrs["notes"] names these files. A store of more than 256 MB is
    read when its numbers are used; damage that is found then is an error.
    raises SweepError: it is not a sweep's store
    """
    from qddot.motion.sweeps.answering import stored_results

    return stored_results(store)[0]


@xr.register_dataset_accessor("sweep")  # type: ignore[no-untyped-call]
class Swept:
    """This accessor plots the results of a sweep's Dataset, and computes their statistics."""

    def __init__(self, data: Any) -> None:
        if data.attrs.get(SWEEPS.mark) != LAYOUT:
            raise SweepError("dataset-of-no-sweep")
        self._data: xr.Dataset = data

    def __repr__(self) -> str:
        about = self._data.attrs
        return f"<sweep of {about['plan']['model']}: {about['runs']} runs, {', '.join(about['drawn'])} drawn>"

    def plot_histogram(self, name: str, bins: int = 60, lang: str = "") -> Figure:
        """Returns a histogram of a variable over all runs, as a Matplotlib figure.

        name: of a variable with the dimension `run` and without the dimension time
        lang: "en" or "zh", by default the language in use
        raises SweepError: no such variable
        """
        from qddot.motion.sweeps import loading
        from qddot.papers.draw import spread

        whole(bins, "bins", 1, MOST_BINS, error=SweepError)
        names = [str(key) for key, x in self._data.items() if x.dims[:1] == ("run",) and "time" not in x.dims]
        if name not in names:
            raise SweepError("no-variable-of-histogram", name=shortened(name), remedy=did_you_mean(name, names))
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

    def plot_tube(self, name: str = "q", levels: Sequence[float] = LEVELS, lang: str = "") -> Figure:
        """Returns a Matplotlib figure of the quantiles over time; arguments as in `quantiles`."""
        from qddot.papers.draw import spread

        return spread.tube(self.quantiles(name, levels), lang)

    def sensitivity(self, name: str) -> xr.Dataset:
        """Returns Sobol's first-order and total indices of a variable for each drawn number, and their errors.

        raises SweepError: the design is not "saltelli", there is no such variable, or it does not vary
        """
        from qddot.motion.sweeps.sensitivity import sensitivities

        return sensitivities(self._data, name)

    def plot_sensitivity(self, name: str, lang: str = "") -> Figure:
        """Returns a Matplotlib figure of the indices with intervals of 95 %; arguments as in `sensitivity`."""
        from qddot.papers.draw import spread

        return spread.sensitivity(self.sensitivity(name), lang)
