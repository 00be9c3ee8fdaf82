"""Defines the methods with fixed steps: each is a recurrence that contains dynamics and integrator.

A row of time has t and h, then the samples of torques and forces, then the scheme's own numbers. Sources: Hairer,
Nørsett & Wanner, *Solving Ordinary Differential Equations I*, 1993, §II.1 (RK4); Hairer, Lubich & Wanner, *Geometric
Numerical Integration*, 2006, §VI.3 (symplectic Euler, p implicit) and §II.4, §VI.4 (implicit midpoint).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.algebra.program.recurrence import Recurrence
from qddot.base.records import record
from qddot.machine.tracing import choice
from qddot.machine.tracing.algorithms import of_accelerations
from qddot.machine.tracing.choice import PLAIN, Way
from qddot.machine.tracing.trace import torques
from qddot.machine.tracing.traced import TracedArm, with_unit_quaternions
from qddot.motion.simulate.acting import renewal
from qddot.motion.simulate.acting.renewal import Ports
from qddot.motion.simulate.plant import Plant, PlantState, bare, rates_from_momenta
from qddot.physics.algorithms import energies

TOLERANCE, MOST_ITERATIONS = 1e-14, 50
Written = Callable[[Ports, Way], dict[str, Any]]


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

    def at_stage(self, plant: Plant, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any, Any]:
        """Returns (t, q, q̇ or p, z) where the inner program takes the torque."""
        ...

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        """Returns the rows of time, (steps, stages, r), for steps of h that begin at `times`."""
        ...


@record()
class RungeKutta:
    """This is an explicit method on (q, q̇) whose stages each use only the previous one.

    k_s = f(t + c_s h, x + a_s h k_{s−1}) and x' = x + h Σ b_s k_s; nodes: c_s; ahead: a_{s+1}, then 0; weights: b_s.
    inner: the state at the stage, and the sum so far
    """

    nodes: tuple[float, ...]
    ahead: tuple[float, ...]
    weights: tuple[float, ...]
    in_momenta = False
    extra = 2  # a_{s+1} h and b_s h

    @property
    def stages(self) -> tuple[tuple[float, ...], ...]:
        """Returns the factors of h in each stage's row of time, c_s, 1, a and b, if the plant adds nothing to rows."""
        return tuple((node, 1.0, *own) for node, *own in zip(self.nodes, self.ahead, self.weights, strict=True))

    def recurrence(self, plant: Plant) -> Recurrence:
        moving, m = plant.moving_size, plant.integrated_size

        def inner(ports: Ports, way: Way) -> dict[str, Any]:
            t, (ahead, weight) = ports["row"][0], ports["row"][-self.extra :]
            x, total = ports["inner"][:moving], ports["inner"][moving:]
            motion = _motion(plant, ports, t, x, way)
            slope = motion.state_rates()
            following, total = next_stage(ports["state"][:moving], total, slope, ahead, weight)
            return {"inner": [*following, *total]}

        def outer(ports: Ports, way: Way) -> dict[str, Any]:
            t, h, *_rest = ports["row"]
            new = with_unit_quaternions(plant.model, ports["inner"][moving:])
            if plant.closed:
                new[: plant.at_rates.stop] = projected(
                    plant, new, ports["parameters"], ports["state"][plant.integrated_size :]
                )
            motion = _motion(plant, ports, t + h, new[:moving], way)
            return {"state": _with_discrete_state(plant, motion, new, ports), "guards": motion.guards()}

        return _recurrence(plant, self, inner, outer, (*range(moving), *range(m)), len(self.nodes))

    def at_stage(self, plant: Plant, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any, Any]:
        return float(row[0]), inner[:, plant.at_q], inner[:, plant.at_rates], inner[:, plant.at_memory]

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        import numpy as np

        t = times[:, None] + h * np.array(self.nodes)
        weights = np.broadcast_to(h * np.array([self.ahead, self.weights]).T, (len(times), len(self.nodes), 2))
        return _rows(plant, times[:, None], t, h, weights)


