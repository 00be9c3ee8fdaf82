"""Derives the equations of long runs of parallel joints in absolute angles θ and rates θ̇.

Here q_k = σ_k (θ_k − θ_j), where j is the joint before k in its run. M and Γ are short in θ, while in q they are sums
of hundreds of terms; each sum is computed once, and equal entries are one object. The change of coordinates θ = A q is
constant: M_q = Aᵀ M_θ A, Γ_q is Γ_θ with A applied to each index, G_q = Aᵀ G_θ. The inverse takes differences of
neighbours, which turn the equations in q back into short ones in θ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qddot.algebra.spatial import Number
from qddot.physics.algorithms import coriolis, energies
from qddot.physics.derivation import Derivation, Derivative
from qddot.physics.frames.parallel_joints import Before, outward, senses_of
from qddot.physics.mechanism import Mechanism


def derive(mechanism: Mechanism, before: Before, slope: Derivative, by_rate: Derivative) -> Derivation:
    """Returns M, Γ and G in θ.

    slope(x, k) is ∂x/∂θ_k, or ∂x/∂q_k of a coordinate outside the runs; by_rate(x, k) is ∂x/∂θ̇_k, since
    arm.qd holds θ̇
    """
    M = mass_matrix(mechanism, before, by_rate)
    P = energies.potential_energy(mechanism)
    return Derivation(M, coriolis.christoffel(M, slope), [slope(P, k) for k in range(mechanism.n)])


def in_coordinates(mechanism: Mechanism, before: Before, derivation: Derivation) -> Derivation:
    """Returns M, Γ and G in q from those in θ."""
    return Derivation(
        M=_Sums(mechanism, before).matrix(derivation.M),
        christoffel=_Sums(mechanism, before).christoffel(derivation.christoffel),
        G=_Sums(mechanism, before).vector(derivation.G),
    )


def in_angles(mechanism: Mechanism, before: Before, derivation: Derivation) -> Derivation:
    """Returns M, Γ and G in θ from those in q, which need not be symmetric."""
    return Derivation(
        M=_Differences(mechanism, before).matrix(derivation.M),
        christoffel=_Differences(mechanism, before).christoffel(derivation.christoffel),
        G=_Differences(mechanism, before).vector(derivation.G),
    )


def mass_matrix(mechanism: Mechanism, before: Before, by_rate: Derivative) -> list[list[Number]]:
    """Returns M in θ, ∂²K/∂θ̇_i∂θ̇_j; here arm.qd holds θ̇, and q̇_k = σ_k (θ̇_k − θ̇_j)."""
    senses = senses_of(mechanism, before)
    rates = [
        mechanism.qd[k] - mechanism.qd[before[k][0]] if k in before else mechanism.qd[k] for k in range(mechanism.n)
    ]
    moving = replace(mechanism, qd=tuple(rate * sense for rate, sense in zip(rates, senses, strict=True)))
    K, n = energies.kinetic_energy(moving), range(mechanism.n)
    momenta = [by_rate(K, i) for i in n]
    lower = [[by_rate(momenta[i], j) for j in range(i + 1)] for i in n]
    return [[lower[max(i, j)][min(i, j)] for j in n] for i in n]


class _Sums:
    """This computes Aᵀ x: for each coordinate the sum of x over the angles that it turns, with the sign of its sense.

    Equal sums are computed once.
    """

    def __init__(self, mechanism: Mechanism, before: Before) -> None:
        self._before, self._senses = before, senses_of(mechanism, before)
        self._inward = outward(mechanism, before)[::-1]
        self._results: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
        self._negatives: dict[int, tuple[Any, Any]] = {}

    def vector(self, x: Sequence[Number]) -> list[Number]:
        totals: list[Any] = list(x)
        for k in self._inward:
            j = self._before[k][0]
            totals[j] = self._sum(totals[j], totals[k])
        return [
            total if sense == 1 else self._negative(total) for total, sense in zip(totals, self._senses, strict=True)
        ]

    def matrix(self, X: Sequence[Sequence[Number]]) -> list[list[Number]]:
        """Returns Aᵀ X A of a symmetric X; entries ij and ji are one object."""
        columns = list(map(self.vector, zip(*map(self.vector, X), strict=True)))
        n = range(len(columns))
        return [[columns[max(i, j)][min(i, j)] for j in n] for i in n]

    def christoffel(self, christoffel: Sequence[Sequence[Sequence[Number]]]) -> list[list[list[Number]]]:
        planes = [self.matrix(plane) for plane in christoffel]
        n = range(len(planes))
        total = {(j, k): self.vector([plane[j][k] for plane in planes]) for j in n for k in range(j + 1)}
        return [[[total[max(j, k), min(j, k)][i] for k in n] for j in n] for i in n]

    def _sum(self, a: Any, b: Any) -> Any:
        if not a or not b:
            return a or b
        key = id(a), id(b)
        if key not in self._results:
            self._results[key] = a, b, a + b  # a and b are kept, so that their ids remain unique
        return self._results[key][2]

    def _negative(self, a: Any) -> Any:
        if id(a) not in self._negatives:
            opposite = -a
            self._negatives[id(a)], self._negatives[id(opposite)] = (opposite, a), (a, opposite)
        return self._negatives[id(a)][0]


class _Differences:
    """This computes (A⁻¹)ᵀ x: for each angle its coordinate's entry of x minus those of the next joints in its run."""

    def __init__(self, mechanism: Mechanism, before: Before) -> None:
        self._senses = senses_of(mechanism, before)
        self._next: dict[int, list[int]] = {}
        for k, (j, _) in before.items():
            self._next.setdefault(j, []).append(k)
        self._outward = all(k > j for k, (j, _) in before.items())
        self._results: dict[tuple[int, int], tuple[Any, Any, Any]] = {}

    def vector(self, x: Sequence[Number]) -> list[Number]:
        return [self._entry(x, j) for j in range(len(x))]

    def matrix(self, X: Sequence[Sequence[Number]]) -> list[list[Number]]:
        n = range(len(X))
        if not self._outward or any(X[i][j] is not X[j][i] for i in n for j in range(i)):
            turned = map(self.vector, zip(*map(self.vector, X), strict=True))
            return [list(row) for row in zip(*turned, strict=True)]
        # one triangle of a symmetric matrix needs one triangle of its rows' differences
        rows = [[self._entry(row, j) if j <= i else None for j in n] for i, row in enumerate(X)]
        columns = list(zip(*rows, strict=True))
        return [[self._entry(columns[min(i, j)], max(i, j)) for j in n] for i in n]

    def _entry(self, x: Sequence[Any], j: int) -> Any:
        """Returns the entry of the absolute angle θ_j."""
        entry = self._turned(x, j)
        for k in self._next.get(j, ()):
            entry = self._less(entry, self._turned(x, k))
        return entry

    def _turned(self, x: Sequence[Any], k: int) -> Any:
        return self._less(0, x[k]) if self._senses[k] < 0 else x[k]

    def christoffel(self, christoffel: Sequence[Sequence[Sequence[Number]]]) -> list[list[list[Number]]]:
        n = range(len(christoffel))
        # entries stay shorter if the first index is transformed first
        first = {(j, k): self.vector([plane[j][k] for plane in christoffel]) for j in n for k in n}
        return [self.matrix([[first[j, k][i] for k in n] for j in n]) for i in n]

    def _less(self, a: Any, b: Any) -> Any:
        if a is b:
            return 0
        key = id(a), id(b)
        if key not in self._results:
            # FLINT keeps the memory of both operands in a difference, and only what is needed in its negative;
            # a and b are kept as in `_Sums`
            self._results[key] = a, b, -(b - a)
        return self._results[key][2]
