"""A derivation is what every route to the equations returns: M, Γ and G, and the route's own intermediate results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from qddot.spatial import Number, divided

Derivative: TypeAlias = Callable[[Any, int], Any]


class Calculus(NamedTuple):
    """A calculus has the partial derivatives by the k-th coordinate, rate and acceleration, and the value at rest.

    The derivative by a coordinate includes its sine and cosine.
    """

    by_q: Derivative
    by_qd: Derivative
    by_qdd: Derivative
    at_rest: Callable[[Any], Any]


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
    n: int, tau: list[Number], calculus: Calculus
) -> tuple[list[list[Number]], list[list[list[Number]]], list[Number]]:
    """Returns M, Γ and G of torques that are linear in q̈ and quadratic in q̇.

    M_ij = ∂τ_i/∂q̈_j, Γ_ijk = ½ ∂²τ_i/∂q̇_j∂q̇_k, and G is τ at rest.
    """
    M = [[calculus.by_qdd(tau[i], j) for j in range(n)] for i in range(n)]
    slopes = [[calculus.by_qd(tau[i], j) for j in range(n)] for i in range(n)]
    gamma = [[[divided(calculus.by_qd(slopes[i][j], k), 2) for k in range(n)] for j in range(n)] for i in range(n)]
    return M, gamma, [calculus.at_rest(entry) for entry in tau]
