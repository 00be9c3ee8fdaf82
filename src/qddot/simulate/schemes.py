"""Defines the steps of the compiled methods, each a recurrence of dynamics and integrator together.

A row of time has t, h and the scheme's own numbers, then the torque's samples. Sources: Hairer, Nørsett & Wanner,
*Solving Ordinary Differential Equations I*, 1993, §II.1 (RK4); Hairer, Lubich & Wanner, *Geometric Numerical
Integration*, 2006, §VI.3 (symplectic Euler, p implicit) and §II.4, §VI.4 (implicit midpoint).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from qddot.dynamics import energies
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.program.recurrence import Recurrence
from qddot.simulate.plant import Plant, PlantState, rates_from_momenta
from qddot.tracing import choice
from qddot.tracing.arms import algorithms
from qddot.tracing.choice import PLAIN, Way
from qddot.tracing.trace import torques

TOLERANCE, MOST_ITERATIONS = 1e-14, 50
Ports = Mapping[str, list[Any]]


class Scheme(Protocol):
    """A scheme is a method of integration with a fixed step; dynamics and integrator are one recurrence."""

    @property
    def in_momenta(self) -> bool:
        """Returns whether the state is (q, p = M q̇) rather than (q, q̇)."""
        ...

    @property
    def extra(self) -> int:
        """Returns how many numbers the scheme adds to a row of time."""
        ...

    def recurrence(self, plant: Plant) -> Recurrence:
        """Returns the recurrence of one step of the plant."""
        ...

    def at_stage(self, n: int, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any]:
        """Returns (t, q, q̇ or p) where the inner program takes the torque."""
        ...

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        """Returns the rows of time, (steps, stages, r), for steps of h that begin at `times`."""
        ...


@dataclass(frozen=True)
class RungeKutta:
    """This is an explicit method on (q, q̇) in which each stage needs only the one before.

    k_s = f(t + c_s h, x + a_s h k_{s−1}) and x' = x + h Σ b_s k_s; nodes: c_s; ahead: a_{s+1}, then 0; weights: b_s.
    inner: the state at the stage, and the sum so far
    """

    nodes: tuple[float, ...]
    ahead: tuple[float, ...]
    weights: tuple[float, ...]
    in_momenta = False
    extra = 2  # a_{s+1} h and b_s h

    def recurrence(self, plant: Plant) -> Recurrence:
        n, m = plant.n, plant.state_size

        def inner(ports: Ports, way: Way) -> dict[str, Any]:
            t, _, ahead, weight, *samples = ports["row"]
            x, total = ports["inner"][: 2 * n], ports["inner"][2 * n :]
            motion = _motion(plant, ports, t, x[:n], x[n:], samples, way)
            slope = [*x[n:], *motion.accelerations(), *motion.powers()]
            following = [z + ahead * k for z, k in zip(ports["state"], slope[: 2 * n], strict=False)]
            return {"inner": [*following, *(s + weight * k for s, k in zip(total, slope, strict=True))]}

        def outer(ports: Ports, way: Way) -> dict[str, Any]:
            t, h, *_rest = ports["row"]
            new = ports["inner"][2 * n :]
            motion = _motion(plant, ports, t + h, new[:n], new[n : 2 * n], [0] * n, way)
            return {"state": new, "guards": motion.guards()}

        first = _program(plant, self, "inner", inner, m, 2 * n + m)
        last = _program(plant, self, "outer", outer, m, 2 * n + m)
        return Recurrence(first, last, start=(*range(2 * n), *range(m)), repeats=len(self.nodes))

    def at_stage(self, n: int, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any]:
        """Returns (t, q, q̇) where the inner program takes the torque."""
        return float(row[0]), inner[:, :n], inner[:, n : 2 * n]

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        """Returns the rows, (steps, stages, r), for steps that begin at `times`."""
        t = times[:, None] + h * np.array(self.nodes)
        shown = np.broadcast_to(h * np.array([self.ahead, self.weights]).T, (len(times), len(self.nodes), 2))
        return _rows(plant, t, h, shown)


class Midpoint:
    """This is the implicit midpoint rule on (q, p), symplectic, of order two: y = z + h/2 f(t + h/2, y), z' = 2 y − z.

    inner: y
    """

    in_momenta = True
    extra = 0

    def recurrence(self, plant: Plant) -> Recurrence:
        n, m = plant.n, plant.state_size

        def at_midpoint(ports: Ports, way: Way) -> PlantState:
            t, h, *samples = ports["row"]
            y = ports["inner"]
            qd = rates_from_momenta(plant, _graph(ports), y[:n], y[n:], ports["parameters"], way)
            return _motion(plant, ports, t + 0.5 * h, y[:n], qd, samples, way)

        def inner(ports: Ports, way: Way) -> dict[str, Any]:
            motion, h = at_midpoint(ports, way), ports["row"][1]
            slope = [*motion.qd, *motion.momentum_rates()]
            return {"inner": [z + h * k * 0.5 for z, k in zip(ports["state"], slope, strict=False)]}

        def outer(ports: Ports, way: Way) -> dict[str, Any]:
            motion, (t, h, *_rest) = at_midpoint(ports, way), ports["row"]
            moved = [y * 2 - z for y, z in zip(ports["inner"], ports["state"], strict=False)]
            counted = [z + h * k for z, k in zip(ports["state"][2 * n :], motion.powers(), strict=True)]
            return {"state": [*moved, *counted], "guards": _guards_in_momenta(plant, ports, t + h, moved, way)}

        first = _program(plant, self, "inner", inner, m, 2 * n)
        last = _program(plant, self, "outer", outer, m, 2 * n)
        return Recurrence(first, last, start=tuple(range(2 * n)), repeats=MOST_ITERATIONS, tolerance=TOLERANCE)

    def at_stage(self, n: int, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any]:
        """Returns (t, q, p) where the inner program takes the torque."""
        return float(row[0] + row[1] / 2), inner[:, :n], inner[:, n:]

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        """Returns the rows, (steps, 1, r)."""
        return _rows(plant, times[:, None], h, np.zeros((len(times), 1, 0)), h / 2)


class SemiImplicit:
    """This is symplectic Euler on (q, p), of order one: p' = p − h ∂H/∂q(q, p'), q' = q + h ∂H/∂p(q, p').

    H is not separable, so that p' is found by iteration. inner: p'
    """

    in_momenta = True
    extra = 0

    def recurrence(self, plant: Plant) -> Recurrence:
        n, m = plant.n, plant.state_size

        def motion_of(ports: Ports, way: Way) -> PlantState:
            q, (t, _, *samples) = ports["state"][:n], ports["row"]
            qd = rates_from_momenta(plant, _graph(ports), q, ports["inner"], ports["parameters"], way)
            return _motion(plant, ports, t, q, qd, samples, way)

        def inner(ports: Ports, way: Way) -> dict[str, Any]:
            rates, h = motion_of(ports, way).momentum_rates(), ports["row"][1]
            return {"inner": [p + h * k for p, k in zip(ports["state"][n : 2 * n], rates, strict=True)]}

        def outer(ports: Ports, way: Way) -> dict[str, Any]:
            motion, (t, h, *_rest) = motion_of(ports, way), ports["row"]
            moved = [q + h * rate for q, rate in zip(ports["state"][:n], motion.qd, strict=True)]
            counted = [z + h * k for z, k in zip(ports["state"][2 * n :], motion.powers(), strict=True)]
            new = [*moved, *ports["inner"]]
            return {"state": [*new, *counted], "guards": _guards_in_momenta(plant, ports, t + h, new, way)}

        first = _program(plant, self, "inner", inner, m, n)
        last = _program(plant, self, "outer", outer, m, n)
        return Recurrence(first, last, start=tuple(range(n, 2 * n)), repeats=MOST_ITERATIONS, tolerance=TOLERANCE)

    def at_stage(self, n: int, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any]:
        """Returns (t, q, p) where the inner program takes the torque."""
        return float(row[0]), state[:, :n], inner

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        """Returns the rows, (steps, 1, r)."""
        return _rows(plant, times[:, None], h, np.zeros((len(times), 1, 0)))


CLASSICAL = RungeKutta((0.0, 0.5, 0.5, 1.0), (0.5, 0.5, 1.0, 0.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6))
SCHEMES: Mapping[str, Scheme] = {"rk4": CLASSICAL, "semi-implicit": SemiImplicit(), "midpoint": Midpoint()}


def _program(
    plant: Plant, scheme: Scheme, name: str, make: Callable[[Ports, Way], dict[str, Any]], m: int, k: int
) -> Program:
    """Returns one of a recurrence's programs, written in the way with the fewest operations."""
    sizes = {
        "state": m,
        "inner": k,
        "row": 2 + scheme.extra + plant.torque.row_size,
        "parameters": plant.parameter_size,
    }

    def written(way: Way) -> Program:
        graph = Graph()
        ports = {port: graph.input(port, (size,)) for port, size in sizes.items()}
        return graph.program(name, make(ports, way))

    solves = name == "inner" and not scheme.in_momenta
    by = algorithms(plant.model, plant.values, plant.free) if solves else ()
    return choice.shortest(written, plant.free, torques(plant.model, plant.values, plant.free), by)


