"""Finds the entries of a written matrix, vector or deeper array, without computing them."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, product, repeat
from typing import Any, NamedTuple

from qddot.base.words.message import say
from qddot.teach.check.reading.syntax import (
    Call,
    Derivative,
    Mirrored,
    Name,
    Node,
    Number,
    Power,
    Product,
    Span,
    Sum,
    Table,
    Transposed,
    derived,
    is_zero,
)
from qddot.teach.check.reading.texts.written import Written

MOST_ENTRIES = 20_000
AXES = 2  # of a matrix
MOST_FACTORS = 8  # matrices in one product
OF_CROSS_PRODUCT, OF_DOT_PRODUCT = ("×", "\\times"), ("·", "⋅", "∙", "\\cdot", "\\bullet")  # signs between vectors


class Components(NamedTuple):
    """These are the entries of an array, row by row; a single expression has the shape ()."""

    shape: tuple[int, ...]
    entries: tuple[Node, ...]

    @property
    def flat(self) -> tuple[int, ...]:
        """Returns the shape without axes of length one."""
        return tuple(size for size in self.shape if size != 1)


def table_of(whole: Components, span: Span) -> Node:
    """Returns an array as a tree."""
    if not whole.shape:
        return whole.entries[0]
    size = len(whole.entries) // whole.shape[0]
    rows = (whole.entries[k * size : (k + 1) * size] for k in range(whole.shape[0]))
    return Table(span, tuple(table_of(Components(whole.shape[1:], row), span) for row in rows))


def components(node: Node, written: Written) -> Components:
    """Returns the entries of a tree; raises ExpressionError for rows of unequal lengths, or shapes that do not fit."""
    match node:
        case Table():
            return _of_table(node, written)
        case Transposed():
            return _transposed(components(node.of, written))
        case Sum():
            return _of_sum(node, written)
        case Product():
            return _of_product(node, written)
        case Derivative():
            return _of_derivative(node, written)
        case Call(function="trace"):
            return _trace(node, components(node.argument, written), written)
        case Call(function="cross", argument=Table(parts=(first, second))):
            return _cross(node, components(first, written), components(second, written), written)
        case Power(base=Table()):
            base = components(node.base, written)
            if len(base.flat) == AXES and node.exponent > 0:
                return components(Product(node.span, ((1, node.base),) * node.exponent), written)
            if len(base.flat) == 1:  # a column has no square but q̇.^2, entry by entry
                return Components(base.shape, tuple(Power(node.span, each, node.exponent) for each in base.entries))
    return Components((), (node,))


def _trace(node: Call, of: Components, written: Written) -> Components:
    """Returns the sum of the entries on the diagonal, as a matrix with one entry."""
    size = of.shape[0] if of.shape else 0
    if of.shape != (size, size):
        raise written.error(node.span[0], "trace-shape", shape=_size(of.shape))
    terms = tuple((1, entry) for entry in of.entries[:: size + 1] if not is_zero(entry))
    return Components((1, 1), (Sum(node.span, terms) if terms else Number(node.span, Fraction(0)),))


def _cross(node: Node, left: Components, right: Components, written: Written) -> Components:
    """Returns the cross product of two vectors as a column."""
    if (left.flat, right.flat) != ((3,), (3,)):
        raise written.error(node.span[0], "cross-product-shape", shape=_size(left.shape))
    a, b = left.entries, right.entries
    pairs = ((1, 2), (2, 0), (0, 1))
    minors = (
        [(1, Product(node.span, ((1, a[i]), (1, b[j])))), (-1, Product(node.span, ((1, a[j]), (1, b[i]))))]
        for i, j in pairs
    )
    return Components((3, 1), tuple(Sum(node.span, tuple(terms)) for terms in minors))


def _of_derivative(node: Derivative, written: Written) -> Components:
    """Returns the derivatives of all entries (rows) with respect to all variables (columns)."""
    of, by = components(node.of, written), components(node.by, written)
    _check_size(len(of.entries) * len(by.entries), node, written)
    entries = tuple(_derivative(node, entry, variable) for entry in of.entries for variable in by.entries)
    return Components((*of.flat, *by.flat), entries)


def _derivative(node: Derivative, of: Node, by: Node) -> Node:
    """Returns a derivative; the time derivative of a coordinate or a rate is a name, and thus can be a variable."""
    by_time = isinstance(by, Name) and by.meaning.kind == "time"
    if by_time and isinstance(of, Name) and (meaning := derived(of.meaning)):
        return Name(node.span, of.text, meaning)
    return Derivative(node.span, of, by)


def _of_table(node: Table, written: Written) -> Components:
    parts = [components(part, written) for part in node.parts]
    if not parts:
        raise written.error(node.span[0], "matrix-without-entries")
    for part, inner in zip(node.parts, parts, strict=True):
        if inner.shape != parts[0].shape:
            raise written.error(part.span[0], "sizes-unequal", first=_size(parts[0].shape), other=_size(inner.shape))
    entries = tuple(entry for part in parts for entry in part.entries)
    _check_size(len(entries), node, written)
    return _with_mirrored(Components((len(parts), *parts[0].shape), entries), written)


def of_blocks(whole: Components) -> Components:
    """Returns a matrix of matrices, as in [Jv; Jw], as one matrix."""
    if len(whole.shape) not in (3, 4):
        return whole
    rows, columns, height, width = whole.shape if len(whole.shape) == 4 else (whole.shape[0], 1, *whole.shape[1:])
    places = product(range(rows), range(height), range(columns), range(width))
    entries = (whole.entries[((i * columns + j) * height + k) * width + m] for i, k, j, m in places)
    return Components((rows * height, columns * width), tuple(entries))


def _with_mirrored(whole: Components, written: Written) -> Components:
    """Returns a matrix in which the entry across the diagonal replaces each symmetry mark."""
    mirrored = [k for k, entry in enumerate(whole.entries) if isinstance(entry, Mirrored)]
    if not mirrored or len(whole.shape) == 1:  # rows are handled with their whole matrix
        return whole
    entries, columns = list(whole.entries), whole.shape[-1]
    for k in mirrored:
        across = entries[k % columns * columns + k // columns] if whole.shape == (columns, columns) else entries[k]
        if isinstance(across, Mirrored):
            raise written.error(entries[k].span[0], "mark-without-entry")
        entries[k] = across
    return Components(whole.shape, tuple(entries))


def _check_size(entries: int, node: Node, written: Written) -> None:
    if entries > MOST_ENTRIES:
        raise written.error(node.span[0], "arrays-too-large", entries=entries, most=MOST_ENTRIES)


def _size(shape: tuple[int, ...]) -> Any:
    return " × ".join(map(str, shape)) if shape else say("size-one")


def _transposed(whole: Components) -> Components:
    if len(whole.shape) == 1:
        return Components((1, *whole.shape), whole.entries)
    if len(whole.shape) != 2:
        return whole
    rows, columns = whole.shape
    return Components(
        (columns, rows), tuple(whole.entries[i * columns + j] for j in range(columns) for i in range(rows))
    )


def _of_sum(node: Sum, written: Written) -> Components:
    parts = [(sign, term, components(term, written)) for sign, term in node.terms]
    parts = [each for each in parts if each[2].shape or not is_zero(each[2].entries[0])] or parts  # G = … + 0
    if len({part.flat for _, _, part in parts}) == 1 and len(parts[0][2].flat) == 1:  # rows or columns
        parts = [(sign, term, Components(parts[0][2].shape, part.entries)) for sign, term, part in parts]
    if len({part.shape for _, _, part in parts}) > 1 and all(not part.flat for _, _, part in parts):  # v' v + I w^2
        return Components((), (Sum(node.span, tuple((sign, part.entries[0]) for sign, _, part in parts)),))
    shape = parts[0][2].shape
    if not shape and all(not part.shape for _, _, part in parts):
        return Components((), (node,))
    for _, term, part in parts:
        if part.shape != shape:
            raise written.error(term.span[0], "shapes-added", first=_size(part.shape), other=_size(shape))
    _check_size(len(parts) * len(parts[0][2].entries), node, written)
    rows = zip(*(part.entries for _, _, part in parts), strict=True)
    signs = [sign for sign, _, _ in parts]
    return Components(shape, tuple(Sum(node.span, tuple(zip(signs, row, strict=True))) for row in rows))


def _of_product(node: Product, written: Written) -> Components:
    parts = [(exponent, factor, of_blocks(components(factor, written))) for exponent, factor in node.factors]
    arrays, before = list[tuple[int, Node, Components, str]](), ""
    for (exponent, factor, part), sign in zip(parts, chain(node.signs, repeat("")), strict=False):
        before = sign or before
        if part.flat or len(part.shape) > 1:
            arrays.append((exponent, factor, part, before))
            before = ""
    if not arrays:
        return Components((), (node,))
    for exponent, factor, *_ in arrays:
        if exponent < 0:
            raise written.error(factor.span[0], "division-by-matrix")
    if len(arrays) > MOST_FACTORS:
        raise written.error(node.span[0], "product-too-many", count=len(arrays), most=MOST_FACTORS)
    scalars = tuple((exponent, factor) for exponent, factor, part in parts if not part.flat and len(part.shape) <= 1)
    total = arrays[0][2]
    for _, factor, part, sign in arrays[1:]:
        total = _product_of_vectors(sign, total, part, node, written) or _matrix_product(
            total, part, factor, node, written
        )
    if not scalars:
        return total
    return Components(total.shape, tuple(Product(node.span, (*scalars, (1, entry))) for entry in total.entries))


def _product_of_vectors(
    sign: str, left: Components, right: Components, node: Product, written: Written
) -> Components | None:
    """Returns the cross product a × b or the dot product a · b of two vectors, or None for any other product."""
    if left.flat != right.flat or len(left.flat) != 1 or sign not in (*OF_CROSS_PRODUCT, *OF_DOT_PRODUCT):
        return None
    if sign in OF_CROSS_PRODUCT:
        return _cross(node, left, right, written)
    pairs = zip(left.entries, right.entries, strict=True)
    return Components((1, 1), (Sum(node.span, tuple((1, Product(node.span, ((1, a), (1, b)))) for a, b in pairs)),))


def _matrix_product(left: Components, right: Components, factor: Node, node: Product, written: Written) -> Components:
    """Returns the product of two matrices, or of a matrix and a column."""
    if left.shape == right.shape and len(left.flat) == 1 and left.shape[-1] > 1:  # rows have no other product
        left, right = (
            Components((1, len(left.entries)), left.entries),
            Components((len(right.entries), 1), right.entries),
        )
    if len(left.shape) == 2 and len(right.shape) == 1:
        right = Components((right.shape[0], 1), right.entries)
    if len(left.shape) != 2 or len(right.shape) != 2 or left.shape[1] != right.shape[0]:
        raise written.error(factor.span[0], "shapes-multiplied", first=_size(left.shape), other=_size(right.shape))
    (rows, inner), columns = left.shape, right.shape[1]
    if rows * inner * columns > MOST_ENTRIES:
        raise written.error(factor.span[0], "product-too-large", most=MOST_ENTRIES)

    def entry(i: int, j: int) -> Node:
        pairs = ((left.entries[i * inner + k], right.entries[k * columns + j]) for k in range(inner))
        terms = [(1, Product(node.span, ((1, a), (1, b)))) for a, b in pairs if not (is_zero(a) or is_zero(b))]
        return Sum(node.span, tuple(terms)) if terms else Number(node.span, Fraction(0))

    return Components((rows, columns), tuple(entry(i, j) for i, j in product(range(rows), range(columns))))
