"""Computes q̈ from the mass matrix, by a factorisation that uses the shape of the tree.

M = Lᵀ D L, where L_ij is zero unless joint j moves joint i's link, so that zeros between branches cost nothing.
Source: Featherstone 2008, §6.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from qddot.algebra.spatial import Number
from qddot.physics.mechanism import Mechanism

Matrix: TypeAlias = list[list[Any]]


def ancestors(mechanism: Mechanism) -> dict[int, list[int]]:
    """Returns, for each coordinate, those of the joints between its link and the base, nearest first.

    The keys are in an order in which a joint comes after those that carry it. If joints share a coordinate, all earlier
    coordinates count as ancestors, since the factorisation then fills M's zeros.
    """
    if len(mechanism.moving) > mechanism.n:
        return {k: list(reversed(range(k))) for k in range(mechanism.n)}
    above: dict[int, list[int]] = {}
    for link in mechanism.links:
        path = [k for k, _ in mechanism.moving_path(link.index)]
        for place in link.places:
            above[place] = path[: path.index(place)][::-1]
    return above


def factorised(
    M: Sequence[Sequence[Number]],
    above: dict[int, list[int]],
    reciprocal: Callable[[Any, int], Any] = lambda pivot, _: 1 / pivot,
) -> tuple[Matrix, list[Any]]:
    """Returns L (unit diagonal left out) and the reciprocals of D, from the tips inward.

    reciprocal: (D, k) → 1 / D; the pivot D is the inertia that coordinate k feels, and an error can name k
    """
    H: Matrix = [list(row) for row in M]
    L: Matrix = [[0] * len(M) for _ in M]
    inverse: list[Any] = [0] * len(M)
    for k in reversed(above):
        inverse[k] = reciprocal(H[k][k], k)
        for place, i in enumerate(above[k]):
            L[k][i] = H[k][i] * inverse[k]
            for j in above[k][place:]:
                H[i][j] = H[i][j] - L[k][i] * H[k][j]
                H[j][i] = H[i][j]
    return L, inverse


def solved(L: Matrix, inverse: list[Any], above: dict[int, list[int]], b: Sequence[Number]) -> list[Any]:
    """Returns x with Lᵀ D L x = b."""
    x: list[Any] = list(b)
    for i in reversed(above):
        for j in above[i]:
            x[j] = x[j] - L[i][j] * x[i]
    for i in above:
        x[i] = x[i] * inverse[i]
        for j in above[i]:
            x[i] = x[i] - L[i][j] * x[j]
    return x