def next_stage(
    start: Sequence[Any], total: Sequence[Any], slope: Sequence[Any], ahead: Any, weight: Any
) -> tuple[list[Any], list[Any]]:
    """Returns where an explicit method takes its next slope, x + a_{s+1} h k_s, and its sum so far, Σ + b_s h k_s.

    ahead, weight: a_{s+1} h and b_s h
    """
    following = [z + ahead * k for z, k in zip(start, slope, strict=False)]
    return following, [z + weight * k for z, k in zip(total, slope, strict=True)]


@record()
class Midpoint:
    """This is the implicit midpoint rule on (q, p), symplectic, of order two: y = z + h/2 f(t + h/2, y), z' = 2 y − z.

    inner: y
    """

    in_momenta = True
    extra = 0

    def recurrence(self, plant: Plant) -> Recurrence:
        n, moving, m = plant.n, plant.moving_size, plant.integrated_size

        def at_midpoint(ports: Ports, way: Way) -> PlantState:
            t, h, *_rest = ports["row"]
            y = ports["inner"]
            qd = _rates(plant, ports, y[:n], y[n : 2 * n], way)
            return _motion(plant, ports, t + 0.5 * h, [*y[:n], *qd, *y[2 * n :]], way)

        def inner(ports: Ports, way: Way) -> dict[str, Any]:
            motion, h = at_midpoint(ports, way), ports["row"][1]
            slope = [*motion.qd, *motion.momentum_rates(), *motion.memory_rates]
            new = [z + h * k * 0.5 for z, k in zip(ports["state"], slope, strict=False)]
            return {"inner": new, "scale": [*[1.0] * n, *[_momentum(motion)] * n, *[1.0] * (moving - 2 * n)]}

        def outer(ports: Ports, way: Way) -> dict[str, Any]:
            motion, (t, h, *_rest) = at_midpoint(ports, way), ports["row"]
            moved = [y * 2 - z for y, z in zip(ports["inner"], ports["state"], strict=False)]
            counted = [z + h * k for z, k in zip(ports["state"][moving:m], motion.powers(), strict=True)]
            return _ended_in_momenta(plant, ports, t + h, [*moved, *counted], way)

        return _recurrence(plant, self, inner, outer, tuple(range(moving)), MOST_ITERATIONS, TOLERANCE)

    def at_stage(self, plant: Plant, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any, Any]:
        n = plant.n
        return float(row[0] + row[1] / 2), inner[:, :n], inner[:, n : 2 * n], inner[:, plant.at_memory]

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        return _rows(plant, times[:, None], times[:, None], h, torque_at=h / 2)


@record()
class SemiImplicit:
    """This is symplectic Euler on (q, p), of order one: p' = p − h ∂H/∂q(q, p'), q' = q + h ∂H/∂p(q, p').

    H is not separable, so that p' is computed by iteration. inner: p'
    """

    in_momenta = True
    extra = 0

    def recurrence(self, plant: Plant) -> Recurrence:
        n, moving, m = plant.n, plant.moving_size, plant.integrated_size

        def motion_of(ports: Ports, way: Way) -> PlantState:
            q, t, z = ports["state"][:n], ports["row"][0], ports["state"][2 * n : moving]
            qd = _rates(plant, ports, q, ports["inner"], way)
            return _motion(plant, ports, t, [*q, *qd, *z], way)

        def inner(ports: Ports, way: Way) -> dict[str, Any]:
            motion, h = motion_of(ports, way), ports["row"][1]
            new = [p + h * k for p, k in zip(ports["state"][n : 2 * n], motion.momentum_rates(), strict=True)]
            return {"inner": new, "scale": [_momentum(motion)] * n}

        def outer(ports: Ports, way: Way) -> dict[str, Any]:
            motion, (t, h, *_rest) = motion_of(ports, way), ports["row"]
            moved = [q + h * rate for q, rate in zip(ports["state"][:n], motion.qd, strict=True)]
            rates = [*motion.memory_rates, *motion.powers()]
            counted = [z + h * k for z, k in zip(ports["state"][2 * n : m], rates, strict=True)]
            return _ended_in_momenta(plant, ports, t + h, [*moved, *ports["inner"], *counted], way)

        return _recurrence(plant, self, inner, outer, tuple(range(n, 2 * n)), MOST_ITERATIONS, TOLERANCE)

    def at_stage(self, plant: Plant, state: Any, inner: Any, row: Any) -> tuple[float, Any, Any, Any]:
        return float(row[0]), state[:, : plant.n], inner, state[:, plant.at_memory]

    def rows(self, plant: Plant, times: Any, h: float) -> Any:
        return _rows(plant, times[:, None], times[:, None], h)


