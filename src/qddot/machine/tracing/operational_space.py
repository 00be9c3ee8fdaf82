"""Computes the dynamics of some coordinates of a body, and how much mobility its joints could give it at most.

Source: Khatib, "A unified approach for motion and force control", 1987.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from qddot.algebra.spatial import Pose, Vec3, inner
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.algorithms.forward import factorised, solved

if TYPE_CHECKING:
    from qddot.machine.tracing.chains import TracedChain
    from qddot.machine.tracing.traced import TracedArm


def matrices(
    traced: TracedArm | TracedChain,
    J: Sequence[Sequence[Any]],
    drift: Sequence[Any],
    reciprocal: Callable[[Any, int], Any],
) -> tuple[list[Any], ...]:
    """Returns Λ, μ, p for rows of a Jacobian with J̇ q̇ = drift, and the mobility J M⁻¹ Jᵀ, whose inverse Λ is.

    reciprocal: (pivot, row) → 1 / pivot
    """
    MJ = [traced.solve(row) for row in J]
    mobility = [[inner(a, b) for b in MJ] for a in J]
    above = {k: list(reversed(range(k))) for k in range(len(J))}
    factors = (*factorised(mobility, above, reciprocal), above)
    unit = [[int(i == j) for j in range(len(J))] for i in range(len(J))]
    h, G = traced.dynamics.velocity_torques(), traced.dynamics.gravity_torques()
    mu = solved(*factors, [inner(row, h) - rate for row, rate in zip(MJ, drift, strict=True)])
    inertia = [solved(*factors, column) for column in unit]
    return inertia, mu, solved(*factors, [inner(row, G) for row in MJ]), mobility


def largest_mobilities(traced: TracedArm | TracedChain, link: int, place: Pose) -> tuple[Any, Any]:
    """Returns about the largest mobility of a frame in a link along and about an axis, in any pose [1/kg, 1/(kg m²)].

    It is Σ (|v_j|² + |ω_j|² L²) / M_jj and Σ |ω_j|² / M_jj, with the columns (v_j, ω_j) of the Jacobian. L is as long
    as the links that joints turn, set at right angles.
    """
    M, L2 = traced.dynamics.mass_matrix(), _squared_length(traced.tree, link, place.p)
    along: Any = 0
    about: Any = 0
    for k, column in enumerate(traced.jacobian(link, place.p)):
        if column is not None:
            alone, turning = traced.reciprocal(M[k][k], k), column.w.dot(column.w)
            along = along + (column.v.dot(column.v) + turning * L2) * alone
            about = about + turning * alone
    return along, about


def _squared_length(traced: TracedArm, link: int, point: Vec3) -> Any:
    """Returns the sum of the squared distances between the joints that move a point of a link, and from there to it."""
    squares: Any = point.dot(point)
    part = traced.links.links[link]
    squares = squares + part.offset.p.dot(part.offset.p)
    while part.parent is not None and traced.links.moving_path(part.parent):
        squares = squares + part.placement.p.dot(part.placement.p)
        part = traced.links.links[part.parent]
        squares = squares + part.offset.p.dot(part.offset.p)
    return squares
