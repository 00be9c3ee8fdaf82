"""Solves systems of linear equations by elimination in an order of pivots that is chosen in numbers.

An elimination over intervals widens them the less, the larger the pivots are, and cannot choose them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.spatial import inner
from qddot.physics.algorithms.cramer import Matrix, is_zero

LEAST = 1e-3  # of a pivot on the diagonal, relative to the sum of the sizes of its terms


def pivots(A: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Returns the rows and columns of pivots, in order: those on the diagonal that do not cancel, then the largest.

    raises ZeroDivisionError: A is singular
    """
    left, chosen = [list(row) for row in A], list[tuple[int, int]]()
    sizes = [abs(row[k]) for k, row in enumerate(A)]
    rows, columns = dict.fromkeys(range(len(A))), dict.fromkeys(range(len(A)))
    while rows:
        on_diagonal = (k for k in rows if k in columns and abs(left[k][k]) > LEAST * sizes[k])
        first = next(on_diagonal, None)
        anywhere = ((i, j) for i in rows for j in columns)
        i, j = max(anywhere, key=lambda at: abs(left[at[0]][at[1]])) if first is None else (first, first)
        chosen.append((i, j))
        del rows[i], columns[j]
        for k in rows:
            share = left[k][j] / left[i][j]
            left[k] = [x - share * y for x, y in zip(left[k], left[i], strict=True)]
            sizes[k] += abs(share * left[i][k])
    return chosen


class Pivoted:
    """This is the solution of A x = b for numbers of any kind, prepared for several b."""

    def __init__(self, A: Matrix, order: Sequence[tuple[int, int]]) -> None:
        """order: the row and the column of each pivot"""
        self._order, n = order, range(len(order))
        self._rows = rows = [[A[i][j] for _, j in order] for i, _ in order]
        self._inverses: list[Any] = []
        for i in n:
            self._inverses.append(1 / rows[i][i])
            for below in rows[i + 1 :]:
                if not is_zero(below[i]):
                    below[i] = below[i] * self._inverses[i]
                    below[i + 1 :] = [x - below[i] * y for x, y in zip(below[i + 1 :], rows[i][i + 1 :], strict=True)]

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """Returns x."""
        left: list[Any] = []
        for row, (i, _) in zip(self._rows, self._order, strict=True):
            left.append(b[i] - inner(row[: len(left)], left))
        x: list[Any] = [0] * len(b)
        after: list[Any] = []
        for k in reversed(range(len(left))):
            after.insert(0, (left[k] - inner(self._rows[k][k + 1 :], after)) * self._inverses[k])
            x[self._order[k][1]] = after[0]
        return x
