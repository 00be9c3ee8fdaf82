"""Runs an arm many times with drawn values, and returns the results as an xarray Dataset with plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qddot.base.errors import SweepError, shortened
from qddot.faces import swept  # noqa: F401  # gives Datasets their `sweep`
from qddot.faces.robot import Robot

if TYPE_CHECKING:
    import xarray as xr

    from qddot.motion.simulate.motion import Motion
    from qddot.motion.simulate.options import Options
    from qddot.motion.sweeps.drawn import Entry
    from qddot.motion.sweeps.draws import Draws
    from qddot.motion.sweeps.measures import Reduction


def sweep(
    arm: Robot,
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
    values, symbols: the arm's symbols and the law's gains by name; only `values` takes names that
    are also arguments, such as "draws".
    raises QddotError: a plan that cannot run (raised before it begins); chunks of runs that failed three times (raised
    when all others have ended)
    """
    from qddot.motion.simulate.motion import Motion
    from qddot.motion.simulate.options import options_of
    from qddot.motion.simulate.setup import joined_values
    from qddot.motion.sweeps.answering import answer
    from qddot.motion.sweeps.draws import Draws
    from qddot.motion.sweeps.plan import Plan

    if not isinstance(arm, Robot):
        raise SweepError(f"a sweep of {shortened(arm)}", expected="an arm, such as qddot.load returns")
    if not isinstance(motion, Motion):
        raise SweepError(f"a motion {shortened(motion)}", expected="qddot.Motion(q0, duration=10.0, …)")
    own = options_of(options)
    plan = Plan(motion, Draws.of(draws), reduce, own.record_every, own.chunk, joined_values(values, symbols))
    return answer(arm.model, plan, own)


def load_sweep(store: str | Path) -> xr.Dataset:
    """Returns the results so far in a sweep's store; unfinished runs are NaN, with the status −1.

    Runs in damaged files are NaN, too; attrs["notes"] names these files. A store of more than 256 MB is
    read when its numbers are used; damage that is found then is an error.
    raises SweepError: it is not a sweep's store
    """
    from qddot.motion.sweeps.answering import stored_results

    return stored_results(store)[0]