CLASSICAL = RungeKutta((0.0, 0.5, 0.5, 1.0), (0.5, 0.5, 1.0, 0.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6))
SEMI_IMPLICIT, MIDPOINT = SemiImplicit(), Midpoint()


def _recurrence(
    plant: Plant,
    scheme: Scheme,
    inner: Written,
    outer: Written,
    start: tuple[int, ...],
    repeats: int,
    tolerance: float = 0.0,
) -> Recurrence:
    """Returns the recurrence of these two programs, with a third one if the law is sampled and compiled."""

    def sampled(ports: Ports, way: Way) -> dict[str, Any]:
        t, h, *_rest = ports["row"]
        return {"state": renewal.resampled(plant, ports, t + h, scheme.in_momenta, way)}

    is_sampled = plant.drive.sampling and not plant.drive.caller
    programs = [("inner", inner), ("outer", outer), *([("sampled", sampled)] if is_sampled else [])]
    first, last, *others = (_program(plant, scheme, name, make, len(start)) for name, make in programs)
    return Recurrence(first, last, start, repeats, tolerance, others[0] if others else None)


def _program(plant: Plant, scheme: Scheme, name: str, make: Written, k: int) -> Program:
    """Returns one of a recurrence's programs, written in the way with the fewest operations; k: size of `inner`."""
    sizes = {
        "state": plant.state_size,
        "inner": k,
        "row": 2 + scheme.extra + plant.row_size,
        "parameters": plant.parameter_size,
    }

    def written(way: Way) -> Program:
        graph = Graph()
        ports = {port: graph.input(port, (size,)) for port, size in sizes.items()}
        return graph.program(name, make(ports, way))

    solves = name == "inner" and not scheme.in_momenta
    by = of_accelerations(plant.model) if solves else ()
    return choice.shortest(written, plant.open, torques(plant.model, plant.values, plant.open), by)


def observer(plant: Plant, in_momenta: bool) -> Program:
    """Returns the program of (τ, K, P) at a state and time, or of (q̇, τ, K, P) where the state has momenta.

    Rows are t and the samples of torques and forces.
    """
    graph = Graph()
    state, (t, *samples), parameters = plant.ports(graph, "state", "row", "parameters")
    if in_momenta:
        q, p, discrete_state = state[plant.at_q], state[plant.at_rates], state[plant.integrated_size :]
        state[plant.at_rates] = rates_from_momenta(plant, q, p, parameters, PLAIN, discrete_state)
    motion = PlantState(plant, t, state, samples, parameters, PLAIN)
    outputs = {"tau": motion.tau, "K": motion.kinetic_energy(), "P": motion.potential_energy()}
    return graph.program("observe", {"qd": motion.qd, **outputs} if in_momenta else outputs)


def momenta(plant: Plant) -> Program:
    """Returns the program (q, q̇, discrete state, parameters) → p = M q̇."""
    graph = Graph()
    q, qd, discrete_state, parameters = plant.ports(graph, "q", "qd", "discrete_state", "parameters")
    M = bare(plant, 0, [*q, *qd], parameters, discrete_state).traced.dynamics.mass_matrix()
    return graph.program("momenta", {"p": energies.momentum(M, tuple(qd))})


def velocities(plant: Plant) -> Program:
    """Returns the program (q, p, discrete state, parameters) → q̇ = M⁻¹ p."""
    graph = Graph()
    q, p, discrete_state, parameters = plant.ports(graph, "q", "p", "discrete_state", "parameters")
    qd = rates_from_momenta(plant, q, p, parameters, PLAIN, discrete_state)
    return graph.program("velocities", {"qd": qd})


