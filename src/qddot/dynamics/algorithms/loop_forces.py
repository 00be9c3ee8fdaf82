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

from qddot.dynamics.algorithms.cramer import Matrix
from qddot.dynamics.algorithms.symmetric import Symmetric
from qddot.spatial import inner, summed

LEAST = 1e-12  # ε: of a pivot, relative to the row's own part of the matrix, at which a row counts as dependent
LIGHT = 1e-6  # of the mean inertia of the coordinates, added to each one's in the weights
TINY = 1e-300  # so that a row without entries divides nothing by zero


class Held:
    """These are rows A whose conditions A x = b are to hold, by the least x = W Aᵀ μ in a metric with the inverse W."""

    def __init__(self, A: Matrix, metric: Symmetric | None = None) -> None:
        """metric: by default 1"""
        self._columns = [list(row) if metric is None else metric.solved(row) for row in A]
        self._pivots: list[Any] = []
        S = [[inner(row, column) for column in self._columns] for row in A]
        self._own = [row[i] for i, row in enumerate(S)]
        self._factors = Symmetric(S, self._reciprocal)

    def _reciprocal(self, pivot: Any, i: int) -> Any:
        own = self._own[i]
        self._pivots.append(pivot)
        return pivot / (square(pivot) + square(own * LEAST) + TINY)

    @property
    def determinant(self) -> Any:
        """Returns that of A W Aᵀ."""
        return prod(self._pivots)

    def multipliers(self, b: Sequence[Any]) -> list[Any]:
        """Returns μ."""
        return self._factors.solved(b)

    def moved(self, multipliers: Sequence[Any]) -> list[Any]:
        """Returns x = W Aᵀ μ."""
        return [inner(multipliers, row) for row in zip(*self._columns, strict=True)]

    def reached(self, b: Sequence[Any]) -> list[Any]:
        """Returns the x with A x = b."""
        return self.moved(self.multipliers(b))


class LoopForces:
    """These are the forces λ of a chain's loops, and the accelerations with them."""

    def __init__(self, M: Matrix, A: Matrix) -> None:
        """M: the tree's mass matrix; A: rows that hold, some of which may follow from others"""
        own, self._A = [row[k] for k, row in enumerate(M)], A
        light = summed(own) * (LIGHT / len(M))
        mobilities = [1 / (inertia + light) for inertia in own]
        self._weights = [1 / (inner(mobilities, map(square, row)) + TINY) for row in A]
        columns = list(zip(*A, strict=True))
        weighted = [[weight * entry for weight, entry in zip(self._weights, column, strict=True)] for column in columns]
        stiff = [
            [entry + inner(a, b) for entry, b in zip(row, weighted, strict=True)]
            for row, a in zip(M, columns, strict=True)
        ]
        self._metric = Symmetric(stiff)
        self._held = Held(A, self._metric)

    def accelerations(self, forces: Sequence[Any], right: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Returns q̈ and λ, with M q̈ = forces + Aᵀ λ and A q̈ = right."""
        alone = self._metric.solved(forces)
        missing = [b - inner(row, alone) for row, b in zip(self._A, right, strict=True)]
        multipliers = self._held.multipliers(missing)
        q_rates = [a + b for a, b in zip(alone, self._held.moved(multipliers), strict=True)]
        return q_rates, [total - weight * b for total, weight, b in zip(multipliers, self._weights, right, strict=True)]


def square(x: Any) -> Any:
    return x * x
