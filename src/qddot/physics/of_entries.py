"""Computes the dynamics of a model whose equations are given entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import double_angle, multiple_of_angle, sum_of_angles
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.algebra.spatial import Number, divided, inner
from qddot.physics.algorithms import coriolis
from qddot.physics.algorithms import external_wrenches as external
from qddot.physics.algorithms.external_wrenches import ExternalWrenches
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import Dynamics, Matrix, Slopes, Torques
from qddot.physics.mechanism import Mechanism
from qddot.robot.explicit import ExplicitEquations
from qddot.robot.model import Model


class EntryDynamics(Dynamics):
    """These dynamics come from M, B, C2, G and P, which the model contains; its links have poses but no inertia."""

    has_bodies = False

    def __init__(
        self,
        model: Model,
        explicit: ExplicitEquations,
        numbers: StateNumbers,
        mechanism: Callable[[], Mechanism],
        wrenches: ExternalWrenches | None = None,
    ) -> None:
        super().__init__(mechanism, wrenches)
        turning = [str(body.joint.coordinate) for body in model.moving() if body.joint.turns]
        self._numbers = _InMotion(numbers, turning, model.coordinates, explicit.names)
        self._explicit = explicit

    def _matrix(self, rows: Sequence[Sequence[Expression]]) -> Matrix:
        return [[entry.evaluate(self._numbers) for entry in row] for row in rows]

    def explicit_derivation(self) -> Derivation | None:
        return Derivation(self.body_mass_matrix(), self._christoffel(), self.gravity_torques())

    def body_mass_matrix(self) -> Matrix:
        return self._matrix(self._explicit.M)

    def _christoffel(self) -> list[Matrix]:
        """Returns Γ_ijk = Γ_ikj = ½ B_i,jk and Γ_ijj = C2_ij."""
        B, C2 = self._matrix(self._explicit.B), self._matrix(self._explicit.C2)
        n = len(C2)
        christoffel: list[Matrix] = [[[0] * n for _ in range(n)] for _ in range(n)]
        for i in range(n):
            for (j, k), entry in zip(combinations(range(n), 2), B[i], strict=True):
                christoffel[i][j][k] = christoffel[i][k][j] = divided(entry, 2)
            for j in range(n):
                christoffel[i][j][j] = C2[i][j]
        return christoffel

    def gravity_torques(self) -> Torques:
        return self._matrix([self._explicit.G])[0]

    def velocity_torques(self) -> Torques:
        """Returns B [q̇_j q̇_k] + C2 [q̇_j²]."""
        qd, explicit = self.mechanism.qd, self._explicit
        products = [qd[j] * qd[k] for j, k in combinations(range(len(qd)), 2)]
        squares = [rate * rate for rate in qd]
        rows = zip(self._matrix(explicit.B), self._matrix(explicit.C2), strict=True)
        return [inner(of_products, products) + inner(of_squares, squares) for of_products, of_squares in rows]

    def body_torques(self) -> Torques:
        """Returns M q̈ + h + G, minus what external wrenches supply."""
        parts = self.body_mass_matrix(), self.velocity_torques(), self.gravity_torques()
        tau = [weight + inner(row, self.mechanism.qdd) + h for row, h, weight in zip(*parts, strict=True)]
        if not self.external:
            return tau
        return [a + b for a, b in zip(tau, external.torques(self.mechanism, [-w for w in self.external]), strict=True)]

    def kinetic_energy(self, at_links: bool = True) -> Number:
        return divided(inner(self.momentum(), self.mechanism.qd), 2)  # type: ignore[no-any-return]

    def potential_energy(self, at_links: bool = True) -> Number:
        return self._matrix([[self._explicit.P]])[0][0]

    def coriolis_matrix(self, slopes: Slopes | None = None) -> Matrix:
        return coriolis.coriolis_matrix(self._christoffel(), self.mechanism.qd)

    def body_derivatives(self, slopes: Slopes) -> tuple[Matrix, Matrix, Matrix]:
        by_q, by_qd = slopes.with_accelerations_held(lambda qdd: self.with_accelerations(qdd).body_torques())
        return by_q, by_qd, self.body_mass_matrix()

    def bias_beside_derivatives(self, slopes: Slopes) -> Torques:
        return self.bias()


class _InMotion:
    """This kind of number evaluates names of coordinates, and angles that contain them, in the state.

    names: names of constants, each of which is computed once from its definition
    """

    def __init__(
        self,
        numbers: StateNumbers,
        turning: Collection[str],
        coordinates: Collection[str],
        names: Mapping[str, Expression],
    ) -> None:
        self._numbers, self._turning, self._coordinates, self._names = numbers, turning, coordinates, names
        self._constants: dict[str, Any] = {}
        self._pairs: dict[Angle, tuple[Any, Any]] = {}
        self.rational, self.root = numbers.rational, numbers.root

    def symbol(self, name: str) -> Any:
        if name in self._names:
            if name not in self._constants:
                self._constants[name] = self._names[name].evaluate(self._numbers)
            return self._constants[name]
        return self._numbers.coordinate(name) if name in self._coordinates else self._numbers.symbol(name)

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        """Returns (cos, sin) of an angle from those of the joints' angles; each angle is computed once."""
        if angle not in self._pairs:
            self._pairs[angle] = self._pair(angle)
        return self._pairs[angle]

    def _pair(self, angle: Angle) -> tuple[Any, Any]:
        moving = tuple((name, n) for name, n in angle.symbols if name in self._turning)
        if not moving:
            return self._numbers.circular(angle)
        if len(moving) < len(angle.symbols) or angle.pi or angle.radians:
            still = Angle(angle.pi, angle.radians, tuple(part for part in angle.symbols if part not in moving))
            return sum_of_angles(self._numbers.circular(still), self.circular(Angle(symbols=moving)))
        if all(n % 2 == 0 for _, n in moving):
            return double_angle(self.circular(angle * Fraction(1, 2)))
        if any(n.denominator != 1 for _, n in moving):
            return reduce(sum_of_angles, (self._numbers.cos_sin(name, n) for name, n in moving))
        # 2 q2 + q3 is q2 + (q2 + q3), and q2 + q3 is needed anyway
        once = Angle(symbols=tuple((name, Fraction(1 if n > 0 else -1)) for name, n in moving))
        if once != angle:
            return sum_of_angles(self.circular(once), self.circular(angle - once))
        pairs = [multiple_of_angle(self._numbers.cos_sin(name), int(n)) for name, n in moving]
        return reduce(sum_of_angles, pairs)
