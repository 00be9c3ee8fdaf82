"""Runs one chunk of a job: draws, steps all runs at once in machine code, and returns the arrays of its answer."""

from __future__ import annotations

import platform
from concurrent.futures import CancelledError
from functools import lru_cache
from threading import Event
from typing import Any

import numpy as np

from qddot.algebra.program.recurrence import COLUMNS
from qddot.algebra.program.status import BLOWN_UP, GUARDED, STATUS, STEPS
from qddot.base.records import Named
from qddot.machine.compilers.batch import compiled
from qddot.machine.compilers.fixed_steps import FixedSteps
from qddot.machine.numeric.manifold import normalise_quaternions, on_spheres
from qddot.motion.simulate.stepping.methods import fixed_scheme
from qddot.motion.sweeps.closing import OFTEN, Closing
from qddot.motion.sweeps.job import STATUS as STATUSES
from qddot.motion.sweeps.job import Job
from qddot.motion.sweeps.quantiles import NAMES, counted

MOST_STEPS = 10_000  # steps whose rows of time are in memory at once
PIECE = 1 << 19  # steps of all runs together between checks for cancellation: fewer cost whole runs a tenth more
COMPLETE, NOT_FINITE, FIRST_BODY = range(len(STATUSES) + 1)  # the numbers of statuses in a store