def observer(plant: Plant, in_momenta: bool) -> Program:
    """Returns the program of τ, K and P at a state and time, before them q̇ where the state has momenta.

    Rows are t and the torque's samples.
    """
    n, graph = plant.n, Graph()
    state = graph.input("state", (plant.state_size,))
    (t, *samples) = graph.input("row", (1 + plant.torque.row_size,))
    parameters = graph.input("parameters", (plant.parameter_size,))
    q, qd = state[:n], state[n : 2 * n]
    if in_momenta:
        qd = rates_from_momenta(plant, graph, q, qd, parameters, PLAIN)
    motion = PlantState(plant, graph, t, q, qd, samples, parameters, PLAIN)
    outputs = {"tau": motion.tau, "K": motion.kinetic_energy(), "P": motion.potential_energy()}
    return graph.program("observe", {"qd": qd, **outputs} if in_momenta else outputs)


def momenta(plant: Plant) -> Program:
    """Returns the program of p = M q̇."""
    n, graph = plant.n, Graph()
    q, qd = graph.input("q", (n,)), graph.input("qd", (n,))
    parameters = graph.input("parameters", (plant.parameter_size,))
    M = PlantState(plant, graph, 0, q, qd, [0] * n, parameters, PLAIN).arm.dynamics.mass_matrix()
    return graph.program("momenta", {"p": energies.momentum(M, tuple(qd))})


