"""Recognizes the vectors of a Newton–Euler derivation by their values: accelerations and inertial forces of links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from qddot.algebra.expressions.expression import evaluator
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.quantities import Quantities
from qddot.physics.of_model import has_bodies
from qddot.teach.check.exact_arrays import exact_array
from qddot.teach.check.reading.exact.comparing import are_equal

NAME = re.compile(r"(?:dot)?(?:a|v|omega|w|alpha|F|f|N|n)[A-Za-z]{0,2}(?:dot|\.)?[A-Za-z]?\d*(?:hoch)?\d*")
ALONG = re.compile(r"a[A-Za-z]?\d?[xyzrnt]|a[xyzrnt][A-Za-z]?\d?")  # an acceleration along an axis
MOST_JOINTS = 3
Vector = tuple[Polynomial, ...]


class LinkMotions:
    """These are the accelerations of an arm's points and links, and its inertial forces, along the axes of any frame.

    The base may accelerate upwards in place of gravity.
    Source: Craig, Introduction to Robotics, 3rd ed., 6.5.
    """

    def __init__(self, eq: Quantities, ring: Ring) -> None:
        self.eq, self.exact, self.ring = eq, eq.in_joint_angles, ring

    def of(self, key: str, values: Sequence[Polynomial]) -> str:
        """Returns which vector has these components, in their order, zeros left out, or "" if none has."""
        model = self.eq.model
        has_motions = has_bodies(model) and not model.freedoms and self.eq.n <= MOST_JOINTS
        if not NAME.fullmatch(key) or not has_motions or len(values) not in (1, 3):
            return ""
        nonzero = [value for value in values if value]
        if len(values) == 3 and not nonzero:
            return "the moment of a point mass" if key.startswith("N") and self._has_point_masses else ""
        if ALONG.fullmatch(key) and len(nonzero) == 1:  # a_x, one of several components
            return next((what for what, vector in self._vectors if any(x and not x - nonzero[0] for x in vector)), "")
        return next((what for what, vector in self._vectors if are_equal(nonzero, [x for x in vector if x])), "")

    @property
    def _has_point_masses(self) -> bool:
        """Returns whether no link has an inertia about its centre of mass."""
        spins = [f"qd({name})" for name in self.eq.velocities]
        return not any(
            sum((self._moment(k, spin) for spin in spins), self.ring.zero) for k in range(len(self.eq.model.bodies))
        )

    def _moment(self, k: int, rate: str) -> Polynomial:
        """Returns a second derivative of the rotational energy of a link."""
        K = self.ring.convert(exact_array(self.exact, "K_links").entries[k])
        rates = [self._rate(coordinate) for coordinate in self._points[k][1]]
        moving = sum((x * x for x in rates), self.ring.zero) * self._masses[k] / 2
        once = self.ring.convert(self.ring.convert(K - moving).derivative(rate))
        return self.ring.convert(once.derivative(rate))

    @cached_property
    def _masses(self) -> list[Polynomial]:
        evaluate = evaluator(self.ring)
        return [self.ring.convert(evaluate(body.inertia.m)) for body in self.eq.model.bodies]

    @cached_property
    def _points(self) -> list[tuple[str, Vector]]:
        """Returns the centres of mass of all links, then the origins of their frames and of the tool's."""
        bodies = self.eq.model.bodies
        centres, poses, tool = self.exact.array("p_c"), self.exact.array("T"), self.exact.array("T_tool")
        points = [
            (f"the centre of mass of {body.name}", [centres[k, i] for i in range(3)]) for k, body in enumerate(bodies)
        ]
        points += [(f"the frame of {body.name}", [poses[k, i, 3] for i in range(3)]) for k, body in enumerate(bodies)]
        points += [("the tool", [tool[i, 3] for i in range(3)])]
        return [(what, tuple(self.ring.convert(x.entries[0]) for x in point)) for what, point in points]

    @cached_property
    def _frames(self) -> list[list[Vector]]:
        """Returns the axes of the base and of each link."""
        ring, poses = self.ring, self.exact.array("T")
        base = [tuple(ring.convert(int(i == j)) for i in range(3)) for j in range(3)]
        links = [
            [tuple(ring.convert(poses[k, i, j].entries[0]) for i in range(3)) for j in range(3)]
            for k in range(len(self.eq.model.bodies))
        ]
        return [base, *links]

    @cached_property
    def _vectors(self) -> list[tuple[str, Vector]]:
        return list(self._all())

    def _all(self) -> Iterator[tuple[str, Vector]]:
        ring, bodies = self.ring, self.eq.model.bodies
        jacobians = self.exact.array("J_c")
        rates = [ring.rate(name) for name in self.eq.velocities]
        forces = list[Vector]()
        gravity = [ring.convert(part) for part in self.eq.model.gravity.map(evaluator(ring))]
        for k, (what, point) in enumerate(self._points):
            falling = tuple(self._rate(self._rate(x)) for x in point)
            raised = tuple(a - g for a, g in zip(falling, gravity, strict=True))
            for acceleration in (raised, falling):
                yield from self._along(f"the acceleration of {what}", acceleration)
                if k < len(bodies):
                    force = tuple(self._masses[k] * a for a in acceleration)
                    forces += [force] if acceleration is raised else []
                    yield from self._along(f"the inertial force of {bodies[k].name}", force)
        for k, body in enumerate(bodies):
            spin = [
                sum((ring.convert(jacobians[k, i, j].entries[0]) * qd for j, qd in enumerate(rates)), ring.zero)
                for i in range(3, 6)
            ]
            yield from self._along(f"the angular acceleration of {body.name}", tuple(map(self._rate, spin)))
            outer = tuple(sum(parts, ring.zero) for parts in zip(*forces[k:], strict=True))
            yield from self._along(f"the force on {body.name}", outer)

    def _rate(self, value: Polynomial) -> Polynomial:
        return self.ring.convert(self.ring.time_derivative(value))

    def _along(self, what: str, vector: Vector) -> Iterator[tuple[str, Vector]]:
        for axes in self._frames:
            parts = (sum((a * b for a, b in zip(axis, vector, strict=True)), self.ring.zero) for axis in axes)
            yield what, tuple(map(self.ring.convert, parts))
