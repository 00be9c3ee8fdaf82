"""Computes the dynamics of a model whose equations are given entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Self

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.in_motion import InMotion
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.algebra.spatial import Number, divided, inner
from qddot.base.errors import EvaluationError
from qddot.physics.algorithms import coriolis
from qddot.physics.algorithms import external_wrenches as external
from qddot.physics.algorithms.external_wrenches import ExternalWrenches
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import Dynamics, Loads, Matrix, Slopes, Torques
from qddot.physics.mechanism import Mechanism
from qddot.robot.effects.acting import DISSIPATION
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
        self._numbers = InMotion(numbers, model.coordinates, model.turning_coordinates, explicit.names)
        self._explicit = explicit

    @property
    def _is_quadratic(self) -> bool:
        """Returns whether M depends on q alone."""
        return self._explicit.lagrangian is None or self._explicit.lagrangian.is_quadratic

    def _matrix(self, rows: Sequence[Sequence[Expression]]) -> Matrix:
        return [[entry.evaluate(self._numbers) for entry in row] for row in rows]

    def explicit_derivation(self) -> Derivation | None:
        return Derivation(self.body_mass_matrix(), self._christoffel(), self.gravity_torques())

    def body_mass_matrix(self) -> Matrix:
        if not self._is_quadratic and not self._numbers.has_rates:
            raise EvaluationError("mass-matrix-of-rates")
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

    def without_weight(self) -> Torques:
        """Returns M q̈ + h."""
        rows = zip(self.body_mass_matrix(), self.velocity_torques(), strict=True)
        return [inner(row, self.mechanism.qdd) + h for row, h in rows]

    def following(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> Self:
        if not self._is_quadratic:
            raise EvaluationError("no-coriolis-matrix")
        return super().following(qd_r, qdd_r)

    def body_torques(self) -> Torques:
        """Returns M q̈ + h + G, minus what external wrenches supply."""
        tau = [weight + own for weight, own in zip(self.gravity_torques(), self.without_weight(), strict=True)]
        if not self.external:
            return tau
        return [a + b for a, b in zip(tau, external.torques(self.mechanism, [-w for w in self.external]), strict=True)]

    def torques_of(self, part: str, loads: Loads | None = None) -> Torques:
        torques = super().torques_of(part, loads)
        of = self._explicit.lagrangian
        entries = {"friction": of.friction, "forces": of.forces}.get(part) if of else None
        if entries is None:
            return torques
        return [a + b for a, b in zip(torques, self._matrix([entries])[0], strict=True)]

    def loss(self, account: str, loads: Loads | None = None) -> Number:
        of = self._explicit.lagrangian
        if account != DISSIPATION or of is None:
            return super().loss(account, loads)
        return inner(self.mechanism.qd, self._matrix([of.friction])[0])  # type: ignore[no-any-return]

    def supplied(self) -> Number:
        of = self._explicit.lagrangian
        if of is None:
            return 0
        *Q, power_of_time = self._matrix([[*of.Q, of.power_of_time]])[0]
        return power_of_time + (inner(self.mechanism.qd, Q) if Q else 0)

    @property
    def lagrangian(self) -> tuple[Number, Number, Torques] | None:
        of = self._explicit.lagrangian
        if of is None:
            return None
        K, P, D, *Q = self._matrix([of.parts])[0]
        return K - P, D, Q or [0] * len(of.coordinates)

    def kinetic_energy(self, at_links: bool = True) -> Number:
        if (of := self._explicit.lagrangian) and not of.is_quadratic:
            return self._matrix([[of.kinetic]])[0][0]
        return divided(inner(self.momentum(), self.mechanism.qd), 2)  # type: ignore[no-any-return]

    def momentum(self) -> list[Number]:
        of = self._explicit.lagrangian
        return self._matrix([of.momenta])[0] if of and not of.is_quadratic else super().momentum()

    def potential_energy(self, at_links: bool = True) -> Number:
        return self._matrix([[self._explicit.P]])[0][0]

    def coriolis_matrix(self, slopes: Slopes | None = None) -> Matrix:
        if not self._is_quadratic:
            raise EvaluationError("no-coriolis-matrix")
        return coriolis.coriolis_matrix(self._christoffel(), self.mechanism.qd)

    def body_derivatives(self, slopes: Slopes) -> tuple[Matrix, Matrix, Matrix]:
        by_q, by_qd = slopes.with_accelerations_held(lambda qdd: self.with_accelerations(qdd).body_torques())
        return by_q, by_qd, self.body_mass_matrix()

    def bias_beside_derivatives(self, slopes: Slopes) -> Torques:
        return self.bias()
