"""Computes the Coriolis matrices and torques from the derivatives of the mass matrix.

Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i), first kind. Sources: Murray, Li, Sastry, *A
Mathematical Introduction to Robotic Manipulation*, 1994, §4.2.3; Khatib's B and C as in Craig 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from qddot.algebra.freedoms import Brackets
from qddot.algebra.spatial import Number, divided, inner, summed
from qddot.physics.derivation import Derivative, symmetric_in_last_two

Matrix: TypeAlias = list[list[Number]]


def christoffel(M: Matrix, derivative: Derivative, brackets: Brackets | None = None) -> list[Matrix]:
    """Returns Γ_ijk (n × n × n), symmetric in j and k without brackets; `derivative(x, k)` is ∂x/∂q_k.

    brackets: those of quasi-velocities; `derivative` is then along their vector fields, see `koszul`
    """
    n = range(len(M))
    d = {(i, j): [derivative(M[i][j], k) for k in n] for i in n for j in range(i + 1)}

    def slope(i: int, j: int, k: int) -> Any:
        return d[max(i, j), min(i, j)][k]

    if brackets:
        return koszul(M, slope, brackets)
    return symmetric_in_last_two(len(M), lambda i, j, k: divided(slope(i, j, k) + slope(i, k, j) - slope(j, k, i), 2))


def koszul(M: Matrix, slope: Callable[[int, int, int], Any], brackets: Brackets) -> list[Matrix]:
    """Returns Γ_ijk = ⟨X_i, ∇_k X_j⟩ of quasi-velocities, with the direction as last index; slope(i, j, k) is X_k M_ij.

    2Γ_ijk = X_k M_ij + X_j M_ik − X_i M_jk + Σ_l (c^l_kj M_li − c^l_ji M_lk − c^l_ki M_lj). With C_ij = Σ_k Γ_ijk ν_k,
    Ṁ = C + Cᵀ. It is not symmetric in j and k: Γ_ijk − Γ_ikj = Σ_l c^l_kj M_li.
    Source: Koszul's formula, as in do Carmo, *Riemannian Geometry*, 1992, ch. 2 §3.
    """
    n = range(len(M))

    def bracket(a: int, b: int, i: int) -> Any:
        return summed(M[k][i] * c for k, c in brackets.get((a, b), ()))

    def twice(i: int, j: int, k: int) -> Any:
        slopes = slope(i, j, k) + slope(i, k, j) - slope(j, k, i)
        return slopes + bracket(k, j, i) - bracket(j, i, k) - bracket(k, i, j)

    # where no bracket comes between, Γ_ijk and Γ_ikj are one entry
    full = symmetric_in_last_two(len(M), lambda i, j, k: divided(twice(i, j, k), 2))
    for k, j in brackets:
        for i in n:
            full[i][j][k] = divided(twice(i, j, k), 2)
    return full


def in_pair(plane: Matrix, j: int, k: int) -> Any:
    """Returns ½ (Γ_ijk + Γ_ikj) of Γ_i, which is Γ_ijk itself if all velocities are rates of coordinates."""
    one, other = plane[j][k], plane[k][j]
    return one if one is other else divided(one + other, 2)


def coriolis_matrix(christoffel: list[Matrix], qd: Sequence[Number]) -> Matrix:
    """Returns C_ij = Σ_k Γ_ijk q̇_k, n × n, for which Ṁ − 2C is skew."""
    return [[summed(a * b for a, b in zip(row, qd, strict=True)) for row in plane] for plane in christoffel]


def coriolis_products(christoffel: list[Matrix]) -> Matrix:
    """Returns B, n × n(n−1)/2, the factors of q̇_j q̇_k: columns (1,2), (1,3) … (n−1,n), entries Γ_ijk + Γ_ikj."""
    pairs = list(combinations(range(len(christoffel)), 2))
    return [[in_pair(plane, j, k) * 2 for j, k in pairs] for plane in christoffel]


def centrifugal_matrix(christoffel: list[Matrix]) -> Matrix:
    """Returns C2, n × n, the factors of q̇_j²: entries Γ_ijj."""
    return [[plane[j][j] for j in range(len(christoffel))] for plane in christoffel]


def velocity_torques(christoffel: list[Matrix], qd: Sequence[Number]) -> list[Number]:
    """Returns h = C q̇, n torques; each product of rates is computed once."""
    n = len(qd)
    products = {(j, k): qd[j] * qd[k] for j in range(n) for k in range(j + 1)}
    if any(plane[j][k] is not plane[k][j] for plane in christoffel for j, k in products):
        # with quasi-velocities there are so many terms that the order of their sums matters
        return [
            summed(
                (plane[j][k] + plane[k][j] if j != k else plane[j][j]) * product for (j, k), product in products.items()
            )
            for plane in christoffel
        ]
    factors = [product if j == k else product * 2 for (j, k), product in products.items()]
    return [inner([in_pair(plane, j, k) for j, k in products], factors) for plane in christoffel]
