"""One arm in a graph: its inputs, its mechanism, the effects in its joints, and what its functions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from qddot.dynamics import (
    composite,
    coriolis,
    effects,
    energy,
    forward,
    newton_euler,
    regressor,
    sensitivities,
)
from qddot.dynamics.explicit import Entries
from qddot.errors import EvaluationError, near, shortened
from qddot.model.expressions import Expression
from qddot.model.mechanism import Mechanism
from qddot.model.model import Model
from qddot.model.regroup import at_joints, regrouped
from qddot.numbers.graph import GraphNumbers
from qddot.program import derivatives
from qddot.program.graph import Graph
from qddot.spatial import Force, Pose, Vec3

TOOL = "tool"  # as a body: the tool's frame
UNITS = {"q": "rad or m", "qd": "rad/s or m/s", "qdd": "rad/s^2 or m/s^2", "tau": "N m or N", "wrenches": "N, N m"}


def arm_of(model: Model) -> type[Arm]:
    """The kind of arm that a model is: of links, or of equations that are given entry by entry."""
    return Arm if model.explicit is None else ExplicitArm


class Arm:
    """One arm in a graph: its inputs, its mechanism, and the effects in its joints."""

    def __init__(
        self,
        model: Model,
        graph: Graph,
        given: Mapping[str, Sequence[Any]],
        symbols: Mapping[str, Any],
        variant: bool | None,
    ) -> None:
        """given: nodes by the array's name; symbols: a number or a node each; variant: see `short`."""
        self.model = model
        self.graph = graph
        self.given = given
        self.variant = variant
        q, qd, qdd = (self._named(name) for name in ("q", "qd", "qdd"))
        self.numbers = GraphNumbers(graph, symbols, q, qd, qdd)

    @classmethod
    def with_ports(
        cls,
        model: Model,
        arrays: Sequence[str],
        values: Mapping[str, float],
        free: Sequence[str],
        variant: bool | None,
    ) -> Arm:
        """In a graph of its own, where arrays and free symbols are inputs."""
        graph, shapes = Graph(), {"wrenches": (len(model.bodies), 6)}
        given = {name: graph.input(name, shapes.get(name, (model.n,)), UNITS[name]) for name in arrays}
        symbols = {name: graph.input(name, (), model.symbols[name].unit)[0] for name in free}
        return cls(model, graph, given, {**values, **symbols}, variant)

    def _named(self, array: str) -> dict[str, Any]:
        return dict(zip(self.model.coordinates, self.given.get(array, ()), strict=False))

    @cached_property
    def links(self) -> Mechanism:
        """With the links' own frames."""
        return Mechanism.of(self.model, self.numbers)

    @cached_property
    def short(self) -> Mechanism:
        """With the fewest constants, for functions that no link's frame enters.

        variant: None leaves the links as they are, True slides frames along their axes, False does not
        """
        return self.links if self.variant is None else regrouped(self.links, self.variant)

    def evaluate(self, expression: Expression) -> Any:
        return expression.evaluate(self.numbers)

    def q(self, i: int) -> Any:
        return self.given["q"][i]

    def place(self, body: int | str | None) -> tuple[int, Pose]:
        """A link, by its index (negative from the end) or its name, and the frame meant in it: its own.

        None: the link that carries the tool; "tool": the tool's frame in it
        """
        names = [link.name for link in self.links.links]
        if body is None:
            return self.links.tool_link, Pose.identity()
        if isinstance(body, str) and body == TOOL:
            return self.links.tool_link, self.links.tool
        if isinstance(body, str) and body in names:
            return names.index(body), Pose.identity()
        if not isinstance(body, int) or not -len(names) <= body < len(names):
            known = f"{', '.join(names)}, an index or {TOOL!r}"
            raise EvaluationError(f"no body {shortened(body)}", expected=known, remedy=self._body_near(body))
        return body % len(names), Pose.identity()

    def _body_near(self, body: Any) -> str:
        """The body of the joint with that name, if there is one, or a body with a name like it."""
        for link in self.model.bodies:
            if isinstance(body, str) and body in (link.joint.name, link.joint.coordinate):
                return f"joint {body!r} moves {link.name!r}"
        return near(body, [link.name for link in self.model.bodies])

    # what the functions share

    def mass_matrix(self) -> list[list[Any]]:
        return effects.add_armature(self.body_inertia(), self.model, self.evaluate)

    def body_inertia(self) -> list[list[Any]]:
        """M without the rotors."""
        return composite.mass_matrix(self.short)

    def gravity(self) -> list[Any]:
        return composite.gravity_torques(self.short)

    def kinetic_energy(self, at_links: bool = True) -> Any:
        """½ q̇ᵀ M q̇; at_links: in the links' own frames, else in those of the fewest constants."""
        rotors = effects.armature_energy(self.model, tuple(self.given["qd"]), self.evaluate)
        return energy.kinetic_energy(self.links if at_links else self.short) + rotors

    def potential_energy(self, at_links: bool = True) -> Any:
        """P of gravity."""
        return energy.potential_energy(self.links if at_links else self.short)

    def coriolis_matrix(self) -> list[list[Any]]:
        """C_ij = ½ (Ṁ_ij + ∂p_i/∂q_j − ∂p_j/∂q_i) with p = M q̇: the same as Σ_k Γ_ijk q̇_k."""
        n, M = range(self.model.n), self.mass_matrix()
        flat = derivatives.directional([entry for row in M for entry in row], self.along_the_motion())
        slopes = derivatives.jacobian(energy.momentum(M, tuple(self.given["qd"])), self.given["q"])
        return [[0.5 * (flat[i * len(n) + j] + (slopes[i][j] - slopes[j][i])) for j in n] for i in n]

    def reactions(self) -> list[Force]:
        """The wrench that each link's parent exerts on it."""
        return newton_euler.inverse_dynamics(self.links).reaction

    def regressor(self, armature: bool = False, friction: bool = False) -> list[list[Any]]:
        """Y with τ = Y π of the links, and of the joints' own parameters where they are asked for."""
        rows = regressor.regressor(self.links)
        kinds = {"Ia": self.links.qdd, "Fv": self.given["qd"], "Fc": [qd.apply("sign") for qd in self.given["qd"]]}
        for kind, coordinate, _ in effects.joint_parameters(self.model, armature, friction, self.evaluate):
            for i, q in enumerate(self.model.coordinates):
                rows[i].append(kinds[kind][i] if q == coordinate else 0)
        return rows

    @cached_property
    def _factors(self) -> tuple[Any, Any, Any]:
        above = forward.ancestors(self.links)
        return *forward.factorised(self.mass_matrix(), above, self._reciprocal), above

    def _reciprocal(self, pivot: Any, k: int) -> Any:
        if pivot == 0 or getattr(pivot, "constant", None) == 0:
            raise EvaluationError(
                f"the mass matrix is singular: nothing that joint {self.model.coordinates[k]!r} moves has inertia",
                where=self.model.name,
                remedy="give its links mass, or the joint an armature",
            )
        return 1 / pivot

    def solve(self, b: Sequence[Any]) -> list[Any]:
        """M⁻¹ b."""
        return forward.solved(*self._factors, b)

    def outside(self) -> list[Any]:
        """Friction and springs."""
        sign = lambda i: self.given["qd"][i].apply("sign")  # noqa: E731
        friction = effects.friction_torques(self.model, tuple(self.given["qd"]), sign, self.evaluate)
        springs = effects.spring_torques(self.model, self.q, self.evaluate)
        return [a + b for a, b in zip(friction, springs, strict=True)]

    def torques(self) -> list[Any]:
        """Inverse dynamics with all effects and, where there are any, external wrenches."""
        rotors = effects.armature_torques(self.model, self.short.qdd, self.evaluate)
        return [a + b + c for a, b, c in zip(self.body_torques(), rotors, self.outside(), strict=True)]

    def body_torques(self) -> list[Any]:
        """M q̈ + h + G of the bodies, less what external wrenches supply."""
        moving = self.links if "wrenches" in self.given else self.short
        motion = newton_euler.outward(moving)
        inertial = [newton_euler.inertial_wrench(a.inertia, b) for a, b in zip(moving.links, motion, strict=True)]
        reaction = newton_euler.inward(moving, [a + b for a, b in zip(inertial, self.pushes(), strict=True)])
        return newton_euler.joint_torques(moving, reaction)

    def pushes(self) -> list[Force]:
        """Minus the external wrench on each link, which the joints need not supply."""
        given = self.given.get("wrenches")
        if given is None:
            return [Force.zero()] * len(self.links.links)
        rows = [given[6 * k : 6 * k + 6] for k in range(len(self.links.links))]
        return [Force(-Vec3(*row[3:]), -Vec3(*row[:3])) for row in rows]

    def bias(self) -> list[Any]:
        """Inverse dynamics at q̈ = 0."""
        return self.with_accelerations([0] * self.model.n).torques()

    def bias_by_slopes(self) -> list[Any]:
        """The same as G + ½ (∂h/∂q̇) q̇ and the other effects, where the slopes are needed in any case: h is quadratic
        in q̇ (Euler's theorem on homogeneous functions)."""
        _, slopes, _ = self.with_accelerations([0] * self.model.n).body_derivatives()
        halves = [rate * 0.5 for rate in self.given["qd"]]
        h = [sum((a * b for a, b in zip(row, halves, strict=True)), start=0) for row in slopes]
        return [a + b + c for a, b, c in zip(h, self.gravity(), self.outside(), strict=True)]

    def body_derivatives(self) -> tuple[list[list[Any]], list[list[Any]], list[list[Any]]]:
        """(∂τ/∂q, ∂τ/∂q̇, M) of the bodies."""
        moving = self.short if self.variant is not None else at_joints(self.short)
        return sensitivities.inverse_dynamics_derivatives(moving)

    def torque_derivatives(self) -> tuple[list[list[Any]], list[list[Any]], list[list[Any]]]:
        """(∂τ/∂q, ∂τ/∂q̇, M) with all effects."""
        by_q, by_qd, M = self.body_derivatives()
        outside, n = self.outside(), range(self.model.n)
        beside = [derivatives.jacobian(outside, self.given[name]) for name in ("q", "qd")]
        full = [
            [[rows[i][j] + more[i][j] for j in n] for i in n] for rows, more in zip((by_q, by_qd), beside, strict=True)
        ]
        return full[0], full[1], effects.add_armature(M, self.model, self.evaluate)

    def with_accelerations(self, qdd: Sequence[Any]) -> Arm:
        """The same arm in the same graph, with q̈ given as numbers."""
        moved = copy(self)
        moved.links = replace(self.links, qdd=tuple(qdd))
        moved.short = replace(self.short, qdd=tuple(qdd))
        return moved

    def along_the_motion(self) -> dict[int, Any]:
        """The rate of each coordinate, by its node."""
        return {q.index: rate for q, rate in zip(self.given["q"], self.given["qd"], strict=True)}


