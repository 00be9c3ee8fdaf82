"""Runs SciPy's DOP853 over compiled rates: for torque laws that are called from Python, or without llvmlite.

Source: Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, 1993, §II.10.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from qddot.algebra.program.rates import PARTS, allowed_defect
from qddot.base.errors import SimulationError
from qddot.base.words.message import say
from qddot.machine.compilers import integrators
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping import events
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.machine import Machine
from qddot.motion.simulate.stepping.methods import ANY, LEAST_ABSOLUTE, for_any_function
from qddot.motion.simulate.stepping.solver import PIECE, Solver

MOST_CALLS, PART = 500_000, 0.02  # evaluations in which an arm has to advance by this fraction of the run
HURRIED_CALLS = 5_000  # the same in a comparison
BISECTIONS = 60


def takes(setup: Setup) -> bool:
    """Returns whether SciPy integrates a run. raises SimulationError: neither SciPy nor compiled code can"""
    plant, called = setup.plant, setup.plant.drive.in_stages
    if not called and integrators.are_there():
        return False
    why = say("with-a-called-law", why=called.why) if called else say("without-llvmlite")
    if not setup.method.calls:
        raise SimulationError("method-cannot-run", method=setup.method, why=why, expected=for_any_function())
    if plant.closed:
        raise SimulationError("chain-with-method", method=setup.method, why=why, usual=ANY)
    if plant.discrete_size:
        what = say("some-payloads") if plant.carried else say("a-sampled-law")
        raise SimulationError("discrete-with-method", what=what, method=setup.method, why=why, usual=ANY)
    return True


class ScipySolver(Solver):
    """This is SciPy's DOP853: it integrates one arm after the other, each with its own steps.

    After an interrupt the samples of the arm that got furthest remain; the others stop where they are.
    """

    def prepare(self) -> None:
        self.records = self.setup.beginning[:, None]
        self.times, self._done, self._share = np.zeros(1), 0, 0.0
        self._arms: dict[int, _Arm] = {}

    @property
    def complete(self) -> bool:
        """Returns whether the run is at its end."""
        return self.sample == self.setup.records - 1 and self._done == self.setup.arms

    def make_room(self, sample: int) -> None:
        self.leave_empty(sample)
        self._done = 0

    @property
    def done(self) -> float:
        samples = (self._done + self._share) / self.setup.arms * (len(self.times) - 1)
        return (self.sample + samples) / max(1, self.setup.records - 1)

    def advance(self, until: int) -> Iterator[None]:
        stopped = {stop.arm for stop in self.stops}
        for arm in range(self.setup.arms):
            if arm not in stopped:
                yield from self._one(arm)
            self._done, self._share = arm + 1, 0.0
            yield

    def reached(self) -> Any:
        return self.records if self._done == self.setup.arms else self.furthest()

    def _one(self, arm: int) -> Iterator[None]:
        """Advances one arm to the last sample or to its stop; yields after each piece of computing."""
        moving = self._arms.get(arm) or self._arms.setdefault(arm, _Arm(self.setup, self.kernels, self.calls, arm))
        times, start = self.times, perf_counter()
        for k in range(1, len(times)):
            while moving.t < times[k] and moving.cause is None:
                moving.step()
                if perf_counter() - start > PIECE:
                    self._share, start = (k - 1) / (len(times) - 1), perf_counter()
                    yield
            if moving.t < times[k]:
                break
            self.records[arm, k] = moving.at(times[k])
        if moving.cause and moving.t <= times[-1]:
            self.stop(arm, moving.t, moving.cause, moving.at(moving.t))


class _Arm:
    """This is one arm during its integration.

    t: the time that it has reached [s]; cause: why it stopped, None while it moves
    """

    def __init__(self, setup: Setup, kernels: Machine, calls: LawCalls, arm: int) -> None:
        from scipy.integrate import DOP853  # which takes a second to load

        self._plant, self._kernels, self._calls, self._arm = setup.plant, kernels, calls, arm
        self._method = setup.method.name
        self._parameters, self._guarded = setup.parameters[arm].copy(), bool(events.guards(setup.plant))
        start, self._length = setup.beginning[arm], setup.step * setup.steps
        self._most_calls = HURRIED_CALLS if setup.hurried else MOST_CALLS
        self._spacing, self._watched = setup.step * setup.record_every, setup.plant.watched
        self.t, self._state, self._looked = 0.0, start, (0, 0.0)
        self._dense: Any = None
        finite = np.isfinite(self._rates(0.0, start)).all()
        self.cause = None if finite else Cause("unbounded")
        tolerance = setup.tolerance
        assert tolerance
        self._allowed = allowed_defect(tolerance.relative)
        if finite:
            error = {"rtol": tolerance.relative, "atol": max(tolerance.absolute, LEAST_ABSOLUTE)}
            with np.errstate(all="ignore"):
                self._solver = DOP853(self._rates, 0.0, start, self._length, **error)

    def step(self) -> None:
        """Takes a step, and ends it where a guard rises above zero; a step that jumped over a pulse is taken back."""
        solver, self._dense = self._solver, None
        before, looked = (solver.t, solver.y, solver.f), self.t
        with np.errstate(all="ignore"):
            problem = solver.step()
        if problem:
            self.cause = self._stuck
            return
        self.t, self._state = float(solver.t), solver.y
        for point in self._points(looked, self.t):
            if self._watched and point < self.t and not self._defect(before[1], point) <= self._allowed:
                self._take_back(before, point)
                break
            if self._guarded and self._risen(point) is not None:
                self.t, guard = self._located(looked, point)
                self.cause = events.guards(self._plant)[guard]
                return
            looked = point
        if solver.nfev - self._looked[0] > self._most_calls:
            gained = self.t - self._looked[1]
            self.cause = self._stuck if gained < PART * self._length else None
            self._looked = solver.nfev, self.t

    def _points(self, start: float, end: float) -> list[float]:
        """Returns the times in a step at which it is looked at: samples, the ends of its parts, and its own end."""
        if not (self._watched or self._guarded):
            return []
        parts = [start + (end - start) * k / PARTS for k in range(1, PARTS)]
        samples = self._spacing * np.arange(math.floor(start / self._spacing) + 1, math.ceil(end / self._spacing))
        return [*(float(t) for t in np.unique([*parts, *samples]) if start < t < end), end]

    def _defect(self, start: Any, t: float) -> float:
        """Returns how far the dense output's rate is from the rates of its state, relative to the tolerance.

        start: the state at the beginning of the step; the rate is the derivative of SciPy's polynomial, with F as there
        """
        x, dense = self.at(t), self._dense
        share = (t - dense.t_old) / dense.h
        total, slope = np.zeros_like(x), np.zeros_like(x)
        for k, term in enumerate(reversed(dense.F)):
            total = total + term
            slope = slope * (1 - share) - total if k % 2 else slope * share + total
            total = total * (1 - share if k % 2 else share)
        scale = self._solver.atol + self._solver.rtol * np.maximum(np.abs(start), np.abs(self._solver.y))
        with np.errstate(all="ignore"):
            return float(np.sqrt(np.mean(((dense.h * self._rates(t, x) - slope) / scale) ** 2)))

    def _take_back(self, before: tuple[float, Any, Any], point: float) -> None:
        """Returns to the beginning of a step; the next one ends about where the defect of this one was too large."""
        solver, length = self._solver, self.t - before[0]
        solver.t, solver.y, solver.f = before
        solver.h_abs = length * min(0.5, max(0.2, (point - before[0]) / length))
        solver.status, self._dense = "running", None
        self.t, self._state = float(solver.t), solver.y

    @property
    def _stuck(self) -> Cause:
        """Returns the cause of a stop by steps that are too short."""
        return Cause("friction" if self._plant.dry_joints else "stuck", detail=self._method)

    def at(self, t: float) -> Any:
        """Returns the state at a time within the last step."""
        if self._dense is None and t == self.t:
            return self._state
        if self._dense is None:
            self._dense = self._solver.dense_output()
        return self._dense(t)

    def _rates(self, t: float, x: Any) -> Any:
        """Returns d/dt of the state; the torque of a law that is called goes to the parameters."""
        plant, at = self._plant, np.array(t)
        if plant.drive.in_stages:
            torque = self._calls.of(self._arm, t, x[plant.at_q], x[plant.at_rates], x[plant.memory_places])
            self._parameters[plant.torque_places] = torque
        return self._kernels.slopes(x, np.array([t, *plant.columns(at, at, 0.0)]), self._parameters)

    def _risen(self, t: float) -> int | None:
        """Returns the first guard that is above zero at a time, or None."""
        x, plant = self.at(t), self._plant
        motion = x[plant.at_q], x[plant.at_rates]
        above = np.flatnonzero(self._kernels.guards(np.array([t]), *motion, self._parameters) > 0)
        return int(above[0]) if len(above) else None

    def _located(self, low: float, high: float) -> tuple[float, int]:
        """Returns the first time between two at which a guard rises above zero, and which guard it is."""
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._risen(middle) is None else (low, middle)
        guard = self._risen(high)
        assert guard is not None
        return high, guard
