"""Defines an arm that is traced: in a graph, with its inputs, its dynamics over the nodes, and their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.functions import magnitude, sign_of
from qddot.algebra.numbers.nodes import GraphNumbers
from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.spatial import Force, Number, Pose, Twist, Vec3, summed
from qddot.base.errors import EvaluationError, near, shortened
from qddot.base.words.message import Listed, Words, say
from qddot.machine.tracing.ports import PortRecord
from qddot.physics.algorithms import centroidal, forward, kinematics
from qddot.physics.algorithms.external_wrenches import ExternalWrenches
from qddot.physics.dynamics import OWN, Dynamics, Matrix, Torques
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import check_links, dynamics_of, with_links
from qddot.physics.systems import System
from qddot.robot.effects.acting import parameters_of
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.physics.of_links import LinkDynamics

Tensor: TypeAlias = list[Matrix]
TOOL = "tool"  # as a body's name, this means the tool's frame


class TracedArm:
    """This is one arm in a graph, with its inputs and its dynamics. It also computes their derivatives, as `Slopes`.

    The mechanism is made once and passed on to the same arm in other frames, under wrenches or in another motion.
    """

    def __init__(
        self,
        model: Model,
        graph: Graph,
        inputs: Mapping[str, Sequence[Any]],
        symbols: Mapping[str, Any],
        frames: str = OWN,
        wrenches: ExternalWrenches | None = None,
        kind: type[GraphNumbers] = GraphNumbers,
    ) -> None:
        """inputs: the nodes of each input array, by its name; symbols: a number or a node for each symbol

        frames, wrenches: as in `dynamics_of`; kind: how numbers become nodes
        """
        self.model = model
        self.graph = graph
        self.inputs = inputs
        self.frames = frames
        self.wrenches = wrenches or self._input_wrenches()
        q, qd, qdd = (self._named(name) for name in ("q", "qd", "qdd"))
        self.numbers = kind(graph, symbols, q, qd, qdd)
        # not a method: the dynamics keep it, and a reference cycle would leave the graph to the garbage collector
        self._mechanism: Callable[[], Mechanism] = cache(partial(Mechanism.of, model, self.numbers))

    @classmethod
    def with_ports(
        cls,
        system: System,
        ports: Sequence[PortRecord],
        values: Mapping[str, float],
        free: Sequence[str] = (),
    ) -> Self:
        """Returns the arm of a system in a new graph, where the arrays of ports and free symbols are inputs."""
        graph = Graph()
        inputs = {port.name: graph.input(port.name, port.shape(system), port.unit) for port in ports}
        symbols = {name: graph.input(name, (), system.tree.symbols[name].unit)[0] for name in free}
        return cls(system.tree, graph, inputs, {**values, **symbols})

    def _named(self, array: str) -> dict[str, Any]:
        names = self.model.positions if array == "q" else self.model.coordinates
        return dict(zip(names, self.inputs.get(array, ()), strict=False))

    @property
    def tree(self) -> Self:
        """Returns this arm, which has no loops."""
        return self

    @property
    def rates(self) -> tuple[str, ...]:
        """Returns the names of the velocities along which the equations are written."""
        return self.model.coordinates

    def onto(self, rows: Matrix) -> Matrix:
        """Returns rows for the joints as those for the rates, which are the same without loops."""
        return rows

    @property
    def reference(self) -> tuple[Sequence[Any], Sequence[Any]]:
        """Returns q̇_r and q̈_r of a reference motion; accelerations that are no input are zero."""
        return self.inputs["qd_r"], self.inputs.get("qdd_r", [0] * self.model.n)

    @property
    def links(self) -> Mechanism:
        """Returns the mechanism with the links' own frames."""
        return self._mechanism()

    @cached_property
    def dynamics(self) -> Dynamics:
        return dynamics_of(self.model, self.numbers, self._mechanism, self.frames, self.wrenches)

    def in_frames(self, frames: str) -> TracedArm:
        """Returns the same arm, to be computed in other frames."""
        # new objects, since a mechanism and its links may cache nodes that do not stay in the graph
        return self._with(replace(self.links, links=tuple(map(replace, self.links.links))), frames=frames)

    def pushed(self, wrenches: ExternalWrenches) -> TracedArm:
        """Returns the same arm under external wrenches."""
        return self._with(self.links, wrenches=wrenches)

    def in_motion(self, **inputs: Sequence[Any]) -> TracedArm:
        """Returns the same arm at the same position, with other arrays, such as qd and tau."""
        other = self._with(self.links, inputs={**self.inputs, **inputs})
        other._mechanism = cache(partial(self.links.in_motion, self.model, other.numbers))
        return other

    def _with(self, links: Mechanism, **changes: Any) -> TracedArm:
        own = {"inputs": self.inputs, "frames": self.frames, "wrenches": self.wrenches, "kind": type(self.numbers)}
        other = type(self)(self.model, self.graph, symbols=self.numbers.symbols, **{**own, **changes})
        other._mechanism = lambda: links
        return other

    def with_links(self, what: Words) -> LinkDynamics:
        """Returns the dynamics if they are of links with inertias, which `what` needs; else raises EvaluationError."""
        return with_links(self.dynamics, what, self.model.name)

    def _input_wrenches(self) -> ExternalWrenches | None:
        """Returns the input array of wrenches as forces, along the links' own axes."""
        rows = self.inputs.get("wrenches", ())
        each = [Force(Vec3(*rows[k + 3 : k + 6]), Vec3(*rows[k : k + 3])) for k in range(0, len(rows), 6)]
        return ExternalWrenches(lambda _: each) if each else None

    def evaluate(self, expression: Expression) -> Any:
        return expression.evaluate(self.numbers)

    def place(self, body: int | str | None) -> tuple[int, Pose]:
        """Returns the index of a link and a frame in it, for a link's index (negative from the end) or name.

        The frame is the link's own; for "tool" it is the tool's frame. None means the link that carries the tool.
        """
        check_links(self.model, say("motion-of-a-body"))
        names = [link.name for link in self.links.links]
        if body is None:
            return self.links.tool_link, Pose.identity()
        if isinstance(body, str) and body == TOOL:
            return self.links.tool_link, self.links.tool
        if isinstance(body, str) and body in names:
            return names.index(body), Pose.identity()
        if not isinstance(body, int) or not -len(names) <= body < len(names):
            remedy = self._body_near(body)
            raise EvaluationError("no-body", body=shortened(body), names=Listed(names), remedy=remedy)
        return body % len(names), Pose.identity()

    def _body_near(self, body: Any) -> Words:
        """Returns a remedy: the link of the joint with that name, or a link with a similar name."""
        for link in self.model.bodies:
            if isinstance(body, str) and body in (link.joint.name, link.joint.coordinate):
                return say("joint-moves-link", joint=repr(body), link=repr(link.name))
        return near(body, [link.name for link in self.model.bodies])

    # kinematics, and parameters of joints

    @cached_property
    def poses(self) -> list[Pose]:
        """Returns the links' frames in the base frame."""
        check_links(self.model, say("pose-of-a-body"))
        return kinematics.poses(self.links)

    @property
    def tool_pose(self) -> Pose:
        """Returns the tool's frame in the base frame."""
        return kinematics.tool_pose(self.links)

    def jacobian(self, link: int, point: Vec3) -> list[Twist | None]:
        """Returns the columns of a link's Jacobian at a point, in world axes; None for joints that do not move it."""
        return kinematics.jacobian(self.links, link, point)

    def body_jacobian(self, link: int) -> list[Twist | None]:
        """Returns the columns of a link's Jacobian along its own axes."""
        return kinematics.body_jacobian(self.links, link)

    @cached_property
    def mass_and_centre(self) -> tuple[Any, Vec3]:
        """Returns the mass of all links and their centre of mass in the base frame. raises EvaluationError: no mass"""
        self.with_links(say("centre-of-all-links"))
        mass, moment = centroidal.first_moment(self.links)
        if mass == 0 or getattr(mass, "constant", None) == 0:
            raise EvaluationError("robot-without-mass", where=self.model.name)
        return mass, moment * (1 / mass)

    def centroidal_momenta(self) -> list[Force]:
        """Returns for each rate the momentum of all links, along the base's axes, about their centre of mass."""
        return centroidal.momenta(self.links, self.mass_and_centre[1])

    def joint_parameters(self, armature: bool, friction: bool) -> list[tuple[str, int, Number]]:
        """Returns the kind, coordinate and value of each joint parameter."""
        return parameters_of(self.links, armature, friction)

    # forward dynamics

    @property
    def relieved(self) -> TracedArm:
        """Returns the arm without friction that grows with L, the joints' torques, under what is left of tau.

        It acts under what friction leaves of u = τ − f, where f is the other friction. `left` has ∂L/∂u for each joint.
        """
        return self._relieved or self

    @cached_property
    def _relieved(self) -> TracedArm | None:
        # not the arm itself where nothing is to be relieved: such a cycle would leave the graph to the collector
        gears = [each for each in self.links.effects if each.effect.of_load]
        if not gears:
            return None
        others = tuple(each for each in self.links.effects if not each.effect.of_load)
        smooth = self._with(replace(self.links, acting=lambda: others))
        friction, tau, left = smooth.dynamics.torques_of("friction"), list(self.inputs["tau"]), [1] * self.model.n
        for each in gears:
            k, u = each.dof, tau[each.dof] - friction[each.dof]
            share: Any = each.coefficient * each.sign
            tau[k] = friction[k] + left_of(u, share)
            left[k] = (1 - share * sign_of(u)) / (1 - share * share)
        smooth = smooth._with(smooth.links, inputs={**self.inputs, "tau": tau})
        smooth.left = left
        return smooth

    def loads(self) -> Torques:
        """Returns L, the joints' torques without friction, for the torques tau."""
        arm = self.relieved
        friction = arm.dynamics.torques_of("friction")
        return [tau - f for tau, f in zip(arm.inputs["tau"], friction, strict=True)]

    @cached_property
    def left(self) -> list[Any]:
        """Returns for each joint how the torque that reaches its bodies changes with tau; see `relieved`."""
        return [1] * self.model.n

    @cached_property
    def _factors(self) -> tuple[Any, Any, Any]:
        above = forward.ancestors(self.links)
        return *forward.factorised(self.dynamics.mass_matrix(), above, self.reciprocal), above

    def reciprocal(self, pivot: Any, k: int) -> Any:
        """Returns 1 / pivot; the pivot is the effective inertia of coordinate k. raises EvaluationError: it is zero"""
        if pivot == 0 or getattr(pivot, "constant", None) == 0:
            raise EvaluationError(
                "joint-without-inertia", where=self.model.name, coordinate=repr(self.model.coordinates[k])
            )
        return 1 / pivot

    def solve(self, b: Sequence[Any]) -> list[Any]:
        """Returns M⁻¹ b."""
        return forward.solved(*self._factors, b)

    def articulated_accelerations(self) -> list[Any]:
        """Returns q̈ for the torques tau by articulated bodies."""
        arm = self.relieved
        left = [t - b for t, b in zip(arm.inputs["tau"], arm.dynamics.outside(), strict=True)]
        return arm.with_links(say("recursion-for-accelerations")).articulated(left, self.reciprocal)

    def accelerations(self) -> list[Any]:
        """Returns q̈ for the torques tau by M and the bias."""
        arm = self.relieved
        return self.solve([t - b for t, b in zip(arm.inputs["tau"], arm.dynamics.bias(), strict=True)])

    def reactions(self) -> list[Force]:
        """Returns the wrench that each link's parent exerts on it."""
        return self.with_links(say("reactions-of-joints")).reactions()

    def torque_derivatives(self) -> tuple[Matrix, Matrix, Matrix]:
        """Returns (∂τ/∂q, ∂τ/∂q̇, M)."""
        return self.dynamics.torque_derivatives(self)

    def second_torque_derivatives(self) -> tuple[Tensor, ...]:
        """Returns ∂²τ/∂q∂q, ∂²τ/∂q̇∂q̇, ∂²τ/∂q∂q̇ and ∂M/∂q; the last index is that of the second derivative."""
        by_q, by_qd, M = self.torque_derivatives()

        def each(rows: Matrix, by: Callable[[Sequence[Number]], Matrix]) -> Tensor:
            return in_rows(by([entry for row in rows for entry in row]), len(rows))

        return each(by_q, self.by_q), each(by_qd, self.by_rates), each(by_q, self.by_rates), each(M, self.by_q)

    def acceleration_derivatives(self) -> tuple[Matrix, Matrix, Matrix]:
        """Returns ∂q̈/∂q = −M⁻¹ ∂τ/∂q and ∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇ with τ's derivatives at the motion's q̈, and ∂q̈/∂τ.

        ∂q̈/∂τ is M⁻¹; friction that grows with the joints' torques leaves less of τ, see `relieved`.
        """
        arm = self.relieved
        bias, tau = arm.dynamics.bias_beside_derivatives(arm), arm.inputs["tau"]
        moving = arm.with_accelerations(self.solve([t - b for t, b in zip(tau, bias, strict=True)]))
        by_q, by_qd, _ = moving.torque_derivatives()
        by_q, by_qd = less(by_q, self.by_q(tau)), less(by_qd, self.by_rates(tau))

        def through(rows: Matrix) -> Matrix:
            """Returns −M⁻¹ times a matrix, column by column."""
            columns = [self.solve([-x for x in column]) for column in zip(*rows, strict=True)]
            return [list(row) for row in zip(*columns, strict=True)]

        n = range(self.model.n)
        full = through([[-int(i == j) for j in n] for i in n])
        inverse = [[full[min(i, j)][max(i, j)] * arm.left[j] for j in n] for i in n]
        return through(by_q), through(by_qd), inverse

    def with_accelerations(self, qdd: Sequence[Any]) -> TracedArm:
        """Returns the same arm in the same graph, with other accelerations."""
        moved = self._with(replace(self.links, qdd=tuple(qdd)))
        moved.dynamics = self.dynamics.with_accelerations(qdd)
        return moved

    # derivatives, as in `Slopes`

    def by_q(self, values: Sequence[Number]) -> Matrix:
        """Returns ∂/∂q; for quasi-velocities these are derivatives along their vector fields."""
        slopes = derivatives.jacobian(values, self.inputs["q"])
        if not self.model.freedoms:
            return slopes
        of = [dict(zip(self.model.positions, row, strict=True)) for row in slopes]
        return [[summed(row[name] * rate for name, rate in field.items()) for field in self.fields] for row in of]

    @cached_property
    def fields(self) -> list[dict[str, Any]]:
        """Returns for each velocity the rates of the positions that change with it, by name."""
        quasi: dict[str, dict[str, Any]] = {}
        for freedoms in self.model.freedoms:
            quasi |= freedoms.fields({name: self.numbers.coordinate(name) for name in freedoms.positions})
        return [quasi.get(name, {name: 1}) for name in self.model.coordinates]

    @property
    def position_rates(self) -> list[Any]:
        """Returns the rates of the positions in q, which are q̇ unless a joint has a quaternion."""
        return self.rates_of_positions(self.inputs["qd"])

    def rates_of_positions(self, velocities: Sequence[Any]) -> list[Any]:
        """Returns the rates of the positions in q at some velocities, one for each entry of q̇."""
        if not self.model.freedoms:
            return list(velocities)
        rates: dict[str, list[Any]] = {name: [] for name in self.model.positions}
        for field, velocity in zip(self.fields, velocities, strict=True):
            for name, rate in field.items():
                rates[name].append(rate * velocity)
        return [summed(parts) for parts in rates.values()]

    def moved_by(self, step: Sequence[Any]) -> list[Any]:
        """Returns q after a small step, with one entry for each of q̇, to its first order; quaternions have norm 1."""
        rates = self.rates_of_positions(step)
        return with_unit_quaternions(self.model, [x + rate for x, rate in zip(self.inputs["q"], rates, strict=True)])

    def by_rates(self, values: Sequence[Number]) -> Matrix:
        return derivatives.jacobian(values, self.inputs["qd"])

    def along_the_motion(self, values: Sequence[Number]) -> list[Number]:
        rates = {q.index: rate for q, rate in zip(self.inputs["q"], self.position_rates, strict=True)}
        return derivatives.directional(values, rates)

    def with_accelerations_held(self, torques: Callable[[Sequence[Number]], Torques]) -> tuple[Matrix, Matrix]:
        accelerations = self.graph.unknowns(self.model.n)
        tau = torques(accelerations)
        values = {x.index: value for x, value in zip(accelerations, self.dynamics.mechanism.qdd, strict=True)}
        by_q, by_qd = (
            [derivatives.replaced(row, values) for row in rows] for rows in (self.by_q(tau), self.by_rates(tau))
        )
        return by_q, by_qd


def with_unit_quaternions(model: Model, new: Sequence[Any]) -> list[Any]:
    """Returns q, or a state that begins with it, with unit quaternions: a step changes their norms by its error."""
    new = list(new)
    for _, first in model.quaternions:
        parts = new[first : first + 4]
        norm = summed(part * part for part in parts).apply("sqrt")
        new[first : first + 4] = [part / norm for part in parts]
    return new


def left_of(u: Any, share: Any) -> Any:
    """Returns L = (u − σ |u|)/(1 − σ²), the only solution of L + σ |L| = u for −1 < σ < 1; share: σ = μ sgn q̇"""
    return (u - share * magnitude(u)) / (1 - share * share)


def less(rows: Matrix, others: Matrix) -> Matrix:
    """Returns the difference of two matrices."""
    return [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(rows, others, strict=True)]


def in_rows(slopes: Matrix, count: int) -> Tensor:
    """Returns derivatives of a matrix's entries, which follow each other row by row, in its rows."""
    width = len(slopes) // count
    return [slopes[k * width : (k + 1) * width] for k in range(count)]
