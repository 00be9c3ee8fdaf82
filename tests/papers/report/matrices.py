"""Matrices of points, twists and rotations over complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np


def times(a: Any, b: Any) -> Any:
    """A product of matrices, in which a matrix of one entry is a number."""
    if np.size(a) == 1 or np.size(b) == 1:
        return (np.ravel(a)[0] if np.size(a) == 1 else a) * (np.ravel(b)[0] if np.size(b) == 1 else b)
    return a @ b


def skew(w: Any) -> Any:
    x, y, z = np.ravel(w)
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def hat(column: Any) -> Any:
    """The matrix of a cross product, or of a twist (ω, v)."""
    column = np.ravel(column)
    if len(column) == 3:
        return skew(column)
    return np.vstack([np.column_stack([skew(column[:3]), column[3:]]), np.zeros(4)])


def adjoint(T: Any) -> Any:
    R, p = T[:3, :3], T[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [skew(p) @ R, R]])


def exponential(A: Any) -> Any:
    total = term = np.eye(len(A), dtype=complex)
    for k in range(1, 60):
        term = term @ A / k
        total = total + term
    return total
