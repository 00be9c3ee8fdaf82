"""Reads inertia tensors that are given as three rows of three numbers."""

from __future__ import annotations

from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import ModelError, shortened
from qddot.base.words.message import Listed, say

ENTRIES = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
ROUNDING = 1e-9  # relative to the largest entry: R I Rᵀ in doubles is symmetric to this accuracy


def is_matrix(value: Any) -> bool:
    """Returns whether a value has three rows, as lists or as a NumPy array."""
    rows = _listed(value)
    return isinstance(rows, list | tuple) and len(rows) == 3


def _listed(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def entries(matrix: Any) -> tuple[Expression, ...]:
    """Returns the entries xx, xy, xz, yy, yz, zz of a symmetric 3×3 matrix.

    raises ModelError: the shape is not 3×3, or entries differ across the diagonal by more than rounding
    """
    rows = [_listed(row) for row in _listed(matrix)] if is_matrix(matrix) else []
    if len(rows) != 3 or not all(isinstance(row, list | tuple) and len(row) == 3 for row in rows):
        raise ModelError("inertia-not-three-rows", matrix=shortened(matrix))
    I = [[expression(entry) for entry in row] for row in rows]
    largest = max(abs(float(entry.rational or 0)) for row in I for entry in row)
    differing = [(i, j) for i, j in ENTRIES if not _equal(I[i][j], I[j][i], ROUNDING * largest)]
    if differing:
        pairs = (
            say(
                "entries-differ", one="xyz"[i] + "xyz"[j], value=I[i][j], other="xyz"[j] + "xyz"[i], other_value=I[j][i]
            )
            for i, j in differing
        )
        raise ModelError("inertia-not-symmetric", pairs=Listed(pairs))
    return tuple(I[i][j] for i, j in ENTRIES)


def _equal(one: Expression, other: Expression, rounding: float) -> bool:
    difference = one - other
    return not difference or (difference.rational is not None and abs(difference.rational) <= rounding)
