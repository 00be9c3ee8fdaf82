"""Defines the result of every route to the equations: M, Γ and G, and the route's own intermediate results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.freedoms import Brackets
from qddot.algebra.spatial import Number, divided, summed

Derivative: TypeAlias = Callable[[Any, int], Any]
Torques: TypeAlias = list[Number]


def unchanged(value: Any) -> Any:
    """Returns the value unchanged."""
    return value


class Calculus(NamedTuple):
    """A calculus has the derivatives that a kind of number offers, and None for those that it lacks.

    by_q, by_qd, by_qdd: those with respect to the k-th coordinate (through sine and cosine, too), rate and acceleration
    rate: d/dt along the motion
    settled: converts a result to the equations' kind of number, if centres of mass need another one
    """

    by_q: Derivative | None = None
    by_qd: Derivative | None = None
    by_qdd: Derivative | None = None
    rate: Callable[[Any], Any] | None = None
    settled: Callable[[Any], Any] = unchanged


class LagrangeTerms(NamedTuple):
    """These are the terms of d/dt ∂L/∂q̇ − ∂L/∂q: ∂L/∂q̇ of a Lagrangian, its rate, and ∂L/∂q, entry by entry."""

    momenta: Torques
    rates: Torques
    forces: Torques

    @classmethod
    def of(cls, L: Number, n: int, calculus: Calculus) -> LagrangeTerms:
        """Returns the terms of a Lagrangian of n coordinates."""
        by_q, by_qd, rate = calculus.by_q, calculus.by_qd, calculus.rate
        assert by_q and by_qd and rate, "a kind of number with derivatives"
        momenta = [by_qd(L, i) for i in range(n)]
        return cls(momenta, [rate(momentum) for momentum in momenta], [by_q(L, i) for i in range(n)])

    @property
    def tau(self) -> Torques:
        """Returns d/dt ∂L/∂q̇ − ∂L/∂q."""
        return [a - b for a, b in zip(self.rates, self.forces, strict=True)]

    @property
    def steps(self) -> Mapping[str, Any]:
        """Returns the terms by the names of steps."""
        return {"dL_dqd": self.momenta, "dp": self.rates, "dL_dq": self.forces}


class Derivation(NamedTuple):
    """A derivation has M (n × n), Γ_ijk (n × n × n) and G (n) of the bodies, without armature.

    steps: intermediate results by name: nested lists, or functions that return them if they are long
    in_angles: the derivation in absolute angles and their rates from which this one was computed, if there is one
    """

    M: list[list[Number]]
    christoffel: list[list[list[Number]]]
    G: list[Number]
    steps: Mapping[str, Any] = MappingProxyType({})
    in_angles: Derivation | None = None


def read_off(
    tau: Torques,
    qd: Sequence[Number],
    qdd: Sequence[Number],
    calculus: Calculus,
    steps: Mapping[str, Any],
    brackets: Brackets,
) -> Derivation | Torques:
    """Returns M, Γ and G of torques that are linear in q̈ and quadratic in q̇, or τ if `calculus` lacks derivatives.

    M_ij = ∂τ_i/∂q̈_j and Γ_ijk = ½ ∂²τ_i/∂q̇_j∂q̇_k. G = τ − M q̈ − ½ (∂τ/∂q̇) q̇, where the last product is the part
    of τ that is quadratic in q̇ (Euler's theorem). With quasi-velocities, τ gives Γ_ijk + Γ_ikj and the brackets give
    Γ_ijk − Γ_ikj.
    """
    by_qd, by_qdd = calculus.by_qd, calculus.by_qdd
    if by_qd is None or by_qdd is None:
        return tau
    n = range(len(tau))
    M = [[by_qdd(torque, j) for j in n] for torque in tau]
    slopes = [[by_qd(torque, j) for j in n] for torque in tau]
    christoffel = symmetric_in_last_two(len(tau), lambda i, j, k: divided(by_qd(slopes[i][j], k), 2))
    G = []
    for torque, row, rates in zip(tau, M, slopes, strict=True):
        inertial = summed(a * b for a, b in zip(row, qdd, strict=True))
        G.append(torque - inertial - divided(summed(a * b for a, b in zip(rates, qd, strict=True)), 2))
    for (k, j), terms in brackets.items():
        for i in n:
            christoffel[i][j][k] = christoffel[i][j][k] + divided(summed(M[place][i] * c for place, c in terms), 2)
    return Derivation(M, christoffel, G, steps)


def symmetric_in_last_two(n: int, entry: Callable[[int, int, int], Number]) -> list[list[list[Number]]]:
    """Returns an n × n × n array that is symmetric in its last two indices, from its entries with k ≤ j."""
    full: list[list[list[Number]]] = [[[0] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(j + 1):
                full[i][j][k] = full[i][k][j] = entry(i, j, k)
    return full
