"""Lays out the equations of a block on paper: a matrix that is wider than a page is given by its entries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from qddot.exact.equations.quantity_names import subscript
from qddot.exact.printing.layout import ON_PAPER, PAGE, extent, fits
from qddot.exact.printing.tree import Matrix, Partial, Sum, Symbol
from qddot.papers.report.document import Blank, EquationBlock

HALF = PAGE / 3  # letters of a right side that has room beside another equation
FEWEST = 4  # equations in pairs; fewer would only look different from the others
DEFINITIONS = ("constants", "base")  # ends of the keys of equations whose order means nothing


class Zeros(NamedTuple):
    """These entries are zero, and so is the entry on the left side of their row."""

    names: tuple[Symbol, ...]


class Row(NamedTuple):
    """A row is an equation; if several rows have a common number, it is that of the last one."""

    left: Symbol | Partial
    right: Sum | Matrix | Blank | Zeros
    number: int | None


def runs(block: EquationBlock, first: int) -> Iterator[tuple[list[Row], bool]]:
    """Yields the rows of a block, and whether they are set in pairs, as are short definitions, if there are several."""
    definitions, others = block.key.endswith(DEFINITIONS), list[Row]()
    for short, group in groupby(rows(block, first), lambda row: definitions and _is_short(row)):
        run = list(group)
        if not short or len(run) < FEWEST:
            others += run
            continue
        if others:
            yield others, False
        yield run, True
        others = []
    if others:
        yield others, False


def _is_short(row: Row) -> bool:
    return isinstance(row.right, Sum) and extent(row.right) <= HALF


def rows(block: EquationBlock, first: int) -> Iterator[Row]:
    """Yields the equations of a block; first: the number of the first one"""
    for number, equation in enumerate(block.listed, first):
        left, right = equation.left, equation.right
        if isinstance(right, Matrix) and isinstance(left, Symbol) and not fits(right, ON_PAPER):
            *others, last = _entries(left, right)
            yield from others
            yield last._replace(number=number)
        else:
            yield Row(left, right, number)


def _entries(name: Symbol, matrix: Matrix) -> Iterator[Row]:
    """Yields the nonzero entries, then the zero ones in one row."""
    zeros = []
    for i, row in enumerate(matrix.rows, 1):
        for j, entry in enumerate(row, 1):
            place = subscript((i - 1, j - 1) if len(row) > 1 else (i - 1,))
            of_entry = name._replace(below=f"{name.below},{place}".lstrip(","))
            if entry.products:
                yield Row(of_entry, entry, None)
            else:
                zeros.append(of_entry)
    if zeros:
        yield Row(zeros[0], Zeros(tuple(zeros[1:])), None)
