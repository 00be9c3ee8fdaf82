"""Sweeps: an arm is run many times, with values that are drawn, and the answer is an xarray Dataset that plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.errors import SweepError, shortened
from qddot.faces import swept  # noqa: F401  # gives Datasets their `sweep`
from qddot.faces.robot import Robot

if TYPE_CHECKING:
    import xarray as xr

    from qddot.simulate.acting.forces import Given
    from qddot.simulate.laws.law import Event
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
    samples: int | None = None,
    design: str | None = None,
    seed: int = 0,
    reduce: str | Sequence[str | tuple[str, Reduction]] | Mapping[str, Reduction] = "final",
    record_every: int | None = None,
    chunk: int | None = None,
    store: str | Path | None = None,
    overwrite: bool = False,
    strict: bool = False,
    scheduler: Any = None,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
    values: Mapping[str, Entry] | None = None,
    **symbols: Entry,
) -> xr.Dataset:
    """Returns what many runs of an arm gave, as an xarray Dataset with the dimension `run`; `.sweep` plots it.

    Any number of q0, qd0, a constant torque, damping and forces, any symbol and gain of the law may be a distribution:
    `qddot.uniform`, `log_uniform`, `normal`, `choice` or `grid`. A run's draw depends on the seed and its index alone.
    torque: a list of n numbers, (times, values), or a law τ(t, q, qd, gain, …), whose gains are given as keywords.
    duration, step, method, forces, event, limits: as in `Robot.simulate`; the methods are the compiled ones.
    samples: the number of runs; of a saltelli design the rows of its base, N of N·(d + 2) runs with d drawn numbers.
    design: "random", "latin", "sobol", "saltelli" (for sensitivities) or "grid", which is meant where all are grids.
    reduce: names of what is kept of each run, "final" (q, q̇ at the end), "end_point" (of the tool), "extremes"
    (of q, q̇), "energy" (at the start and the end, with the ledger), "quantiles" (of q, q̇ over time, of all runs),
    "whole" (q, q̇ over time), and {name: reduction} with those of `qddot.reductions`.
    record_every: of "whole" and "quantiles", about 100 samples if absent. chunk: runs that are done at once.
    store: a folder, as Zarr: a sweep that was interrupted goes on there; None keeps the answer in memory.
    overwrite: whether another sweep in that folder is deleted. strict: whether a run that no body can do is an error.
    values, symbols: those of symbols of the arm and of gains, by name; a mapping takes any names, such as "step".
    scheduler: that of a Dask cluster, "tcp://host:port" or a Client; "local" starts one here. Else threads run it.
    raises QddotError: anything that cannot be run, before it is run; chunks that fail three times, after the others
    """
    from qddot.simulate.setup import joined_values
    from qddot.sweeps.answering import Course, answer
    from qddot.sweeps.plan import Plan

    if not isinstance(arm, Robot):
        raise SweepError(f"a sweep of {shortened(arm)}", expected="an arm, as qddot.load gives")
    motion = (q0, qd0, duration, step, method, torque, damping, forces, event, limits)
    plan = Plan(*motion, samples, design, seed, reduce, record_every, chunk, joined_values(values, symbols))
    return answer(arm.model, plan, Course(store, overwrite, strict, scheduler, threads, progress))


def open_sweep(store: str | Path) -> xr.Dataset:
    """Returns what a sweep's store has by now; runs that are not finished are NaN, with the status −1.

    So are those of damaged files, which attrs["notes"] names. A store of more than 256 MB is read when it is asked for
    numbers; a file whose content turns out to be damaged then is an error.
    raises SweepError: it is no store of a sweep
    """
    from qddot.sweeps.answering import kept

    return kept(store)[0]