def velocities(plant: Plant) -> Program:
    """Returns the program of q̇ = M⁻¹ p."""
    n, graph = plant.n, Graph()
    q, p = graph.input("q", (n,)), graph.input("p", (n,))
    parameters = graph.input("parameters", (plant.parameter_size,))
    return graph.program("velocities", {"qd": rates_from_momenta(plant, graph, q, p, parameters, PLAIN)})


def _graph(ports: Ports) -> Graph:
    graph: Graph = ports["state"][0].graph
    return graph


def _motion(
    plant: Plant, ports: Ports, t: Any, q: Sequence[Any], qd: Sequence[Any], samples: Sequence[Any], way: Way
) -> PlantState:
    return PlantState(plant, _graph(ports), t, q, qd, samples, ports["parameters"], way)


def _guards_in_momenta(plant: Plant, ports: Ports, t: Any, new: Sequence[Any], way: Way) -> list[Any]:
    n = plant.n
    qd = rates_from_momenta(plant, _graph(ports), new[:n], new[n:], ports["parameters"], way)
    return _motion(plant, ports, t, new[:n], qd, [0] * n, way).guards()


def _rows(plant: Plant, t: Any, h: float, extra: Any, torque_at: float = 0.0) -> Any:
    """Returns rows of t, h, the scheme's own numbers, and the torque at t + torque_at."""
    parts = [t[..., None], np.full((*t.shape, 1), h), extra]
    if plant.torque.row_size:
        parts.append(plant.torque.at(t + torque_at))
    return np.ascontiguousarray(np.concatenate(parts, axis=-1))
