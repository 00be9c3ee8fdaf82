"""Computes the principal values of a symmetric 3×3 matrix."""

from __future__ import annotations

import math

from qddot.spatial import SymmetricMatrix3

SWEEPS = 10  # the error is squared in each; six are enough for any matrix


def principal_values(A: SymmetricMatrix3) -> list[float]:
    """Returns the eigenvalues in rising order, accurate to rounding of the largest; NaN where an entry is not finite.

    By Jacobi's method each rotation about axis r makes the entry between the two other axes zero.
    Source: Golub, Van Loan, *Matrix Computations*, §8.5.
    """
    if not all(map(math.isfinite, A)):
        return [math.nan] * 3
    xx, xy, xz, yy, yz, zz = map(float, A)
    diagonal, across = [xx, yy, zz], [yz, xz, xy]
    for r in [0, 1, 2] * SWEEPS:
        if not across[r]:
            continue
        p, q = (r + 1) % 3, (r + 2) % 3
        cotangent = (diagonal[q] - diagonal[p]) / (2 * across[r])  # of twice the angle
        t = math.copysign(1, cotangent) / (abs(cotangent) + math.hypot(1, cotangent))
        c = 1 / math.hypot(1, t)
        s = t * c
        diagonal[p] -= t * across[r]
        diagonal[q] += t * across[r]
        across[p], across[q] = s * across[q] + c * across[p], c * across[q] - s * across[p]
        across[r] = 0.0
    return sorted(diagonal)
