"""Runs SciPy's solvers over compiled right-hand sides and Jacobians: for laws that are called, or without llvmlite.

Sources: Hairer, Nørsett & Wanner 1993, §II.10 (DOP853); Hairer & Wanner, *Solving Ordinary Differential
Equations II*, 1996, §IV.8 (Radau IIA of order five).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from qddot.compilers import integrators
from qddot.errors import SimulationError
from qddot.simulate.runs.stops import Cause, Stop
from qddot.simulate.setup import Setup
from qddot.simulate.stepping import events
from qddot.simulate.stepping.calling import Calls
from qddot.simulate.stepping.machine import Machine
from qddot.simulate.stepping.methods import METHODS
from qddot.simulate.stepping.solver import Progress, Solver

PIECES = 50  # of a run, with one call of the solver each
MOST_CALLS = 500_000  # evaluations for one piece
ALMOST_ZERO = 1e-300
LEAST_ABSOLUTE = 1e-15
UNBOUNDED = Cause("unbounded")


def takes(setup: Setup) -> bool:
    """Returns whether SciPy integrates a run. raises SimulationError: it has payloads or a sampled law"""
    plant = setup.plant
    called = plant.drive.in_stages
    if not METHODS[setup.method].scipys or (not called and integrators.are_there()):
        return False
    if plant.kept_size:
        what = "payloads" if plant.carried else "a sampled law"
        why = f"a law that is called: {called.why}" if called else "without llvmlite, which is not installed"
        raise SimulationError(f"{what} with {setup.method} and {why}", expected='method="rk4"')
    return True


class ScipySolver(Solver):
    """These are SciPy's solvers: one arm is integrated after the other, each in pieces.

    An interrupt loses at most one piece. It leaves the samples of the arm that got furthest; the others stop where they
    are.
    """

    def __init__(
        self, setup: Setup, kernels: Machine, calls: Calls, threads: int | None = None, progress: Progress | None = None
    ) -> None:
        super().__init__(setup, kernels, calls, threads, progress)
        self.records = setup.beginning[:, None]
        self.times, self._done, self._pieces = np.zeros(1), 0, 0.0

    @property
    def complete(self) -> bool:
        """Returns whether the run is at its end."""
        return self.sample == self.setup.records - 1 and self._done == self.setup.arms

    def make_room(self, sample: int) -> None:
        last, self._done = self.records[:, -1], 0
        self.times = self.setup.times_from(self.sample, sample - self.sample + 1)
        self.records = np.full((self.setup.arms, len(self.times), self.plant.state_size), np.nan)
        self.records[:, 0] = last

    @property
    def done(self) -> float:
        samples = (self._done + self._pieces) / self.setup.arms * (len(self.times) - 1)
        return (self.sample + samples) / max(1, self.setup.records - 1)

    def advance(self, until: int) -> Iterator[None]:
        stopped = {stop.arm for stop in self.stops}
        for arm in range(self.setup.arms):
            if arm not in stopped:
                yield from self._one(arm)
            self._done, self._pieces = arm + 1, 0.0
            yield

    def reached(self) -> Any:
        if self._done == self.setup.arms:
            return self.records
        there = np.isfinite(self.records).all(2).sum(1)
        stopped = {stop.arm for stop in self.stops}
        for arm in range(self._done, self.setup.arms):
            if there[arm] < there.max() and arm not in stopped:
                self._stop(arm, there[arm] - 1, Cause("interrupted"))
        return self.records[:, : there.max()]

    def _stop(self, arm: int, sample: int, cause: Cause) -> None:
        """Notes that an arm stops at a sample."""
        state = _parted(self.records[arm, sample], self.plant.n)
        self.stops.append(Stop(arm, float(self.times[sample]), cause, *state))

    def _one(self, arm: int) -> Iterator[None]:
        """Integrates one arm in pieces, after each of which it yields, and notes where it stops."""
        plant, n, times, record = self.plant, self.plant.n, self.times, self.records[arm]
        right = _Slopes(self.setup, self.kernels, self.calls, arm)
        pieces = np.unique(np.linspace(0, len(times) - 1, PIECES + 1).astype(int))
        for first, last in pairwise(pieces):
            right.calls = 0
            if not np.isfinite(right(times[first], record[first])).all():
                return self._stop(arm, first, UNBOUNDED)
            try:
                solution = _solved(self.setup, self.kernels, right, times[first : last + 1], record[first])
            except _NoHeadwayError:
                return self._stop(arm, first, Cause("no headway"))
            except ValueError:
                # SciPy's linear algebra raises for numbers that are not finite
                return self._stop(arm, first, UNBOUNDED)
            states = np.reshape(solution.y, (plant.state_size, -1)).T
            finite = int(np.isfinite(states).all(1).cumprod().sum())
            record[first + 1 : first + finite] = states[1:finite]
            if solution.status == 1:
                k = next(k for k, at in enumerate(solution.t_events) if len(at))
                state = _parted(solution.y_events[k][0], n)
                self.stops.append(Stop(arm, float(solution.t_events[k][0]), events.guards(plant)[k], *state))
                return None
            if solution.status < 0 or finite < len(states):
                cause = Cause("gave up", detail=solution.message) if finite == len(states) else UNBOUNDED
                return self._stop(arm, first + max(0, finite - 1), cause)
            beyond = right.beyond(solution.t, states)
            if beyond is not None:
                record[first + beyond[0] + 1 : last + 1] = np.nan
                return self._stop(arm, first + beyond[0], events.guards(plant)[beyond[1]])
            self._pieces = float(last) / (len(times) - 1)
            yield
        return None


def _parted(x: Any, n: int) -> tuple[Any, Any]:
    return x[:n].copy(), x[n : 2 * n].copy()


class _NoHeadwayError(Exception):
    """The solver takes so many evaluations for one piece that it would never end."""


class _Slopes:
    """This is the right-hand side of one arm, for SciPy."""

    def __init__(self, setup: Setup, kernels: Any, calls: Any, arm: int) -> None:
        self._drive, self._made, self._n = setup.plant.drive, kernels, setup.plant.n
        self._calls, self._arm = calls, arm
        self._memory, self._columns = setup.plant.memory_places, setup.plant.columns
        self._places, self._guarded = setup.plant.torque_places, bool(events.guards(setup.plant))
        self.parameters = setup.parameters[arm].copy()
        self.calls = 0

    def __call__(self, t: float, x: Any) -> Any:
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise _NoHeadwayError
        return self._made.slopes(x, self.row(t, x), self.parameters)

    def jacobian(self, t: float, x: Any) -> Any:
        return self._made.jacobian(x, self.row(t, x), self.parameters)

    def row(self, t: float, x: Any) -> Any:
        """Returns t and the torque's samples; the torque of a called law goes to the parameters."""
        if self._drive.in_stages:
            q, qd = _parted(x, self._n)
            self.parameters[self._places] = self._calls.of(self._arm, t, q, qd, x[self._memory])
        at = np.array(t)
        return np.array([t, *self._columns(at, at, 0.0)])

    def guard(self, k: int) -> Any:
        """Returns one guard for SciPy: a solver stops where it rises above zero, not where it stays zero."""

        def value(t: float, x: Any) -> float:
            q, qd = _parted(x, self._n)
            return float(self._made.guards(np.array([t]), q, qd, self.parameters)[k]) or -ALMOST_ZERO

        value.terminal, value.direction = True, 1.0  # type: ignore[attr-defined]
        return value

    def beyond(self, times: Any, states: Any) -> tuple[int, int] | None:
        """Returns the first sample where a guard is above zero although the solver did not stop, and which guard."""
        if not self._guarded:
            return None
        for k, (t, x) in enumerate(zip(times, states, strict=True)):
            above = np.flatnonzero(self._made.guards(np.array([t]), *_parted(x, self._n), self.parameters) > 0)
            if len(above):
                return k, int(above[0])
        return None


def _solved(setup: Setup, kernels: Any, right: _Slopes, times: Any, start: Any) -> Any:
    """Returns SciPy's solution over one piece."""
    from scipy.integrate import solve_ivp  # which takes a second to load

    method: Any = METHODS[setup.method].scipys
    more: dict[str, Any] = {}
    if setup.method == "radau":
        from qddot.simulate.stepping.scipys_radau import OneSidedRadau

        method, more = OneSidedRadau, {"jac": right.jacobian}
    tolerance = setup.tolerance or METHODS[setup.method].tolerance
    assert tolerance is not None
    guards = [right.guard(k) for k in range(len(events.guards(setup.plant)))]
    options = {
        "method": method,
        "t_eval": times,
        "rtol": tolerance.relative,
        "atol": max(tolerance.absolute, LEAST_ABSOLUTE),
        **more,
    }
    with np.errstate(all="ignore"):
        try:
            return solve_ivp(right, (times[0], times[-1]), start.copy(), events=guards or None, **options)
        except ValueError:
            # an event changes sign in the solver's steps and not in its interpolation, or is no number:
            # the samples are looked at afterwards
            return solve_ivp(right, (times[0], times[-1]), start.copy(), **options)
