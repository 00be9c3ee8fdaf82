"""Computes the dynamics of a closed chain along the rates u of its independent coordinates: q̇ = R u, q̈ = R u̇ + s.

The forces of the loops do no work along R, so that M̄ = Rᵀ M R, C̄ = Rᵀ (C R + M Ṙ), and all torques are Rᵀ times those
of the tree. Source: Murray, Li, Sastry, *A Mathematical Introduction to Robotic Manipulation*, 1994, §6.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qddot.algebra.spatial import Number, inner
from qddot.physics.dynamics import Dynamics, Matrix, Slopes, Torques


class LoopDynamics:
    """These are the equations of motion of a closed chain; tree: those of its links without the loops."""

    def __init__(self, tree: Dynamics, columns: Matrix, drift: Callable[[], Sequence[Number]]) -> None:
        """columns: those of R; drift: returns s, the accelerations at u̇ = 0"""
        self.tree, self._columns, self._drift = tree, columns, drift

    def onto(self, torques: Sequence[Number]) -> Torques:
        """Returns Rᵀ τ, the torques of all joints along the independent coordinates."""
        return [inner(column, torques) for column in self._columns]

    def _at_rest(self) -> Dynamics:
        """Returns the tree's dynamics in the motion with u̇ = 0."""
        return self.tree.with_accelerations(self._drift())

    def mass_matrix(self) -> Matrix:
        """Returns M̄."""
        M = self.tree.mass_matrix()
        MR = [[inner(row, column) for row in M] for column in self._columns]
        m = range(len(self._columns))
        return [[inner(self._columns[min(i, j)], MR[max(i, j)]) for j in m] for i in m]

    def inverse_dynamics(self) -> Torques:
        """Returns Rᵀ τ, all effects included."""
        return self.onto(self.tree.inverse_dynamics())

    def bias(self) -> Torques:
        """Returns Rᵀ τ at u̇ = 0."""
        return self.onto(self._at_rest().inverse_dynamics())

    def gravity_torques(self) -> Torques:
        """Returns Ḡ."""
        return self.onto(self.tree.gravity_torques())

    def velocity_torques(self) -> Torques:
        """Returns C̄ u."""
        inertial = (inner(row, self._drift()) for row in self.tree.mass_matrix())
        return self.onto([h + force for h, force in zip(self.tree.velocity_torques(), inertial, strict=True)])

    def coriolis_torques(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> Torques:
        """Returns M̄ u̇_r + C̄ u_r for q̇_r = R u_r and q̈_r = R u̇_r + Ṙ u_r."""
        return self.onto(self.tree.coriolis_torques(qd_r, qdd_r))

    def slotine_torques(self, qd_r: Sequence[Number], qdd_r: Sequence[Number]) -> Torques:
        """Returns M̄ u̇_r + C̄ u_r + Ḡ, and the springs and the friction of q̇."""
        return self.onto(self.tree.slotine_torques(qd_r, qdd_r))

    def momentum(self) -> list[Number]:
        """Returns M̄ u."""
        return self.onto(self.tree.momentum())

    def kinetic_energy(self) -> Number:
        return self.tree.kinetic_energy()

    def potential_energy(self) -> Number:
        return self.tree.potential_energy()

    def coriolis_matrix(self, slopes: Slopes) -> Matrix:
        """Returns C̄ with C_ij = Σ_k Γ_ijk q̇_k of the tree, so that the rate of M̄ minus 2 C̄ is skew."""
        C, M = self.tree.coriolis_matrix(slopes), self.tree.mass_matrix()
        rows = []
        for column in self._columns:
            rate = slopes.along_the_motion(column)
            rows.append(self.onto([inner(c, column) + inner(row, rate) for c, row in zip(C, M, strict=True)]))
        return [list(row) for row in zip(*rows, strict=True)]
