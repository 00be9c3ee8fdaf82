"""Bounds the extreme eigenvalues of symmetric matrices and the lengths of vectors over boxes, rounding included.

A matrix over a box is A + Σ A_k ε_k ± R. In the columns of U, which are nearly eigenvectors of A, it is D + E, where D
is diagonal and E small. Let t be the largest eigenvalue of D + |E|. Since x·(D + E)x ≤ |x|·(D + |E|)|x|, the largest
eigenvalue of the given matrix is at most t / μ, where μ is the least eigenvalue of UᵀU if t ≥ 0, and its largest one if
t < 0. R is in E, or its own largest eigenvalue is added (Weyl), whichever gives less. A library computes the
eigenvalues of D + |E|, and the residual of its result bounds their errors.
Source: Rump, Verification methods, Acta Numerica 2010, §13; Bauer & Fike 1960.
"""

from __future__ import annotations

import numpy as np

from qddot.proof.bounds.forms import TINY, UNIT, Array


def largest(A: Array, slopes: Array, radius: Array) -> tuple[Array, Array]:
    """Returns upper bounds of the largest eigenvalues of A + Σ A_k ε_k ± R over |ε_k| ≤ 1, (boxes,).

    Also returns a measure of how much each ε_k changes the largest eigenvalue, (boxes, coordinates).
    A, radius: (boxes, n, n), symmetric; slopes: (boxes, coordinates, n, n)
    """
    _, U = np.linalg.eigh(A)
    D, error = _in_columns(A, U)
    rest = error
    changes = np.empty(slopes.shape[:2])
    for k in range(slopes.shape[1]):
        turned, wrong = _in_columns(slopes[:, k], U)
        rest = rest + np.abs(turned) + wrong
        changes[:, k] = np.abs(turned[:, -1]).sum(axis=1)
    without = _of_sum(D, rest, U)
    beside = without + of_floats(radius) + np.abs(without) * (2 * UNIT)
    return np.fmin(_of_sum(D, rest + _absolute(radius, U), U), beside), changes


def _of_sum(D: Array, rest: Array, U: Array) -> Array:
    """Returns upper bounds of the largest eigenvalues of matrices that are D ± rest in the columns of U."""
    diagonal = np.arange(D.shape[-1])
    off = np.abs(D)
    off[:, diagonal, diagonal] = 0.0
    total = (off + rest) * (1 + 64 * UNIT)
    total[:, diagonal, diagonal] += D[:, diagonal, diagonal] + np.abs(D[:, diagonal, diagonal]) * (4 * UNIT)
    total = (total + total.transpose(0, 2, 1)) / 2 + np.abs(total).max(axis=(1, 2))[:, None, None] * (4 * UNIT)
    top, tilt = of_floats(total), _tilt(U)
    return np.where(top >= 0, top / (1 - tilt), top / (1 + tilt)) + np.abs(top) * (8 * UNIT) + TINY


def of_floats(A: Array) -> Array:
    """Returns upper bounds of the largest eigenvalues of symmetric matrices of floats, (boxes, n, n).

    With A U = U Λ + R every eigenvalue of A is within ‖U⁻¹R‖ of one of Λ.
    """
    values, U = np.linalg.eigh(A)
    n = A.shape[-1]
    scaled = U * values[:, None, :]
    residual = np.abs(A @ U - scaled) + (np.abs(A) @ np.abs(U) + np.abs(scaled)) * (4 * (n + 4) * UNIT) + TINY
    length = np.sqrt((residual**2).sum(axis=(1, 2))) * (1 + 4 * (n * n + 4) * UNIT)
    top = values.max(axis=1)
    above: Array = top + length / np.sqrt(1 - _tilt(U)) * (1 + 8 * UNIT) + (np.abs(top) + length) * (8 * UNIT)
    return above


def _tilt(U: Array) -> Array:
    """Returns bounds of ‖UᵀU − I‖, which must be below ½."""
    n = U.shape[-1]
    product = np.abs(U.transpose(0, 2, 1) @ U - np.eye(n))
    size = np.abs(U.transpose(0, 2, 1)) @ np.abs(U) + 1.0
    tilt = ((product + size * (4 * (n + 4) * UNIT)).sum(axis=2).max(axis=1)) * (1 + 4 * n * UNIT)
    return np.where(tilt < 0.5, tilt, np.nan)


def _in_columns(A: Array, U: Array) -> tuple[Array, Array]:
    """Returns UᵀAU, and bounds of its rounding errors."""
    n = A.shape[-1]
    turned = U.transpose(0, 2, 1) @ (A @ U)
    return turned, _absolute(np.abs(A), U) * (8 * (n + 4) * UNIT)


def _absolute(A: Array, U: Array) -> Array:
    """Returns |U|ᵀ A |U| for entries that are not negative, rounded up."""
    n = A.shape[-1]
    size = np.abs(U)
    turned: Array = (size.transpose(0, 2, 1) @ (A @ size)) * (1 + 8 * (n + 4) * UNIT) + TINY
    return turned


def length(a: Array, slopes: Array, radius: Array) -> Array:
    """Returns upper bounds of ‖a + Σ a_k ε_k ± r‖ over |ε_k| ≤ 1.

    a, radius: (boxes, n); slopes: (boxes, coordinates, n). With a unit vector e near a/‖a‖, the part along e is at most
    |e·a| + Σ |e·a_k| + |e|·r, and the lengths of the parts across e are added.
    """
    n, many = a.shape[1], slopes.shape[1]
    wide = 1 + 8 * (n + many + 8) * UNIT
    size = np.sqrt((a**2).sum(axis=1))
    e = np.where(size[:, None] > 0, a / np.where(size > 0, size, 1.0)[:, None], np.eye(n)[0])
    beyond = np.abs((e**2).sum(axis=1) - 1) + 4 * (n + 4) * UNIT  # of |e|² over 1
    along, across = _parts(a, e, wide)
    reach = np.sqrt((radius**2).sum(axis=1))
    along, across = along + reach, across + reach
    for k in range(many):
        one, other = _parts(slopes[:, k], e, wide)
        along, across = along + one, across + other
    whole: Array = np.sqrt(along**2 * (1 + 2 * beyond) + across**2) * wide * wide + TINY
    return whole


def _parts(a: Array, e: Array, wide: float) -> tuple[Array, Array]:
    """Returns bounds of |e·a| and of ‖a − (e·a) e‖."""
    n = a.shape[1]
    dot = (a * e).sum(axis=1)
    rest = a - dot[:, None] * e
    size = np.sqrt((a**2).sum(axis=1)) * wide
    error = size * (8 * (n + 8) * UNIT) + TINY
    return np.abs(dot) + error, np.sqrt((rest**2).sum(axis=1)) * wide + error
