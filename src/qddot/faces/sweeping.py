"""Runs an arm many times with values that are drawn, and returns the results as an xarray Dataset with plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.errors import SweepError, shortened
from qddot.faces import swept  # noqa: F401  # gives Datasets their `sweep`
from qddot.faces.robot import Robot

if TYPE_CHECKING:
    import xarray as xr

    from qddot.simulate.acting.forces import Given
    from qddot.simulate.laws.law import Event
    from qddot.simulate.options import Options
    from qddot.sweeps.drawn import Entry
    from qddot.sweeps.measures import Reduction


def sweep(
    arm: Robot,
    q0: Sequence[Entry],
    qd0: Sequence[Entry] | None = None,
    *,
    duration: float = 10.0,
    step: float = 1e-3,
    method: str = "rk4",
    torque: Any = None,
    damping: float | Sequence[Entry] | None = None,
    forces: Given | Sequence[Given] | None = None,
    event: Event | None = None,
    limits: bool = True,
    draws: int | None = None,
    design: str | None = None,
    seed: int = 0,
    reduce: str | Sequence[str | tuple[str, Reduction]] | Mapping[str, Reduction] = "final",
    chunk: int | None = None,
    strict: bool = False,
    options: Options | None = None,
    values: Mapping[str, Entry] | None = None,
    **symbols: Entry,
) -> xr.Dataset:
    """Returns the results of many runs of an arm, as an xarray Dataset with the dimension `run`; `.sweep` plots it.

    Any number of q0, qd0, a constant torque, damping and forces, any symbol and gain of the law may be a distribution:
    `qddot.uniform`, `log_uniform`, `normal`, `choice` or `grid`. A run's draw depends on the seed and its index alone.
    torque: a list of n numbers, (times, values), or a law τ(t, q, qd, gain, …), whose gains are given as keywords.
    duration, step, method, forces, event, limits: as in `Robot.simulate`; the methods are the compiled ones.
    draws: how many times the numbers are drawn, once for each run; in a saltelli design N draws of d numbers make
    N·(d + 2) runs. design: "random", "latin", "sobol", "saltelli" (for sensitivities) or "grid", the default if all
    drawn numbers are grids.
    reduce: names of the results of each run, "final" (q, q̇ at the end), "end_point" (of the tool), "extremes"
    (of q, q̇), "energy" (at the start and the end, with the ledger), "quantiles" (of q, q̇ over time, of all runs),
    "whole" (q, q̇ over time), and {name: reduction} with those of `qddot.reductions`.
    chunk: how many runs are done at once, and lie in one file of a store.
    strict: whether a physically impossible draw (of masses or inertias) is an error; otherwise it is left out.
    options: how the sweep is computed and kept, `qddot.Options(store="sweep.zarr", threads=2, …)`. A sweep that
    was interrupted goes on in its store. every= is for "whole" and "quantiles", which keep some 100 samples without it.
    values, symbols: the arm's symbols and the law's gains by name; the mapping takes any names, such as "step".
    raises QddotError: a plan that cannot run, before it begins; chunks that fail three times, after all others
    """
    from qddot.simulate.options import options_of
    from qddot.simulate.setup import joined_values
    from qddot.sweeps.answering import answer
    from qddot.sweeps.plan import Plan

    if not isinstance(arm, Robot):
        raise SweepError(f"a sweep of {shortened(arm)}", expected="an arm, as qddot.load gives")
    motion = (q0, qd0, duration, step, method, torque, damping, forces, event, limits)
    own = options_of(options)
    plan = Plan(*motion, draws, design, seed, reduce, own.every, chunk, joined_values(values, symbols))
    return answer(arm.model, plan, own, strict)


def load_sweep(store: str | Path) -> xr.Dataset:
    """Returns the results that a sweep's store has by now; unfinished runs are NaN, with the status −1.

    So are runs in damaged files, which attrs["notes"] names. A store of more than 256 MB is read when its numbers are
    used; a file that turns out to be damaged then is an error.
    raises SweepError: it is no store of a sweep
    """
    from qddot.sweeps.answering import kept

    return kept(store)[0]
