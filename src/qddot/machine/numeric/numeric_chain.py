"""Adds to a numeric system what closed chains have alone: their conditions, velocities and the forces of loops."""
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qddot.base.system.parts import installed
from qddot.machine.numeric.calls import Out, compiled, named_as_written
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.physics.independent import of_loops

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from qddot.physics.systems import ClosedSystem


@named_as_written
class NumericChain(NumericSystem):
    """This is the numeric system of a closed chain; its arrays are of configurations in which all loops are closed."""

    system: ClosedSystem

    def __init__(self, system: ClosedSystem) -> None:
        super().__init__(system)

    def integrate(self, q: ArrayLike, qd: ArrayLike, t: ArrayLike = 1.0) -> NDArray[np.float64]:
        with installed():
            from qddot.machine.numeric.assembly import all_closed_near

        model = self.system.model
        return all_closed_near(model, of_loops(model, self.system.choice), self.closure, super().integrate(q, qd, t))

    @compiled
    def velocities(
        self,
        q: ArrayLike,
        u: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns q̇ = R u, shape (…, n), for the rates u of the independent coordinates, shape (…, m)."""

    @compiled
    def accelerations(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        ud: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns q̈ = R u̇ + Ṙ u, shape (…, n), for u̇, shape (…, m), and for q̇ = R u, such as `velocities` returns."""

    @compiled
    def velocity_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns (∂q̇/∂q, R = ∂q̇/∂u), shapes (…, n, p) and (…, n, m), for q̇ = R u, such as `velocities` returns.

        The p coordinates are those that loops leave free, as in `inverse_dynamics_derivatives`. When one of them
        changes, u stays the same, and the other coordinates follow.
        """

    @compiled
    def closure(
        self,
        q: ArrayLike,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns φ(q), and A with A q̇ = 0, in any configuration: one entry and one row for each condition.

        The entries of φ are in m or without unit, and in m² for a rod. A has the rows with φ̇ = A q̇, then those of
        rolling wheels.
        """

    @compiled
    def multipliers(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        tau: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns λ with M q̈ + bias = τ + Aᵀ λ, one for each independent condition [N or N·m].

        The conditions are the rows of `equations().A`, in the same order: first those of loops, which are the entries
        of `equations().phi`, then those of rolling wheels.
        """
