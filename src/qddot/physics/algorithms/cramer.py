"""Solves small systems of linear equations without choosing pivots, by Cramer's rule in each independent block."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.spatial import summed

Matrix: TypeAlias = Sequence[Sequence[Any]]


class Block(NamedTuple):
    """A block is a square part of a matrix, whose rows are zero in all other columns, with its determinant."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    determinant: Any

    def numerators(self, A: Matrix, b: Sequence[Any]) -> dict[int, Any]:
        """Returns x_k times the determinant for each column k of the block, where A x = b."""
        part = [[A[i][k] for k in self.columns] for i in self.rows]
        right = [b[i] for i in self.rows]
        return {
            k: determinant([[*row[:place], x, *row[place + 1 :]] for row, x in zip(part, right, strict=True)])
            for place, k in enumerate(self.columns)
        }


def blocks(A: Matrix) -> list[Block]:
    """Returns the smallest independent blocks of a square matrix. raises ValueError: a block is not square"""
    return [Block(rows, columns, determinant([[A[i][k] for k in columns] for i in rows])) for rows, columns in parts(A)]


def parts(A: Matrix) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Returns rows and columns of the smallest independent blocks. raises ValueError: they are not square"""
    left, pairs = set(range(len(A))), []
    while left:
        rows, columns = {min(left)}, set[int]()
        while True:
            wider = {k for i in rows for k, entry in enumerate(A[i]) if not is_zero(entry)}
            more = {i for i in left if any(not is_zero(A[i][k]) for k in wider)}
            if wider == columns and more <= rows:
                break
            columns, rows = wider, rows | more
        if len(rows) != len(columns):
            raise ValueError("a block that is not square")
        left -= rows
        pairs.append((tuple(sorted(rows)), tuple(sorted(columns))))
    return pairs


def determinant(A: Matrix) -> Any:
    """Returns the determinant by expansion along the rows, where each minor is computed once."""
    n = tuple(range(len(A)))
    return Minors(A).minor(n, n)


class Minors:
    """These are the minors of a matrix, each of which is computed once, by expansion along its first row."""

    def __init__(self, A: Matrix, most: float = inf) -> None:
        """most: the number of terms of the longest minor that may be written out"""
        self._A, self._most = A, most
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Any] = {}

    def minor(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Any:
        """Returns the determinant of these rows in these columns. raises OverflowError: a minor has too many terms"""
        if (rows, columns) not in self._known:
            self._known[rows, columns] = self._expanded(rows, columns)
        return self._known[rows, columns]

    def _expanded(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Any:
        if not rows:
            return 1
        row = self._A[rows[0]]
        if len(columns) == 1:
            return row[columns[0]]
        terms = []
        for place, k in enumerate(columns):
            if is_zero(row[k]):
                continue
            rest = self.minor(rows[1:], (*columns[:place], *columns[place + 1 :]))
            if not is_zero(rest):
                terms.append(-(row[k] * rest) if place % 2 else row[k] * rest)
        total = summed(terms)
        if self._most < inf and not is_zero(total) and len(total) > self._most:
            raise OverflowError("a minor has too many terms")
        return total

    def cofactors(self) -> list[list[Any]]:
        """Returns the factor of each entry in the determinant; if A x = b, Σ_i factors_ik b_i is the determinant · x_k.

        raises OverflowError: a minor has too many terms
        """
        n = tuple(range(len(self._A)))
        minors = [[self.minor((*n[:i], *n[i + 1 :]), (*n[:k], *n[k + 1 :])) for k in n] for i in n]
        return [[-minor if (i + k) % 2 else minor for k, minor in enumerate(row)] for i, row in enumerate(minors)]


def is_zero(entry: Any) -> bool:
    """Returns whether an entry is zero for all states."""
    return not entry or getattr(entry, "constant", None) == 0
