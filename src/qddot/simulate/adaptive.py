"""SciPy's solvers with adaptive steps, over compiled right-hand sides and Jacobians.

Sources: Hairer, Nørsett & Wanner 1993, §II.10 (DOP853); Hairer & Wanner, *Solving Ordinary Differential
Equations II*, 1996, §IV.8 (Radau IIA of order five).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from qddot.errors import SimulationError
from qddot.program import derivatives
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.simulate import events
from qddot.simulate.events import Stop
from qddot.simulate.plant import Motion, Plant
from qddot.simulate.setup import Setup
from qddot.simulate.torque import called
from qddot.tracing import shortest, variants

SOLVERS = {"dop853": "DOP853", "radau": "Radau"}


def slopes(plant: Plant) -> Program:
    """d/dt (q, q̇, ledger); rows are t and the torque's samples."""
    made = []
    for variant in variants(plant.free):
        graph = Graph()
        made.append(graph.program("slopes", {"slopes": _slopes(plant, graph, variant)[1]}))
    return shortest(made)


def jacobian(plant: Plant) -> Program:
    """∂ slopes/∂ state, the torque law's part included."""
    graph = Graph()
    state, found = _slopes(plant, graph, variants(plant.free)[0])
    return graph.program("jacobian", {"J": derivatives.jacobian(found, state)})


def _slopes(plant: Plant, graph: Graph, variant: bool | None) -> tuple[list[Any], list[Any]]:
    n = plant.n
    state = graph.input("state", (plant.state_size,))
    t, *given = graph.input("row", (1 + plant.torque.row_size,))
    parameters = graph.input("parameters", (plant.parameter_size,))
    motion = Motion(plant, graph, t, state[:n], state[n : 2 * n], given, parameters, variant)
    return state, [*state[n : 2 * n], *motion.accelerations(), *motion.powers()]


def integrated(setup: Setup, made: Any, progress: Any) -> tuple[Any, list[Stop], bool, list[str]]:
    """The states at the samples, why arms stopped, whether all arms ran, what to know; `made`: the plant's machine.

    One arm after the other: those that an interrupt leaves out stay at their first sample.
    """
    plant, complete = setup.plant, True
    records = np.full((setup.arms, setup.records, plant.state_size), np.nan)
    records[:, 0] = np.pad(np.concatenate([setup.q0, setup.qd0], axis=1), ((0, 0), (0, len(plant.ledger))))
    stops: list[Stop] = []
    try:
        for arm in range(setup.arms):
            stop = _one(setup, made, arm, records[arm])
            stops += [stop] if stop else []
            if progress:
                progress((arm + 1) / setup.arms)
    except KeyboardInterrupt:
        complete = False
    notes = []
    if plant.torque.kind == "callback":
        notes.append(f"the torque law is called from Python, for it cannot be compiled: {plant.torque.why}")
    return records, stops, complete, notes


def _one(setup: Setup, made: Any, arm: int, record: Any) -> Stop | None:
    plant, n, times = setup.plant, setup.plant.n, setup.times
    parameters = setup.parameters[arm].copy()
    if setup.steps == 0:
        return None

    def row(t: float, x: Any) -> Any:
        if plant.torque.kind == "callback":
            parameters[plant.torque_places] = called(plant.torque, t, x[None, :n], x[None, n : 2 * n])[0]
        return np.array([t, *plant.torque.at(t)]) if plant.torque.row_size else np.array([t])

    def guard(k: int) -> Any:
        def value(t: float, x: Any) -> float:
            return float(made.guards(np.array([t]), x[:n], x[n : 2 * n], parameters)[k])

        value.terminal, value.direction = True, 1.0  # type: ignore[attr-defined]
        return value

    extra = {"jac": lambda t, x: made.jacobian(x, row(t, x), parameters)} if setup.method == "radau" else {}
    with np.errstate(all="ignore"):
        found = solve_ivp(
            lambda t, x: made.slopes(x, row(t, x), parameters),
            (0.0, times[-1]),
            record[0].copy(),
            method=SOLVERS[setup.method],
            t_eval=times,
            events=[guard(k) for k in range(len(events.names(plant)))] or None,
            rtol=max(setup.tolerance, 2.3e-14),
            atol=max(setup.tolerance / 100, 1e-15),
            **extra,
        )
    record[: len(found.t)] = found.y.T
    if found.status == 1:
        k = next(k for k, at in enumerate(found.t_events) if len(at))
        x = found.y_events[k][0]
        return Stop(arm, float(found.t_events[k][0]), f"it reached {events.names(plant)[k]}", x[:n], x[n : 2 * n])
    if found.status < 0:
        if len(found.t) == 0:
            raise SimulationError(f"arm {arm} could not be started: {found.message}")
        last = record[len(found.t) - 1]
        return Stop(arm, float(found.t[-1]), f"the solver gave up: {found.message}", last[:n], last[n : 2 * n])
    return None
