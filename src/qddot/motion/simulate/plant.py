"""A Plant is what is simulated, as nodes of a graph: the arm with its motors, its damping and its ledger of energy.

The state is (q, q̇, z, ledger, discrete state), or (q, p = M q̇, z, …) for symplectic methods. z is the state that a
torque law declares. The ledger counts the work of the motors and the loss of each kind of friction [J]; its rates are
integrated with the motion. The discrete state is constant within a step: the torques of a sampled law, its own state,
and the payloads. NumPy is imported only where arrays are needed, since the page does without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.piecewise import changes_like_the_motion, rounds
from qddot.algebra.program.program import Program
from qddot.algebra.spatial import inner
from qddot.base.records import record
from qddot.machine.tracing.algorithms import BY_MASS_MATRIX
from qddot.machine.tracing.choice import PLAIN, Way
from qddot.machine.tracing.joined import Joined
from qddot.machine.tracing.ports import STATE
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.acting.bristles import ACCOUNT, Bending, Bent
from qddot.motion.simulate.acting.drive import Drive
from qddot.physics.algorithms import external_wrenches as external
from qddot.robot.closed_model import ClosedModel, names_of_conditions
from qddot.robot.effects.acting import accounts_of
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.motion.simulate.acting.forces import Forces
    from qddot.motion.simulate.acting.payloads import Carried
    from qddot.physics.independent import Independents


@record()
class Closed:
    """These are the conditions of a closed chain, and its independent coordinates."""

    model: ClosedModel
    choice: Independents

    @property
    def facts(self) -> tuple[object, ...]:
        """Returns what the code of a run depends on, besides the tree."""
        return self.model.loops, self.model.rolling, self.model.conditions, self.choice

    @property
    def mixing(self) -> tuple[int, int]:
        """Returns the shape of W, which mixes the conditions of a chain that was opened near a configuration."""
        rows = len(names_of_conditions(self.model))
        return (len(self.choice.conditions), rows) if self.choice.near else (0, rows)

    @property
    def parameter_size(self) -> int:
        """Returns the number of its parameters: W, and the determinant of A Aᵀ below which a run looks at the loops."""
        count, rows = self.mixing
        return count * rows + 1

    def joined(self, traced: TracedArm, parameters: Sequence[Any]) -> Joined:
        """Returns an arm with these conditions. parameters: those of the arm, of which the chain's are the last"""
        return Joined(traced, self.model, self.choice, parameters[len(parameters) - self.parameter_size : -1])

    def projected(self, traced: TracedArm, parameters: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Returns q with its loops closed by the shortest Newton step, and the nearest q̇ with A q̇ = 0.

        The error of a step of a run is so small that one step suffices. The energy of the motion changes by that of the
        part of q̇ that is lost.
        """
        q = traced.moved_by(self.joined(traced, parameters).corrections())
        moved = TracedArm(traced.model, traced.graph, {"q": q, "qd": traced.inputs["qd"]}, traced.numbers.symbols)
        return q, self.joined(moved, parameters).velocities()


@record()
class Plant:
    """A plant is the model, the values folded into it, and the parameters that each arm of a batch has of its own.

    free: symbols that differ from arm to arm
    damped: whether there is damping added to the model's own
    limits: indices of the joints whose limits stop an arm, in the order of q
    drive: what the motors do; event: the program of a function that stops an arm when it rises above zero
    forces: the external forces; carried: payloads, which are bodies of the model; accounted: whether it has a ledger
    closed: the loops of a closed chain; bent: joints with bristles, whose dry friction `whole` has and `model` has not
    """

    model: Model
    values: Mapping[str, float]
    free: tuple[str, ...]
    damped: bool
    drive: Drive
    limits: tuple[int, ...] = ()
    event: Program | None = None
    forces: Forces | None = None
    carried: Carried | None = None
    accounted: bool = True
    closed: Closed | None = None
    bent: tuple[Bent, ...] = ()
    whole: Model | None = None

    @property
    def described(self) -> Model:
        """Returns the model without payloads, with its bristles."""
        return self.carried.before if self.carried else self.whole or self.model

    @property
    def open(self) -> tuple[str, ...]:
        """Returns the symbols that are inputs of the code: what differs from arm to arm, of payloads, and the time."""
        return (*self.free, *(self.carried.names if self.carried else ()), *self.time)

    @property
    def time(self) -> tuple[str, ...]:
        """Returns the symbol that is the time, if the energies depend on it."""
        return (self.model.time,) if self.model.time else ()

    @property
    def n(self) -> int:
        return self.model.n

    @property
    def acting(self) -> tuple[Drive | Forces | Carried, ...]:
        """Returns what acts on the arm: the drive, the forces and the payloads, in the order of rows of time."""
        return (self.drive, *(part for part in (self.forces, self.carried) if part))

    @property
    def rounds(self) -> bool:
        """Returns whether a traced function rounds, so that the motion has no series."""
        traced = [each.program for part in (self.forces, self.carried) if part for each in part.traced]
        every = (*self.drive.programs, *traced, *([self.event] if self.event else ()))
        return any(map(rounds, every))

    @property
    def watched(self) -> bool:
        """Returns whether a torque or a force may be a pulse that begins and ends within a step."""
        compiled = () if self.drive.sampling else self.drive.programs
        acting = (*compiled, *(self.forces.programs.values() if self.forces else ()))
        return self.drive.in_stages is not None or not all(map(changes_like_the_motion, acting))

    @property
    def at_q(self) -> slice:
        """Returns the places of q in the state."""
        return slice(0, len(self.model.positions))

    @property
    def at_rates(self) -> slice:
        """Returns the places of q̇, or of p, in the state."""
        return slice(self.at_q.stop, self.at_q.stop + self.n)

    @property
    def at_memory(self) -> slice:
        """Returns the places of a law's z in the state where it is integrated."""
        return slice(self.at_rates.stop, self.at_rates.stop + self.drive.moving_size)

    @property
    def at_bristles(self) -> slice:
        """Returns the places of what bristles bend by."""
        return slice(self.at_memory.stop, self.moving_size)

    @cached_property
    def ledger(self) -> tuple[str, ...]:
        """Returns the names of the ledger's accounts."""
        if not self.accounted:
            return ()
        work = ["work"] if self.drive.works else []
        of = self.model.lagrangian
        external = ["external"] if self.forces or self.carried or (of and (of.Q or of.time)) else []
        joints = [body.joint for body in self.model.moving()]
        losses = accounts_of(joints, bool(of and of.D))
        return (*work, *external, *losses, *([ACCOUNT] if self.bent else []), *(["damping"] if self.damped else []))

    @cached_property
    def dry_joints(self) -> tuple[int, ...]:
        """Returns the joints with dry friction, which also acts at rest."""
        if not any(body.joint.uses("sign") for body in self.model.bodies):
            return ()  # evaluating the whole arm would take as long as a short run
        mechanism = TracedArm.with_ports(self.model, STATE, self.values, self.free).links
        sizes = ((each.dof, each.coefficient) for each in mechanism.effects if each.effect.sticks)
        return tuple(sorted({dof for dof, size in sizes if getattr(size, "constant", size) != 0}))

    @cached_property
    def moving_size(self) -> int:
        """Returns how many numbers change continuously: q, q̇, z and those of bristles."""
        return len(self.model.positions) + self.n + self.drive.moving_size + len(self.bent)

    @cached_property
    def integrated_size(self) -> int:
        """Returns how many numbers are integrated: q, q̇ and z, and the ledger."""
        return self.moving_size + len(self.ledger)

    @cached_property
    def state_size(self) -> int:
        return self.integrated_size + self.discrete_size

    @property
    def memory_places(self) -> slice:
        """Returns the places of the law's own state, which is integrated, or changes only at samples."""
        end = self.integrated_size + self.drive.discrete_size if self.drive.sampling else self.at_memory.stop
        return slice(end - self.drive.states, end)

    @cached_property
    def row_size(self) -> int:
        """Returns how many numbers the torque and the forces add to a row of time."""
        return sum(part.row_size for part in self.acting)

    def knots(self, start: float, end: float) -> Any:
        """Returns all times between start and end at which a torque, a force or its slope jumps, and perhaps others."""
        import numpy as np

        return np.concatenate([part.knots(start, end) for part in self.acting])

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        """Returns what torque and forces add to rows of time, (…, row_size); arguments as in `Drive.columns`."""
        import numpy as np

        return np.concatenate([part.columns(begins, times, h) for part in self.acting], axis=-1)

    def row(self, t: float, h: float) -> Any:
        """Returns a time at which a step of h ends, and what torque and forces add to its row, (1 + row_size,)."""
        import numpy as np

        return np.array([t, *self.columns(np.array(t - h), np.array(t), h)])

    @property
    def parameter_size(self) -> int:
        """Returns the number of parameters: symbols, damping, torque, loops; at least 1, so that there is an array."""
        own = len(self.free) + (self.n if self.damped else 0) + self.drive.parameter_size
        return max(1, own + (self.closed.parameter_size if self.closed else 0))

    @property
    def discrete_size(self) -> int:
        """Returns the size of the discrete state: torques of a sampled law, its state, and the payloads."""
        return self.drive.discrete_size + (self.carried.size if self.carried else 0)

    def symbols(self, parameters: Sequence[Any], discrete_state: Sequence[Any]) -> dict[str, Any]:
        """Returns the numbers of all symbols of the model: those of each arm, and those of the payloads."""
        symbols = {**self.values, **dict(zip(self.free, parameters, strict=False))}
        return symbols | self.carried.symbols(discrete_state[self.drive.discrete_size :]) if self.carried else symbols

    def ports(self, graph: Graph, *names: str) -> list[list[Any]]:
        """Returns the nodes of a program's input ports with these names."""
        sizes = {
            **dict.fromkeys(("t", "time"), 1),
            "q": self.at_q.stop,
            **dict.fromkeys(("qd", "p"), self.n),
            "state": self.state_size,
            "discrete_state": self.discrete_size,
            "row": 1 + self.row_size,
            "parameters": self.parameter_size,
        }
        return [graph.input(name, (sizes[name],)) for name in names]

    @property
    def torque_places(self) -> slice:
        """Returns the places of an arm's torque among its parameters."""
        start = len(self.free) + (self.n if self.damped else 0)
        return slice(start, start + self.drive.parameter_size)


class PlantState:
    """This is the plant at one time and in one state, as nodes of a graph: its arm, torque and powers.

    t, state: nodes, rates in place of momenta; samples: the numbers of torque and forces in the row of this time;
    parameters: those of the arm
    """

    def __init__(
        self, plant: Plant, t: Any, state: Sequence[Any], samples: Sequence[Any], parameters: Sequence[Any], way: Way
    ) -> None:
        self.plant, self.t, self.way = plant, t, way
        self.q, self.qd = q, qd = state[plant.at_q], state[plant.at_rates]
        self.discrete_state = discrete_state = state[plant.integrated_size :]
        self._graph, self._parameters = state[0].graph, parameters
        symbols = plant.symbols(parameters, discrete_state) | dict.fromkeys(plant.time, t)
        first = len(plant.free)
        self.damping = parameters[first : first + plant.n] if plant.damped else [0] * plant.n
        own = samples[: plant.drive.row_size]
        at, moved = {"q": q, "qd": qd}, (t, q, qd, state[plant.at_memory])
        traced = TracedArm(plant.model, self._graph, at, symbols, way.frames)
        numbers = own or parameters[plant.torque_places]
        self.tau, own_rates = plant.drive.torques(traced, moved, discrete_state, numbers)
        self._bending = bending = Bending(traced, plant.bent, state[plant.at_bristles], qd)
        self.memory_rates = [*own_rates, *bending.rates]
        left = [u - c * rate - f for u, c, rate, f in zip(self.tau, self.damping, qd, bending.torques, strict=True)]
        self._alone = self.traced = TracedArm(plant.model, self._graph, {**at, "tau": left}, symbols, way.frames)
        if plant.forces:
            self.traced = self.traced.pushed(plant.forces.wrenches(self.traced, (t, q, qd), samples[len(own) :]))

    def accelerations(self) -> list[Any]:
        """Returns q̈ = M⁻¹ (τ − D q̇ − h − G − friction − springs), in a closed chain with the forces of its loops."""
        if self.plant.closed:
            return self.joined.accelerations()
        return (self.way.algorithm or BY_MASS_MATRIX).compute(self.traced)  # type: ignore[no-any-return]

    @cached_property
    def joined(self) -> Joined:
        """Returns the arm with the conditions of a closed chain."""
        assert self.plant.closed
        return self.plant.closed.joined(self.traced, self._parameters)

    def state_rates(self) -> list[Any]:
        """Returns d/dt (q, q̇, z, ledger)."""
        return [*self.traced.position_rates, *self.accelerations(), *self.memory_rates, *self.powers()]

    def momentum_rates(self) -> list[Any]:
        """Returns ṗ = ∂(K − P)/∂q + τ + Σ Jᵀ wrenches − D q̇ − friction − springs, Hamilton's equation for p = M q̇.

        The derivative is that at fixed q̇, and P that of gravity alone.
        """
        rates = self._graph.unknowns(self.plant.n)
        dynamics = self._alone.in_motion(qd=rates).dynamics
        lagrangian = dynamics.kinetic_energy(at_links=False) - dynamics.potential_energy(at_links=False)
        (slopes,) = derivatives.jacobian([lagrangian], self.q)
        by_q = derivatives.replaced(slopes, {x.index: rate for x, rate in zip(rates, self.qd, strict=True)})
        left = self.traced.relieved.inputs["tau"]
        if self.plant.forces:
            pushed = external.torques(self.traced.dynamics.moving, self.traced.dynamics.external)
            left = [a + b for a, b in zip(left, pushed, strict=True)]
        return [a + b - c for a, b, c in zip(by_q, left, self.traced.relieved.dynamics.outside(), strict=True)]

    def powers(self) -> list[Any]:
        """Returns the rates of the ledger's accounts [W]."""
        return [self._power(account) for account in self.plant.ledger]

    def _power(self, account: str) -> Any:
        if account == "work":
            return inner(self.tau, self.qd)
        if account == "external":
            acting, supplied = self.traced.dynamics.external, self.traced.dynamics.supplied()
            return supplied + (external.power(self.traced.dynamics.moving, acting) if acting else 0)
        if account == "damping":
            return inner(self.damping, [rate * rate for rate in self.qd])
        if account == ACCOUNT:
            return self._bending.loss
        return self.traced.dynamics.loss(account, self.traced.loads)

    def kinetic_energy(self) -> Any:
        """Returns K, armature included [J]."""
        return self.traced.dynamics.kinetic_energy()

    def potential_energy(self) -> Any:
        """Returns P of gravity, springs and bristles [J]."""
        dynamics = self.traced.dynamics
        return dynamics.potential_energy() + dynamics.spring_energy() + self._bending.energy

    def guards(self) -> list[Any]:
        """Returns the numbers that stop the arm when they rise above zero: limits (upper, lower), then the event."""
        above_zero: list[Any] = []
        for i in self.plant.limits:
            low, high = (self.traced.evaluate(limit) for limit in self.plant.model.moving()[i].joint.limits or ())
            place = self.plant.model.positions.index(self.plant.model.moving()[i].joint.positions[0])
            above_zero += [self.q[place] - high, low - self.q[place]]
        if self.plant.event is not None:
            above_zero += self._graph.inlined(self.plant.event, [[self.t], self.q, self.qd])
        return above_zero

    def switches(self) -> list[Any]:
        """Returns numbers that rise above zero where a run has to act.

        That is where a function of the state picks up or releases a payload, then where a chain is nearly singular.
        """
        carried = self.plant.carried
        if not carried:
            return self.near_singular()
        return [
            *carried.guards(
                self._graph, (self.t, self.q, self.qd), self.discrete_state[self.plant.drive.discrete_size :]
            ),
            *self.near_singular(),
        ]

    def near_singular(self) -> list[Any]:
        """Returns a number that rises above zero where the loops of a closed chain are nearly singular."""
        return [self._parameters[-1] - self.joined.determinant] if self.plant.closed else []


def bare(
    plant: Plant, t: Any, motion: Sequence[Any], parameters: Sequence[Any], discrete_state: Sequence[Any] | None = None
) -> PlantState:
    """Returns the plant without its torque, for quantities that do not depend on it.

    motion: (q, q̇); discrete_state: needed only where the arm has payloads
    """
    between = [0] * (plant.integrated_size - plant.at_rates.stop)
    state = [*motion, *between, *([0] * plant.discrete_size if discrete_state is None else discrete_state)]
    return PlantState(plant, t, state, [0] * plant.row_size, parameters, PLAIN)


def rates_from_momenta(
    plant: Plant,
    q: Sequence[Any],
    p: Sequence[Any],
    parameters: Sequence[Any],
    way: Way,
    discrete_state: Sequence[Any] = (),
) -> list[Any]:
    """Returns q̇ = M⁻¹ p; discrete_state: needed only where the arm has payloads."""
    return TracedArm(plant.model, q[0].graph, {"q": q}, plant.symbols(parameters, discrete_state), way.frames).solve(p)
