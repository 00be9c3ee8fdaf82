"""Estimates how much room expressions take on a page."""

from __future__ import annotations

from collections.abc import Iterable

from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.notation import LETTERS
from qddot.exact.printing.tree import (
    Chain,
    Circular,
    Factor,
    Matrix,
    Named,
    Partial,
    Product,
    Quotient,
    Root,
    Sign,
    Sum,
    Symbol,
)

PAGE = 72  # letters of a line of mathematics
ON_PAPER = 90  # letters of a matrix's row that a page has room for, in type of three quarters of the size
WIDEST_MATRIX = 2 * PAGE  # letters of a row, beyond which the entries are listed
POWER_OF_TEN = 5  # letters of × 10 with the gaps around the sign
SMALL = 0.7  # width of an index's letters relative to others


def fits(matrix: Matrix, width: float = WIDEST_MATRIX) -> bool:
    """Returns whether a matrix with aligned columns fits on a page."""
    return width_of(matrix) <= width


def width_of(matrix: Matrix) -> float:
    """Returns the approximate width of a matrix with aligned columns."""
    return sum(max(map(extent, column)) + 2 for column in zip(*matrix.rows, strict=True))


def extent(node: Factor | Partial) -> float:
    """Returns the approximate width of an expression on the page, in letters."""
    if isinstance(node, Sum):
        return sum(of_product(product, node.numbers) + 3 for product in node.products) - 3 if node.products else 1
    if isinstance(node, Symbol):
        small = max(len(node.below), len(node.above)) + len(node.frame)
        return (1 if node.head in LETTERS else len(node.head)) + SMALL * small
    if isinstance(node, Circular | Named):
        return extent(node.short) if node.short else 5 + extent(node.argument)
    if isinstance(node, Sign):
        return 3 + extent(node.of)
    if isinstance(node, Matrix):
        return width_of(node)
    if isinstance(node, Quotient):
        return max(extent(node.top), extent(node.bottom))
    if isinstance(node, Chain):
        return sum(map(extent, node.factors)) + 4 * node.traced
    if isinstance(node, Root):
        return 2 if isinstance(node.of, int) else 1 + extent(node.of)
    return 1 + max(extent(node.of), extent(node.by))


def of_product(product: Product, numbers: NumberForm) -> float:
    """Returns the approximate width of a term without its sign."""
    return of_factors(product, [extent(base) for base, _ in product.factors], numbers)


def of_factors(product: Product, extents: Iterable[float], numbers: NumberForm) -> float:
    """Returns the same; extents: the widths of the factors without their exponents"""
    number, width = product.number, 0.0
    if not product.factors or number not in (1, -1):
        digits, _, power = written(abs(number), numbers).partition("e")
        width = len(digits) * (SMALL if "/" in digits else 1)
        width += POWER_OF_TEN + SMALL * len(str(int(power))) if power else 0
    return width + sum(
        room + 2 * isinstance(base, Sum) + SMALL * (exponent > 1)
        for room, (base, exponent) in zip(extents, product.factors, strict=True)
    )
