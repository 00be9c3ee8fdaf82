"""Solves systems of linear equations over intervals, which elimination alone would widen.

Both sides are multiplied by a matrix of exact numbers, about the inverse, so that the elimination is that of a matrix
near 1. Source: Neumaier, *Interval Methods for Systems of Equations*, 1990, ch. 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.spatial import inner
from qddot.physics.algorithms.cramer import Matrix


class Preconditioned:
    """This is the solution of A x = b for numbers of any kind, prepared for several b."""

    def __init__(self, A: Matrix, C: Matrix) -> None:
        """C: about the inverse of A"""
        self._C = C
        columns = list(zip(*A, strict=True))
        self._rows = rows = [[inner(row, column) for column in columns] for row in C]
        self._inverses: list[Any] = []
        for i, row in enumerate(rows):
            self._inverses.append(1 / row[i])
            for below in rows[i + 1 :]:
                below[i] = below[i] * self._inverses[i]
                below[i + 1 :] = [x - below[i] * y for x, y in zip(below[i + 1 :], row[i + 1 :], strict=True)]

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """Returns x."""
        left: list[Any] = []
        for row, own in zip(self._rows, self._C, strict=True):
            left.append(inner(own, b) - inner(row[: len(left)], left))
        x: list[Any] = []
        for k in reversed(range(len(left))):
            x.insert(0, (left[k] - inner(self._rows[k][k + 1 :], x)) * self._inverses[k])
        return x
