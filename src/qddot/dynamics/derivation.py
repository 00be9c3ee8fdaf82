"""A derivation is what every route to the equations returns: M, Γ and G, and the route's own intermediate results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from qddot.spatial import Number, divided, summed

Derivative: TypeAlias = Callable[[Any, int], Any]


class Calculus(NamedTuple):
    """A calculus has the partial derivatives by the k-th coordinate, rate and acceleration.

    The derivative by a coordinate includes its sine and cosine.
    """

    by_q: Derivative
    by_qd: Derivative
    by_qdd: Derivative


class Derivation(NamedTuple):
    """M (n × n), Γ_ijk (n × n × n) and G (n) of the bodies, rotors apart.

    steps: nested lists by name, or functions that give them where they are long
    in_angles: the same in absolute angles and their rates, where these come from there
    """

    M: list[list[Number]]
    christoffel: list[list[list[Number]]]
    G: list[Number]
    steps: Mapping[str, Any] = MappingProxyType({})
    in_angles: Derivation | None = None


def read_off(
    tau: list[Number], qd: Sequence[Number], qdd: Sequence[Number], calculus: Calculus
) -> tuple[list[list[Number]], list[list[list[Number]]], list[Number]]:
    """Returns M, Γ and G of torques that are linear in q̈ and quadratic in q̇.

    M_ij = ∂τ_i/∂q̈_j and Γ_ijk = ½ ∂²τ_i/∂q̇_j∂q̇_k. G is what is left of τ without M q̈ and ½ (∂τ/∂q̇) q̇, which is all
    that is quadratic in q̇ (Euler's theorem).
    """
    n = range(len(tau))
    M = [[calculus.by_qdd(torque, j) for j in n] for torque in tau]
    slopes = [[calculus.by_qd(torque, j) for j in n] for torque in tau]
    gamma = symmetric_in_last_two(len(tau), lambda i, j, k: divided(calculus.by_qd(slopes[i][j], k), 2))
    G = []
    for torque, row, rates in zip(tau, M, slopes, strict=True):
        inertial = summed(a * b for a, b in zip(row, qdd, strict=True))
        G.append(torque - inertial - divided(summed(a * b for a, b in zip(rates, qd, strict=True)), 2))
    return M, gamma, G


def symmetric_in_last_two(n: int, entry: Callable[[int, int, int], Number]) -> list[list[list[Number]]]:
    """Returns an n × n × n array that is symmetric in its last two indices, from its entries with k ≤ j."""
    full: list[list[list[Number]]] = [[[0] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(j + 1):
                full[i][j][k] = full[i][k][j] = entry(i, j, k)
    return full
