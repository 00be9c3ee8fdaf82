"""Multiplies matrices and vectors, and stacks of them, over any kind of number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from qddot.algebra.spatial import inner
from qddot.base.errors import ExactnessError


def product(
    left: Sequence[Any], left_shape: tuple[int, ...], right: Sequence[Any], right_shape: tuple[int, ...]
) -> tuple[list[Any], tuple[int, ...]]:
    """Returns the entries of A @ B in row-major order, and their shape, as in NumPy.

    A factor may be a vector, a matrix, or a stack of matrices, which meets a single factor or an equal stack.
    raises ExactnessError: a scalar, or shapes that do not match
    """
    a, b = left_shape[-2:], right_shape[-2:]
    stacks = {stack for stack in (left_shape[:-2], right_shape[:-2]) if stack}
    if not a or not b or a[-1] != b[0] or len(stacks) > 1:
        raise ExactnessError("shapes-do-not-match", left=left_shape, right=right_shape)
    stack = next(iter(stacks), ())
    pairs = zip(_matrices(left, a, stack), _matrices(right, b, stack), strict=True)
    height, length, width = prod(a[:-1]), a[-1], prod(b[1:])
    entries = [
        inner(one[i * length : (i + 1) * length], other[j::width])
        for one, other in pairs
        for i in range(height)
        for j in range(width)
    ]
    return entries, (*stack, *a[:-1], *b[1:])


def _matrices(entries: Sequence[Any], shape: tuple[int, ...], stack: tuple[int, ...]) -> Iterator[Sequence[Any]]:
    """Yields the entries of each matrix in a stack; a single one is repeated."""
    size, count = prod(shape), prod(stack)
    for k in range(count):
        yield entries[k * size : (k + 1) * size] if len(entries) > size else entries
