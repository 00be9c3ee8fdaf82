"""Finds the forces of a chain's loops, and the accelerations of all coordinates: none has to be independent.

M q̈ = f + Aᵀ λ and A q̈ = −γ, where f = τ − bias. For any weights D > 0, M + Aᵀ D A in place of M has the same q̈. It is
positive definite wherever the motion is determined, also if some links have no mass. With its inverse W, λ follows from
A W Aᵀ. A row of A that follows from the rows before has the pivot 0 there. The reciprocal of a pivot p is that of
p + ε²/p, so that such a row is left out, another one where rows exchange their parts along a motion, and nothing is
infinite in a singular configuration.
Sources: Benzi, Golub, Liesen, "Numerical solution of saddle point problems", Acta Numerica 14, 2005, §6; Bayo, Ledesma,
"Augmented Lagrangian and mass-orthogonal projection methods for constrained multibody dynamics", Nonlinear Dynamics 9,
1996.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from qddot.algebra.spatial import inner, summed
from qddot.physics.algorithms.cramer import Matrix
from qddot.physics.algorithms.symmetric import Symmetric

LEAST = 1e-12  # ε: of a pivot, relative to the row's own part of the matrix, at which a row counts as dependent
LIGHT = 1e-6  # of the mean inertia of the coordinates, added to each one's in the weights
TINY = 1e-100  # so that a row without entries divides nothing by zero, and its square is not zero, either


class Held:
    """These are rows A whose conditions A x = b are to hold, by the least x = W Aᵀ μ in a metric with the inverse W."""

    def __init__(self, A: Matrix, metric: Symmetric | None = None) -> None:
        """metric: by default 1"""
        self._A, self._metric = A, metric
        halves = A if metric is None else [metric.half(row) for row in A]
        self._scaled = halves if metric is None else [metric.scaled(half) for half in halves]
        upper = [[inner(one, other) for other in self._scaled[i:]] for i, one in enumerate(halves)]
        S = _whole(upper)
        self._own = [row[i] for i, row in enumerate(S)]
        self._pivots: list[Any] = []
        self._factors = Symmetric(S, self._reciprocal)

    def _reciprocal(self, pivot: Any, i: int) -> Any:
        self._pivots.append(pivot)
        return pivot / (square(pivot) + square(self._own[i] * LEAST) + TINY)

    @property
    def determinant(self) -> Any:
        """Returns that of A W Aᵀ."""
        return prod(self._pivots)

    def multipliers(self, b: Sequence[Any], alone: Sequence[Any] | None = None) -> list[Any]:
        """Returns μ with A W (Aᵀ μ + c) = b; alone: c, by default 0"""
        if alone is not None:
            own = alone if self._metric is None else self._metric.half(alone)
            b = [x - inner(half, own) for x, half in zip(b, self._scaled, strict=True)]
        return self._factors.solved(b)

    def forces(self, multipliers: Sequence[Any]) -> list[Any]:
        """Returns Aᵀ μ."""
        return [inner(multipliers, column) for column in zip(*self._A, strict=True)]


class LoopForces:
    """These are the forces λ of a chain's loops, and the accelerations with them."""

    def __init__(self, M: Matrix, A: Matrix) -> None:
        """M: the tree's mass matrix; A: rows that hold, some of which may follow from others"""
        own = [row[k] for k, row in enumerate(M)]
        light = summed(own) * (LIGHT / len(M))
        mobilities = [1 / (inertia + light) for inertia in own]
        self._weights = [1 / (inner(mobilities, map(square, row)) + TINY) for row in A]
        columns = list(zip(*A, strict=True))
        weighted = [[weight * entry for weight, entry in zip(self._weights, column, strict=True)] for column in columns]
        upper = [[M[i][i + k] + inner(a, b) for k, b in enumerate(weighted[i:])] for i, a in enumerate(columns)]
        self._metric = Symmetric(_whole(upper))
        self._held = Held(A, self._metric)

    def accelerations(self, forces: Sequence[Any], right: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Returns q̈ and λ, with M q̈ = forces + Aᵀ λ and A q̈ = right."""
        multipliers = self._held.multipliers(right, forces)
        acting = [own + held for own, held in zip(forces, self._held.forces(multipliers), strict=True)]
        λ = [total - weight * b for total, weight, b in zip(multipliers, self._weights, right, strict=True)]
        return self._metric.solved(acting), λ


def _whole(upper: Matrix) -> list[list[Any]]:
    """Returns a symmetric matrix, of whose rows the entries from the diagonal on are given."""
    n = range(len(upper))
    return [[upper[min(i, k)][abs(i - k)] for k in n] for i in n]


def square(x: Any) -> Any:
    return x * x
