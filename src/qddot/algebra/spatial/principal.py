"""Computes the principal values and axes of a symmetric 3×3 matrix of floats."""

from __future__ import annotations

import math

from qddot.algebra.spatial.inertia import SymmetricMatrix3

SWEEPS = 10  # each sweep squares the error; six are enough for any matrix


def principal(A: SymmetricMatrix3) -> tuple[list[float], list[list[float]]]:
    """Returns the eigenvalues, and the rows of a rotation whose columns are the eigenvectors.

    Eigenvalues are accurate to the rounding error of the largest; they are NaN if an entry is not finite. In Jacobi's
    method each rotation about axis r makes the entry between the two other axes zero. Source: Golub, Van Loan, *Matrix
    Computations*, §8.5.
    """
    axes = [[float(i == j) for j in range(3)] for i in range(3)]
    if not all(map(math.isfinite, A)):
        return [math.nan] * 3, axes
    xx, xy, xz, yy, yz, zz = map(float, A)
    diagonal, across = [xx, yy, zz], [yz, xz, xy]
    for r in [0, 1, 2] * SWEEPS:
        if not across[r]:
            continue
        p, q = (r + 1) % 3, (r + 2) % 3
        cotangent = (diagonal[q] - diagonal[p]) / (2 * across[r])  # of twice the angle of rotation
        t = math.copysign(1, cotangent) / (abs(cotangent) + math.hypot(1, cotangent))
        c = 1 / math.hypot(1, t)
        s = t * c
        diagonal[p] -= t * across[r]
        diagonal[q] += t * across[r]
        across[p], across[q] = s * across[q] + c * across[p], c * across[q] - s * across[p]
        across[r] = 0.0
        for row in axes:
            row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    return diagonal, axes
