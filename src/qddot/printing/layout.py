"""Says how much room expressions take on a page."""

from __future__ import annotations

from qddot.printing.digits import Numbers, written
from qddot.printing.notation import LETTERS
from qddot.printing.tree import Circular, Factor, Matrix, Partial, Product, Root, Sign, Sum, Symbol

PAGE = 72  # letters of a line of mathematics
WIDEST_MATRIX = 2 * PAGE  # letters of a row, beyond which the entries are listed
SMALL = 0.7  # an index's letters compared with others


def fits(matrix: Matrix, width: float = WIDEST_MATRIX) -> bool:
    """Returns whether every row of a matrix has room on a page, column by column."""
    return sum(max(map(extent, column)) + 2 for column in zip(*matrix.rows, strict=True)) <= width


def extent(node: Factor | Partial) -> float:
    """Returns roughly the width of an expression on the page, in letters."""
    if isinstance(node, Sum):
        return sum(of_product(product, node.numbers) + 3 for product in node.products) - 3 if node.products else 1
    if isinstance(node, Symbol):
        small = max(len(node.below), len(node.above)) + len(node.frame)
        return (1 if node.head in LETTERS else len(node.head)) + SMALL * small
    if isinstance(node, Circular):
        return extent(node.short) if node.short else 5 + extent(node.argument)
    if isinstance(node, Sign):
        return 3 + extent(node.of)
    return 2 if isinstance(node, Root) else 1 + max(extent(node.of), extent(node.by))


def of_product(product: Product, numbers: Numbers) -> float:
    """Returns roughly the width of a term without its sign."""
    number = abs(product.number)
    shown = written(number, numbers)
    digits = 0 if number == 1 and product.factors else len(shown) * (SMALL if "/" in shown else 1)
    return digits + sum(_of_power(base, exponent) for base, exponent in product.factors)


def _of_power(base: Factor, exponent: int) -> float:
    return extent(base) + 2 * isinstance(base, Sum) + SMALL * (exponent > 1)
