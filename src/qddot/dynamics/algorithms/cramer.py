"""Solves small systems of linear equations without choosing pivots, by Cramer's rule in each independent block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Any, NamedTuple, TypeAlias

from qddot.spatial import summed

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


def blocks(A: Matrix, longest: float = inf) -> list[Block]:
    """Returns those of the smallest independent blocks of a square matrix that have at most `longest` rows.

    raises ValueError: a block is not square
    """
    chosen = (part for part in parts(A) if len(part[0]) <= longest)
    return [Block(rows, columns, determinant([[A[i][k] for k in columns] for i in rows])) for rows, columns in chosen]


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
    n = len(A)

    @cache
    def minor(columns: tuple[int, ...]) -> Any:
        """Returns the determinant of the last rows in these columns."""
        row = A[n - len(columns)]
        if len(columns) == 1:
            return row[columns[0]]
        terms = []
        for place, k in enumerate(columns):
            if is_zero(row[k]):
                continue
            rest = minor((*columns[:place], *columns[place + 1 :]))
            if not is_zero(rest):
                terms.append(-(row[k] * rest) if place % 2 else row[k] * rest)
        return summed(terms)

    return minor(tuple(range(n)))


def is_zero(entry: Any) -> bool:
    """Returns whether an entry is zero for all states."""
    return not entry or getattr(entry, "constant", None) == 0
