"""Solves sparse systems of linear equations without pivots that could vanish while the system is regular.

If one unknown occurs in two equations, or two unknowns in three (as the angles of a rod between two balls do), they
are eliminated by the combination of these equations in which they cancel. Its coefficients n are minors, as in a cross
product, and the determinant of what remains is that of the system, up to its sign. What remains is solved by Cramer's
rule; then the eliminated unknowns follow by least squares, whose determinant is Σ n² (Cauchy–Binet).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.spatial import inner, summed
from qddot.physics.algorithms.cramer import Block, Matrix, blocks, determinant, is_zero

Row: TypeAlias = Mapping[int, Any]  # entries by column, without zeros
MOST = 2  # unknowns that are eliminated together


class Group(NamedTuple):
    """These are unknowns that are eliminated together.

    columns: their places; equations: those in which they occur, by number, one more than there are unknowns
    combined: the number of the equation that replaces these; weights: n, by which they are multiplied and added
    """

    columns: tuple[int, ...]
    equations: Mapping[int, Row]
    combined: int
    weights: Sequence[Any]

    def parts(self) -> list[list[Any]]:
        """Returns the coefficients of each unknown in the equations."""
        return [[row.get(k, 0) for row in self.equations.values()] for k in self.columns]


class Elimination:
    """This is the solution of A x = b for a square A of any kind of number, prepared for several b."""

    def __init__(self, A: Matrix) -> None:
        """raises ValueError: A is singular whatever its entries are"""
        self._groups: list[Group] = []
        rows: dict[int, Row] = {
            i: {k: entry for k, entry in enumerate(row) if not is_zero(entry)} for i, row in enumerate(A)
        }
        while group := _next(rows, len(A) + len(self._groups)):
            rows = {i: row for i, row in rows.items() if i not in group.equations}
            rows[group.combined] = _combined(group)
            self._groups.append(group)
        self._equations = tuple(rows)
        gone = {k for group in self._groups for k in group.columns}
        self._columns = tuple(k for k in range(len(A)) if k not in gone)
        self._core = [[row.get(k, 0) for k in self._columns] for row in rows.values()]
        self._blocks: list[Block] = blocks(self._core)

    @cached_property
    def _inverses(self) -> list[Any]:
        return [1 / block.determinant for block in self._blocks]

    @cached_property
    def _squares(self) -> list[Any]:
        """Returns 1 / Σ n² for each group."""
        return [1 / summed(n * n for n in group.weights) for group in self._groups]

    @property
    def determinants(self) -> list[tuple[tuple[int, ...], Any]]:
        """Returns the determinants whose product is A's up to its sign, each with the columns that it decides."""
        decided = []
        for block in self._blocks:
            columns, equations = {self._columns[k] for k in block.columns}, {self._equations[i] for i in block.rows}
            for group in reversed(self._groups):
                if group.combined in equations:
                    equations.update(group.equations)
                    columns.update(group.columns)
            decided.append((tuple(sorted(columns)), block.determinant))
        return decided

    def regularities(self, sizes: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Returns squares of minors and of their upper bounds; A is nearly singular where one is far below its bound.

        sizes: the squared length of each equation's row, which may have further columns (Hadamard's inequality)
        """
        squares, pairs = dict(enumerate(sizes)), []
        for group in self._groups:
            minors, whole = summed(n * n for n in group.weights), summed(squares[i] for i in group.equations)
            squares[group.combined] = minors * whole
            pairs.append((minors, prod([whole] * len(group.columns))))
        for block in self._blocks:
            rows = (squares[self._equations[i]] for i in block.rows)
            pairs.append((block.determinant * block.determinant, prod(rows)))
        return pairs

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """Returns x."""
        right = dict(enumerate(b))
        for group in self._groups:
            right[group.combined] = inner(group.weights, [right[i] for i in group.equations])
        x: list[Any] = [0] * len(b)
        sides = [right[i] for i in self._equations]
        for block, inverse in zip(self._blocks, self._inverses, strict=True):
            for place, top in block.numerators(self._core, sides).items():
                x[self._columns[place]] = top * inverse
        for group, inverse in zip(reversed(self._groups), reversed(self._squares), strict=True):
            rests = [right[i] - _sum(row, x, group.columns) for i, row in group.equations.items()]
            for k, top in zip(group.columns, _least_squares(group.parts(), rests), strict=True):
                x[k] = top * inverse
        return x


def _next(rows: Mapping[int, Row], number: int) -> Group | None:
    """Returns the next group of unknowns to eliminate, or None. number: that of the combined equation"""
    together: dict[tuple[int, ...], list[int]] = {}
    for k in {k: None for row in rows.values() for k in row}:
        together.setdefault(tuple(i for i, row in rows.items() if k in row), []).append(k)
    for places in sorted(together, key=len):
        columns = together[places]
        if len(columns) <= MOST and len(places) == len(columns) + 1 < len(rows):
            equations = {i: rows[i] for i in places}
            parts = [[row[k] for k in columns] for row in equations.values()]
            minors = [determinant([*parts[:place], *parts[place + 1 :]]) for place in range(len(parts))]
            weights = [-minor if place % 2 else minor for place, minor in enumerate(minors)]
            return Group(tuple(columns), equations, number, weights)
    return None


def _combined(group: Group) -> Row:
    """Returns the equation without the group's unknowns."""
    others = dict.fromkeys(k for row in group.equations.values() for k in row if k not in group.columns)
    sums = {k: inner(group.weights, [row.get(k, 0) for row in group.equations.values()]) for k in others}
    return {k: entry for k, entry in sums.items() if not is_zero(entry)}


def _sum(row: Row, x: Sequence[Any], without: Sequence[int]) -> Any:
    return summed(entry * x[k] for k, entry in row.items() if k not in without)


def _least_squares(parts: Sequence[Sequence[Any]], rests: Sequence[Any]) -> list[Any]:
    """Returns the x with Σ_j part_j x_j ≈ rests, times the determinant of the normal equations."""
    right = [inner(part, rests) for part in parts]
    if len(parts) == 1:
        return right
    (a, b), (_, d) = ([inner(one, other) for other in parts] for one in parts)
    return [d * right[0] - b * right[1], a * right[1] - b * right[0]]
