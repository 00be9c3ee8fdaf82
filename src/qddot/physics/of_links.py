"""Computes the dynamics of links with inertias; algorithms that few functions need are imported on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from qddot.algebra.spatial import Force, Number, Vec3, divided, inner
from qddot.physics.algorithms import composite, energies
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import OWN, SLID, Dynamics, Matrix, Slopes, Torques
from qddot.physics.mechanism import Mechanism
from qddot.robot.effects.acting import summed_torques, with_inertias

if TYPE_CHECKING:
    from qddot.physics.algorithms.external_wrenches import ExternalWrenches


class LinkDynamics(Dynamics):
    """These dynamics come from recursions over links.

    regrouped: the same arm with the fewest constants, for quantities that do not depend on link frames
    """

    has_bodies = True

    def __init__(
        self, mechanism: Callable[[], Mechanism], frames: str = OWN, wrenches: ExternalWrenches | None = None
    ) -> None:
        """frames: OWN, AT_JOINTS or SLID, for quantities that do not depend on the frames"""
        super().__init__(mechanism, wrenches)
        self._frames = frames

    @cached_property
    def regrouped(self) -> Mechanism:
        if self._frames == OWN:
            return self.mechanism
        from qddot.physics.frames.regrouped import regrouped

        pushed = self.wrenches.links if self.wrenches else None
        return regrouped(self.mechanism, self._frames == SLID, pushed or ())

    @property
    def moving(self) -> Mechanism:
        return self.mechanism if self.wrenches and self.wrenches.links is None else self.regrouped

    def explicit_derivation(self) -> Derivation | None:
        return None

    def body_mass_matrix(self) -> Matrix:
        return composite.mass_matrix(self.regrouped)

    def gravity_torques(self) -> Torques:
        return composite.gravity_torques(self.regrouped)

    def velocity_torques(self) -> Torques:
        return self.with_accelerations((0,) * self.mechanism.n).without_weight()

    def without_weight(self) -> Torques:
        from qddot.physics.algorithms import newton_euler

        return newton_euler.inverse_dynamics(replace(self.regrouped, gravity=Vec3.zero())).tau

    def body_torques(self) -> Torques:
        from qddot.physics.algorithms import newton_euler

        return newton_euler.inverse_dynamics(self.moving, self.external).tau

    def kinetic_energy(self, at_links: bool = True) -> Number:
        bodies = energies.kinetic_energy(self.mechanism if at_links else self.regrouped)
        return sum((each.kinetic_energy(self.mechanism) for each in self.mechanism.effects), start=bodies)

    def potential_energy(self, at_links: bool = True) -> Number:
        return energies.potential_energy(self.mechanism if at_links else self.regrouped)

    def coriolis_matrix(self, slopes: Slopes | None = None) -> Matrix:
        """Returns C_ij = Σ_k Γ_ijk q̇_k, as ½ ∂h/∂q̇ or, with slopes, as ½ (Ṁ_ij + ∂p_i/∂q_j − ∂p_j/∂q_i), p = M q̇.

        With quasi-velocities it is ½ ∂h/∂ν + ½ M A with A_lj = Σ_k c^l_kj ν_k, from their brackets.
        """
        if self.mechanism.brackets:
            return self._coriolis_of_quasi_velocities()
        if slopes is None:
            from qddot.physics.algorithms.sensitivities import inverse_dynamics_derivatives
            from qddot.physics.frames.regrouped import at_joints

            _, by_qd, _ = inverse_dynamics_derivatives(at_joints(self.mechanism))
            return [[divided(entry, 2) for entry in row] for row in by_qd]
        n, M = range(self.mechanism.n), self.mass_matrix()
        rates = slopes.along_the_motion([entry for row in M for entry in row])
        by_q = slopes.by_q(energies.momentum(M, self.mechanism.qd))
        return [[0.5 * (rates[i * len(n) + j] + (by_q[i][j] - by_q[j][i])) for j in n] for i in n]

    def _coriolis_of_quasi_velocities(self) -> Matrix:
        from qddot.physics.algorithms.sensitivities import inverse_dynamics_derivatives
        from qddot.physics.frames.regrouped import at_joints

        n, (_, by_rates, M) = range(self.mechanism.n), inverse_dynamics_derivatives(at_joints(self.regrouped))
        A: Matrix = [[0] * self.mechanism.n for _ in n]
        for (k, j), terms in self.mechanism.brackets.items():
            for place, c in terms:
                A[place][j] = A[place][j] + self.mechanism.qd[k] * c
        turned = [[inner(M[i], (row[j] for row in A)) for j in n] for i in n]
        return [[divided(by_rates[i][j] + turned[i][j], 2) for j in n] for i in n]

    @property
    def has_short_mass_matrix_along_base(self) -> bool:
        from qddot.physics.algorithms.base_axes import pays_for_mass_matrix

        return not self.mechanism.brackets and pays_for_mass_matrix(self.mechanism)

    @property
    def has_short_coriolis_matrix_along_base(self) -> bool:
        from qddot.physics.algorithms.base_axes import pays_for_coriolis_matrix

        return not self.mechanism.brackets and pays_for_coriolis_matrix(self.mechanism)

    def mass_matrix_along_base(self) -> Matrix:
        """Returns M, armature included, from products along the base's axes."""
        from qddot.physics.algorithms import base_axes
        from qddot.physics.frames.regrouped import at_joints

        return with_inertias(base_axes.mass_matrix(at_joints(self.mechanism)), self.mechanism.effects)

    def coriolis_matrix_along_base(self) -> Matrix:
        """Returns C from products along the base's axes."""
        from qddot.physics.algorithms import base_axes
        from qddot.physics.frames.regrouped import at_joints

        return base_axes.coriolis_matrix(at_joints(self.mechanism))

    def body_derivatives(self, slopes: Slopes) -> tuple[Matrix, Matrix, Matrix]:
        from qddot.physics.algorithms.sensitivities import inverse_dynamics_derivatives
        from qddot.physics.frames.regrouped import at_joints

        moving = at_joints(self.regrouped) if self._frames == OWN else self.regrouped
        return inverse_dynamics_derivatives(moving)

    def bias_beside_derivatives(self, slopes: Slopes) -> Torques:
        """Returns G + ½ (∂h/∂q̇) q̇ and the other effects, since h is quadratic in q̇ (Euler's theorem)."""
        _, by_qd, _ = self.with_accelerations([0] * self.mechanism.n).body_derivatives(slopes)
        halves = [rate * 0.5 for rate in self.mechanism.qd]
        h = [inner(row, halves) for row in by_qd]
        G = self.gravity_torques()
        outside = self.outside(lambda: self.loads(h, G))
        return [a + b + c for a, b, c in zip(h, G, outside, strict=True)]

    def reactions(self) -> list[Force]:
        """Returns the wrench that each link's parent exerts on it."""
        from qddot.physics.algorithms.newton_euler import inverse_dynamics

        external = self.wrenches.on(self.mechanism) if self.wrenches else ()
        return inverse_dynamics(self.mechanism, external).reaction

    def regressor(self) -> Matrix:
        """Returns Y with τ = Y π of the bodies."""
        from qddot.physics.algorithms.regressor import regressor

        return regressor(self.mechanism)

    def articulated(self, tau: Sequence[Number], reciprocal: Any) -> Torques:
        """Returns q̈ by the articulated-body algorithm, from the torques on bodies and armature.

        reciprocal: (D, k) → 1 / D
        """
        from qddot.physics.algorithms.articulated import forward_dynamics

        armature = summed_torques(
            self.mechanism.n, self.effects("armature"), replace(self.mechanism, qdd=(1,) * self.mechanism.n)
        )
        return forward_dynamics(self.moving, tau, armature, self.external, reciprocal)

    def with_accelerations(self, qdd: Sequence[Number]) -> Self:
        moved = super().with_accelerations(qdd)
        moved.regrouped = replace(self.regrouped, qdd=tuple(qdd))
        return moved

    def _with_rates(self, qd: Sequence[Number]) -> Self:
        moved = super()._with_rates(qd)
        moved.regrouped = replace(self.regrouped, qd=tuple(qd))
        return moved