class ExplicitArm(Arm):
    """An arm whose equations are given entry by entry; its links give the geometry alone."""

    @cached_property
    def entries(self) -> Entries:
        assert self.model.explicit is not None
        return Entries(self.model, self.model.explicit, self.numbers)

    def body_inertia(self) -> list[list[Any]]:
        return self.entries.mass_matrix()

    def body_torques(self) -> list[Any]:
        tau = self.entries.inverse_dynamics(self.links.qd, self.short.qdd)
        supplied = newton_euler.joint_torques(self.links, newton_euler.inward(self.links, self.pushes()))
        return [a + b for a, b in zip(tau, supplied, strict=True)]

    def gravity(self) -> list[Any]:
        return self.entries.gravity_torques()

    def kinetic_energy(self, at_links: bool = True) -> Any:
        qd = tuple(self.given["qd"])
        momentum = energy.momentum(self.mass_matrix(), qd)
        return sum((p * rate for p, rate in zip(momentum, qd, strict=True)), start=0) * 0.5

    def potential_energy(self, at_links: bool = True) -> Any:
        return self.entries.potential_energy()

    def bias_by_slopes(self) -> list[Any]:
        """From the entries, which need no slopes."""
        return self.bias()

    def body_derivatives(self) -> tuple[list[list[Any]], list[list[Any]], list[list[Any]]]:
        """By the derivatives of the torques at accelerations that are held."""
        held = self.graph.unknowns(self.model.n)
        torques = self.with_accelerations(held).body_torques()
        values = {x.index: value for x, value in zip(held, self.short.qdd, strict=True)}
        slopes = [derivatives.jacobian(torques, self.given[name]) for name in ("q", "qd")]
        by_q, by_qd = ([derivatives.replaced(row, values) for row in rows] for rows in slopes)
        return by_q, by_qd, self.body_inertia()

    def coriolis_matrix(self) -> list[list[Any]]:
        return coriolis.coriolis_matrix(self.entries.christoffel(), self.links.qd)

    def reactions(self) -> list[Force]:
        raise self._without_inertias("the joints' reactions")

    def regressor(self, armature: bool = False, friction: bool = False) -> list[list[Any]]:
        raise self._without_inertias("a regressor")

    def _without_inertias(self, what: str) -> EvaluationError:
        return EvaluationError(
            "the equations are given entry by entry, as those of a textbook form are: "
            f"without the links' inertias there is no such thing as {what}",
            where=self.model.name,
        )
