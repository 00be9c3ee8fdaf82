"""Runs SciPy's solvers over compiled right-hand sides and Jacobians: for laws that are called, or without llvmlite.

Sources: Hairer, Nørsett & Wanner 1993, §II.10 (DOP853); Hairer & Wanner, *Solving Ordinary Differential
Equations II*, 1996, §IV.8 (Radau IIA of order five).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from qddot.compilers import integrators
from qddot.errors import SimulationError
from qddot.program import derivatives
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.simulate import SOLVERS
from qddot.simulate.plant import Plant, PlantState
from qddot.simulate.runs.stops import Cause, Stop
from qddot.simulate.setup import Setup
from qddot.simulate.stepping import events
from qddot.simulate.stepping.accuracy import USUAL
from qddot.tracing import choice
from qddot.tracing.choice import Way
from qddot.tracing.trace import torques

PIECES = 50  # of a run, with one call of the solver each
MOST_CALLS = 500_000  # evaluations for one piece
ALMOST_ZERO = 1e-300
LEAST_ABSOLUTE = 1e-15
UNBOUNDED = Cause("unbounded")


def takes(setup: Setup) -> bool:
    """Returns whether a run is integrated here. raises SimulationError: something jumps on its way"""
    plant = setup.plant
    called = plant.drive.in_stages
    if setup.method not in SOLVERS or (not called and integrators.are_there()):
        return False
    if plant.kept_size:
        what = "payloads" if plant.carried else "a sampled law"
        why = f"a law that is called: {called.why}" if called else "without llvmlite, which is not installed"
        raise SimulationError(f"{what} with {setup.method} and {why}", expected='method="rk4"')
    return True


def slopes(plant: Plant) -> Program:
    """Returns the program of d/dt (q, q̇, ledger); rows are t and the torque's samples."""

    def written(way: Way) -> Program:
        graph = Graph()
        return graph.program("slopes", {"slopes": _slopes(plant, graph, way)[1]})

    return choice.shortest(written, plant.free, torques(plant.model, plant.values, plant.free))


def jacobian(plant: Plant) -> Program:
    """Returns the program of ∂ slopes/∂ state, the torque law's part included."""
    graph = Graph()
    state, rates = _slopes(plant, graph, choice.ways(plant.free)[0])
    return graph.program("jacobian", {"J": derivatives.jacobian(rates, state)})


def _slopes(plant: Plant, graph: Graph, way: Way) -> tuple[list[Any], list[Any]]:
    n = plant.n
    state = graph.input("state", (plant.state_size,))
    t, *samples = graph.input("row", (1 + plant.row_size,))
    parameters = graph.input("parameters", (plant.parameter_size,))
    q, qd, z = state[:n], state[n : 2 * n], state[2 * n : plant.moving_size]
    motion = PlantState(plant, graph, t, q, qd, samples, parameters, way, z)
    return state, motion.state_rates()


def integrated(setup: Setup, kernels: Any, calls: Any, progress: Any) -> tuple[Any, list[Stop], bool, list[str]]:
    """Returns the states at the samples, why arms stopped, whether the run is complete, and notes.

    One arm is integrated after the other. An interrupt leaves as many samples as the longest arm has; the others stop
    where they are. kernels: the plant's machine; calls: those of its torque law
    """
    plant, complete = setup.plant, True
    records = np.full((setup.arms, setup.records, plant.state_size), np.nan)
    records[:, 0] = setup.beginning
    stops: list[Stop] = []
    arms_done = 0
    try:
        for arm in range(setup.arms):
            begun = arm / setup.arms
            share = (lambda done, begun=begun: progress(begun + done / setup.arms)) if progress else None
            stop = _one(setup, kernels, calls, arm, records[arm], share)
            stops += [stop] if stop else []
            arms_done += 1
            if progress:
                progress(arms_done / setup.arms)
    except KeyboardInterrupt:
        complete = arms_done == setup.arms
    if not complete:
        there = np.isfinite(records).all(2).sum(1)
        records = records[:, : there.max()]
        for arm in range(arms_done, setup.arms):
            last = there[arm] - 1
            if last + 1 < there.max():
                state = _parted(records[arm, last], plant.n)
                stops.append(Stop(arm, float(setup.times[last]), Cause("interrupted"), *state))
    return records, stops, complete, []


def _one(setup: Setup, kernels: Any, calls: Any, arm: int, record: Any, progress: Any) -> Stop | None:
    """Integrates one arm in pieces, so that an interrupt loses at most one; returns why it stopped, or None."""
    plant, n, times = setup.plant, setup.plant.n, setup.times
    right = _Slopes(setup, kernels, calls, arm)
    pieces = np.unique(np.linspace(0, len(times) - 1, PIECES + 1).astype(int))
    for first, last in pairwise(pieces):
        right.calls = 0
        start = (arm, float(times[first]))
        if not np.isfinite(right(times[first], record[first])).all():
            return Stop(*start, UNBOUNDED, *_parted(record[first], n))
        try:
            solution = _solved(setup, kernels, right, times[first : last + 1], record[first])
        except _NoHeadwayError:
            return Stop(*start, Cause("no headway"), *_parted(record[first], n))
        except ValueError:
            # SciPy's linear algebra raises for numbers that are not finite
            return Stop(*start, UNBOUNDED, *_parted(record[first], n))
        states = np.reshape(solution.y, (plant.state_size, -1)).T
        finite = int(np.isfinite(states).all(1).cumprod().sum())
        record[first + 1 : first + finite] = states[1:finite]
        if solution.status == 1:
            k = next(k for k, at in enumerate(solution.t_events) if len(at))
            x = solution.y_events[k][0]
            return Stop(arm, float(solution.t_events[k][0]), events.guards(plant)[k], *_parted(x, n))
        if solution.status < 0 or finite < len(states):
            there = first + max(0, finite - 1)
            why = Cause("gave up", detail=solution.message) if finite == len(states) else UNBOUNDED
            return Stop(arm, float(times[there]), why, *_parted(record[there], n))
        beyond = right.beyond(solution.t, states)
        if beyond is not None:
            record[first + beyond[0] + 1 : last + 1] = np.nan
            why = events.guards(plant)[beyond[1]]
            return Stop(arm, float(solution.t[beyond[0]]), why, *_parted(states[beyond[0]], n))
        if progress:
            progress(float(last) / (len(times) - 1))
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

    method: Any = SOLVERS[setup.method]
    more: dict[str, Any] = {}
    if setup.method == "radau":
        from qddot.simulate.stepping.scipys_radau import OneSidedRadau

        method, more = OneSidedRadau, {"jac": right.jacobian}
    tolerance = setup.tolerance or USUAL[setup.method]
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