class Engine:
    """An engine has the machine code of a job; threads may share it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._beginning = compiled(job.beginning)
        self._ending = compiled(job.ending) if job.variables else None
        self._velocities = compiled(job.velocities) if job.velocities else None
        self._bodies = compiled(job.bodies.program) if job.bodies else None
        self._closing = Closing(job.plant) if job.plant.closed else None
        self._stepper = FixedSteps(job.recurrence)
        self._scheme = fixed_scheme(job.method)
        runs, sizes = min(job.chunk, job.runs), (job.recurrence.state_size, job.recurrence.parameter_size)
        self._step(np.zeros((runs, sizes[0])), np.zeros((runs, sizes[1])), np.zeros((runs, COLUMNS)), 0)  # compiles

    def chunk(self, k: int, given_up: Event | None = None) -> dict[str, Any]:
        """Returns the arrays of the k-th chunk by the names of the answer's variables.

        raises CancelledError: the chunk was cancelled before its end
        """
        job = self.job
        start, stop = job.part(k)
        drawn, rows = self._drawn(start, stop)
        at_q, at_rates = job.plant.at_q, job.plant.at_rates
        parts = on_spheres(job.plant.model, rows[:, at_q]), rows[:, at_rates], rows[:, at_rates.stop :]
        q, qd, parameters = map(np.ascontiguousarray, parts)
        problems = self._problems(parameters)
        if self._closing:
            q, qd, parameters, lost = self._closing.start(q, qd, parameters)
            problems = np.where(lost & (problems == 0), self._count + 1, problems).astype(np.int16)
        impossible = problems > 0
        state, guards = self._beginning(q, qd, parameters)
        log = np.zeros((stop - start, COLUMNS))
        log[:, STATUS] = np.where((guards > 0).any(1), GUARDED + guards.argmax(1), 0) if guards.size else 0
        log[impossible | ~np.isfinite(state).all(1), STATUS] = BLOWN_UP
        records = self._step(state, parameters, log, job.steps, given_up)
        return {
            **{f"value_{label}": drawn[:, j] for j, label in enumerate(job.drawn.labels)},
            **self._ended(log, problems),
            **self._results(state, parameters, log, impossible),
            **self._samples(records, parameters, log, impossible),
        }

    def _drawn(self, start: int, stop: int) -> tuple[Any, Any]:
        """Returns the numbers drawn for some runs, (N, draws), and their (q0, q̇0, parameters)."""
        entries, points = self.job.drawn, self.job.design.points(start, stop)
        drawn = np.stack([each.values(points[:, j]) for j, each in enumerate(entries.distributions)], axis=1)
        rows = np.tile(np.array(entries.row), (stop - start, 1))
        rows[:, entries.places] = drawn
        return drawn, rows

    @property
    def _count(self) -> int:
        """Returns the number of bodies that are drawn."""
        return len(self.job.bodies.names) if self.job.bodies else 0

    def _problems(self, parameters: Any) -> Any:
        """Returns for each run 0, or k + 1 where the k-th of the bodies that are drawn is impossible."""
        if self._bodies is None:
            return np.zeros(len(parameters), np.int16)
        is_bad = ~(self._bodies(parameters) >= 0)  # also where it is no number
        return np.where(is_bad.any(axis=1), is_bad.argmax(axis=1) + 1, 0).astype(np.int16)

    def _step(self, state: Any, parameters: Any, log: Any, steps: int, given_up: Event | None = None) -> Any:
        """Steps all runs, and returns their states at the samples, (N, samples, m)."""
        job, every = self.job, self.job.record_every
        records = np.empty((len(state), job.samples if steps else 0, state.shape[1]))
        if records.shape[1]:
            records[:, 0] = state
        piece = min(MOST_STEPS, -(-PIECE // max(len(state), 1)))
        if self._closing and self._closing.renews:
            piece = min(piece, OFTEN)
        piece = every * max(1, piece // every) if every else piece
        for at in range(0, max(steps, 1), piece):
            if given_up is not None and given_up.is_set():
                raise CancelledError
            times = np.arange(at, min(at + piece, steps)) * job.step
            if self._closing and self._closing.renews and at:
                parameters = self._closing.mixed(state[:, job.plant.at_q], parameters)
            rows = self._scheme.rows(job.plant, times, job.step)
            samples = records[:, at // every + 1 :] if every else records
            self._stepper.advance(state, parameters, rows, samples, log, every or MOST_STEPS + 1)
        return records

    def _ended(self, log: Any, problems: Any) -> dict[str, Any]:
        """Returns the status of the runs, and the times at which some stopped before their end."""
        code = log[:, STATUS].astype(np.int16)
        guarded = np.where(code >= GUARDED, self.job.first_guard + code - GUARDED, COMPLETE)
        status = np.where(code == BLOWN_UP, NOT_FINITE, guarded).astype(np.int16)
        status = np.where(problems > 0, FIRST_BODY - 1 + problems, status)
        stopped = (status != 0) & (problems == 0)
        return {"status": status, "stop_time": np.where(stopped, log[:, STEPS] * self.job.step, np.nan)}

    def _results(self, state: Any, parameters: Any, log: Any, impossible: Any) -> dict[str, Any]:
        job, place, results = self.job, 0, {}
        if self._ending is None:
            return {}
        time = np.stack([log[:, STEPS] * job.step, np.full(len(log), job.step)], axis=1)
        measures = self._ending(state, time, parameters)
        measures[impossible] = np.nan
        for each in job.variables:
            values = measures[:, place : place + each.size]
            if each.kind == "first_time":
                values = np.where(values < 0, np.nan, values)
            results[each.name] = values if each.dims else values[:, 0]
            place += each.size
        return results

    def _samples(self, records: Any, parameters: Any, log: Any, impossible: Any) -> dict[str, Any]:
        """Returns q and q̇ at the samples, NaN after a run has stopped, and their counts between the edges."""
        job = self.job
        tubes: dict[str, Any] = {}
        if not job.samples:
            return {}
        q, qd = records[:, :, job.plant.at_q], records[:, :, job.plant.at_rates]
        normalise_quaternions(job.plant.model, q)
        if self._velocities is not None:
            qd = self._velocities(q, qd, q[:, :, :0], parameters[:, None])
        ended = (log[:, STATUS] != 0)[:, None]
        times = np.arange(job.samples) * job.record_every
        gone = (ended & (times > log[:, STEPS, None])) | impossible[:, None]
        states = {name: np.where(gone[:, :, None], np.nan, x) for name, x in (("q", q), ("qd", qd))}
        for name in NAMES if job.tubes else ():
            counts, ends = counted(states[name], job.edges[name])
            tubes |= {f"{name}_counts": counts[None], f"{name}_ends": ends[None]}
        return {**(states if job.whole else {}), **tubes}


@lru_cache(maxsize=4)
def _kept_engine(key: Named[Job]) -> Engine:
    return Engine(key.value)


def engine_of(job: Job) -> Engine:
    """Returns the engine of a job, the same for the same job."""
    return _kept_engine(Named(job.digest, job))


def processor() -> str:
    """Returns the kind of this machine's processor: chunks have the same bytes on processors of one kind."""
    try:
        from qddot.machine.compilers.llvm import engine
    except ModuleNotFoundError:
        return f"{platform.machine()} with NumPy"
    host = engine.processor()
    return f"{host.name} with {host.lanes} lanes"
