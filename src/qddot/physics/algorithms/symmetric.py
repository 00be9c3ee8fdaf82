"""Factorises sparse symmetric positive definite matrices of any kind of number, in an order that keeps them sparse.

The order takes the unknown with the fewest neighbours next (minimum degree). Source: Davis, *Direct Methods for Sparse
Linear Systems*, 2006, §7.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qddot.physics.algorithms import forward
from qddot.physics.algorithms.cramer import Matrix, is_zero


class Symmetric:
    """This is a factorised symmetric matrix, A = Lᵀ D L. reciprocal: (pivot, unknown) → 1 / pivot"""

    def __init__(self, A: Matrix, reciprocal: Callable[[Any, int], Any] = lambda pivot, _: 1 / pivot) -> None:
        self._beyond = _order(A)
        self._factors = forward.factorised(A, self._beyond, reciprocal)

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """Returns x with A x = b."""
        return forward.solved(*self._factors, self._beyond, b)

    def half(self, b: Sequence[Any]) -> list[Any]:
        """Returns y with Lᵀ y = b, which is as sparse as b allows."""
        L, y = self._factors[0], list(b)
        for i in reversed(self._beyond):
            for j in self._beyond[i]:
                y[j] = y[j] - L[i][j] * y[i]
        return y

    def scaled(self, y: Sequence[Any]) -> list[Any]:
        """Returns D⁻¹ y, so that bᵀ A⁻¹ c is the product of one half and another that is scaled."""
        return [x * inverse for x, inverse in zip(y, self._factors[1], strict=True)]


def _order(A: Matrix) -> dict[int, list[int]]:
    """Returns for each unknown its neighbours when it is eliminated; the last key is the first that is eliminated."""
    near = {i: {k for k, entry in enumerate(row) if k != i and not is_zero(entry)} for i, row in enumerate(A)}
    order: list[tuple[int, list[int]]] = []
    while near:
        first = min(near, key=lambda i: (len(near[i]), -i))
        neighbours = near.pop(first)
        order.append((first, sorted(neighbours, reverse=True)))
        for i in neighbours:
            near[i] = (near[i] | neighbours) - {i, first}
    return dict(reversed(order))