def projected(
    plant: Plant, state: Sequence[Any], parameters: Sequence[Any], discrete_state: Sequence[Any]
) -> list[Any]:
    """Returns q and q̇ of a closed chain with closed loops, from a state in which they are nearly closed."""
    assert plant.closed
    symbols = plant.symbols(parameters, discrete_state)
    arrays = {"q": with_unit_quaternions(plant.model, state[plant.at_q]), "qd": state[plant.at_rates]}
    q, qd = plant.closed.projected(TracedArm(plant.model, state[0].graph, arrays, symbols), parameters)
    return [*q, *qd]


def closing(plant: Plant) -> Program:
    """Returns the program (q and q̇, discrete state, parameters) → the same with closed loops."""
    graph = Graph()
    state = graph.input("state", (plant.at_rates.stop,))
    discrete_state, parameters = plant.ports(graph, "discrete_state", "parameters")
    return graph.program("closing", {"state": projected(plant, state, parameters, discrete_state)})


def conditions(plant: Plant) -> Program:
    """Returns the program (q, discrete state, parameters) → φ and A of all conditions, det A Aᵀ of those that hold."""
    assert plant.closed
    graph = Graph()
    q, discrete_state, parameters = plant.ports(graph, "q", "discrete_state", "parameters")
    traced = TracedArm(plant.model, graph, {"q": q}, plant.symbols(parameters, discrete_state))
    joined = plant.closed.joined(traced, parameters)
    outputs = {"phi": joined.every_residual, "A": joined.every_row, "determinant": [joined.determinant]}
    return graph.program("conditions", outputs)


def _momentum(motion: PlantState) -> Any:
    """Returns the mean of the M_kk: the momentum of a joint at 1 rad/s or 1 m/s, averaged over the joints."""
    M = motion.traced.dynamics.mass_matrix()
    return sum((row[k] for k, row in enumerate(M)), 0) * (1 / len(M))


def _motion(plant: Plant, ports: Ports, t: Any, moving: Sequence[Any], way: Way) -> PlantState:
    """Returns the plant where its moving numbers are these; the others are those at the start of the step."""
    state = [*moving, *ports["state"][plant.moving_size :]]
    return PlantState(plant, t, state, ports["row"][2 : 2 + plant.row_size], ports["parameters"], way)


def _rates(plant: Plant, ports: Ports, q: Sequence[Any], p: Sequence[Any], way: Way) -> list[Any]:
    """Returns q̇ = M⁻¹ p with the payloads that the arm carries."""
    discrete_state = ports["state"][plant.integrated_size :]
    return rates_from_momenta(plant, q, p, ports["parameters"], way, discrete_state)


def _ended_in_momenta(plant: Plant, ports: Ports, t: Any, new: list[Any], way: Way) -> dict[str, Any]:
    """Returns the state after a step that integrates to `new`, and the guards there."""
    n = plant.n
    qd = _rates(plant, ports, new[:n], new[n : 2 * n], way)
    motion = _motion(plant, ports, t, [*new[:n], *qd, *new[2 * n : plant.moving_size]], way)
    return {"state": _with_discrete_state(plant, motion, new, ports, True), "guards": motion.guards()}


def _with_discrete_state(
    plant: Plant, motion: PlantState, new: list[Any], ports: Ports, in_momenta: bool = False
) -> list[Any]:
    """Returns the state with the discrete state after a step; payloads may have been picked up or released."""
    if plant.carried:
        return renewal.switched(plant, motion, new, ports["row"][2 : 2 + plant.row_size], in_momenta)
    return [*new, *motion.discrete_state]


def _rows(plant: Plant, begins: Any, t: Any, h: float, extra: Any = None, torque_at: float = 0.0) -> Any:
    """Returns rows of t, h, the torque's numbers at t + torque_at, and the scheme's own numbers."""
    import numpy as np

    parts = [t[..., None], np.full((*t.shape, 1), h)]
    if plant.row_size:
        parts.append(plant.columns(begins, t + torque_at, h))
    if extra is not None:
        parts.append(extra)
    return np.ascontiguousarray(np.concatenate(parts, axis=-1))
