"""Derives quantities by the laws of mechanics from those that an answer gives completely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.records import record
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.physics.algorithms import coriolis
from qddot.teach.check.judging.cases import EQUAL, ROUNDED, VERIFIED, Case
from qddot.teach.check.judging.closed_loops import loops_of
from qddot.teach.check.judging.mistakes import Mistake

Places = dict[tuple[int, ...], Polynomial]


@record()
class WholeQuantities:
    """These are quantities as polynomials by place: the answer's if it gives them completely, else the exact ones.

    answered: the complete quantities of the answer; wrong: the names of those that are not equal
    """

    eq: Quantities
    ring: Ring
    answered: Mapping[str, Places]
    wrong: frozenset[str]

    @classmethod
    def of(cls, eq: Quantities, ring: Ring, exact: Mapping[str, ExactArray], cases: Sequence[Case]) -> WholeQuantities:
        """Returns the completely answered quantities; one triangle of a symmetric array is enough."""
        wholes, wrong = (
            dict[str, Places](),
            {case.quantity for case in cases if case.verdict not in (EQUAL, VERIFIED, ROUNDED)},
        )
        for name, array in exact.items():
            own = [case for case in cases if case.quantity == name and case.entry.exact is None]
            entries = {case.place: case.yours for case in own if case.yours is not None}
            if array.symmetric is not None:
                entries |= {_turned(place, array.symmetric): value for place, value in entries.items()} | entries
            if set(entries) == set(array.places):
                wholes[name] = entries
        return cls(eq.in_joint_angles, ring, wholes, frozenset(wrong & set(wholes)))

    def places(self, name: str) -> Places:
        """Returns the answered quantity if it is complete, else the exact one."""
        if name in self.answered:
            return self.answered[name]
        array = self.eq.array(name)
        return {place: self.ring.convert(entry) for place, entry in zip(array.places, array.entries, strict=True)}

    def matrix(self, name: str) -> list[list[Polynomial]]:
        """Returns the rows of a matrix."""
        places, rows = self.places(name), range(self.eq.n)
        return [[places[i, j] for j in rows] for i in rows]

    def column(self, name: str) -> list[Polynomial]:
        """Returns the entries of a column."""
        places = self.places(name)
        return [places[(i,)] for i in range(self.eq.n)]

    def scalar(self, name: str) -> Polynomial:
        """Returns a scalar."""
        return self.places(name)[()]

    @property
    def rates(self) -> list[Polynomial]:
        """Returns q̇."""
        return [self.ring.rate(name) for name in self.eq.velocities]

    @property
    def accelerations(self) -> list[Polynomial]:
        """Returns q̈."""
        return [self.ring.acceleration(name) for name in self.eq.velocities]

    def vanishes(self, value: Any) -> bool:
        """Returns whether a value is zero, of a closed chain where its loops are closed."""
        loops = loops_of(self.eq)
        return not value or (loops is not None and loops.vanishes(self.ring.convert(value)))

    def followers(self) -> Iterator[tuple[str, str, Places]]:
        """Yields (source, quantity, its entries) for each quantity that follows from a wrong source."""
        if "K" in self.wrong and self.eq.has_lagrangian:
            yield from self._of_mass_matrix("K", self._mass_matrix(self.scalar("K")))
        if "M" in self.wrong and self.eq.has_lagrangian:
            yield from self._of_mass_matrix("M", self.matrix("M"))
        if "christoffel" in self.wrong:
            places, n = self.places("christoffel"), range(self.eq.n)
            yield from self._of_christoffel("christoffel", [[[places[i, j, k] for k in n] for j in n] for i in n])
        if "C" in self.wrong:
            yield "C", "h", _column(_times(self.matrix("C"), self.rates))
        if "P" in self.wrong:
            yield "P", "G", _column([self.eq.slope(self.scalar("P"), k) for k in range(self.eq.n)])
        yield from self._totals()

    def _of_mass_matrix(self, source: str, M: list[list[Any]]) -> Iterator[tuple[str, str, Places]]:
        yield source, "M", _matrix(M)
        half = Fraction(1, 2)
        yield source, "K", {(): self.ring.convert(_dot(self.rates, _times(M, self.rates)) * half)}
        yield from self._of_christoffel(source, coriolis.christoffel(M, self.eq.slope))

    def _of_christoffel(self, source: str, christoffel: list[Any]) -> Iterator[tuple[str, str, Places]]:
        n = range(self.eq.n)
        yield source, "christoffel", {(i, j, k): christoffel[i][j][k] for i in n for j in n for k in n}
        yield source, "C", _matrix(coriolis.coriolis_matrix(christoffel, self.rates))
        products, pairs = _matrix(coriolis.coriolis_products(christoffel)), list(combinations(n, 2))
        yield source, "B", {(i, *pairs[k]): entry for (i, k), entry in products.items()}
        yield source, "C2", _matrix(coriolis.centrifugal_matrix(christoffel))
        yield source, "h", _column(coriolis.velocity_torques(christoffel, self.rates))

    def _totals(self) -> Iterator[tuple[str, str, Places]]:
        """Yields L and τ as computed from their parts, if a part is wrong."""
        for name in ("K", "P"):
            if name in self.wrong:
                yield name, "L", {(): self.scalar("K") - self.scalar("P")}
        parts = [self.column(name) for name in ("h", "G")] if self.wrong & {"M", "h", "G"} else []
        if not parts:
            return
        others = [self.column(name) for name in ("springs", "friction")]
        forces = _times(self.matrix("M"), self.accelerations)
        tau = [sum(terms, self.ring.zero) for terms in zip(forces, *parts, *others, strict=True)]
        for name in ("M", "h", "G"):
            if name in self.wrong:
                yield name, "tau", _column(tau)

    def _mass_matrix(self, K: Polynomial) -> list[list[Any]]:
        """Returns ∂²K/∂q̇_i∂q̇_j."""
        keys = [f"qd({name})" for name in self.eq.velocities]
        return [[self.ring.convert(K.derivative(a)).derivative(b) for b in keys] for a in keys]

    def lagrangian_torques(self, L: Polynomial) -> list[Any]:
        """Returns d/dt ∂L/∂q̇ − ∂L/∂q."""
        return [
            self.eq.rate(L.derivative(f"qd({name})")) - self.eq.slope(L, k) for k, name in enumerate(self.eq.velocities)
        ]


def _turned(place: tuple[int, ...], axes: tuple[int, int]) -> tuple[int, ...]:
    turned = list(place)
    turned[axes[0]], turned[axes[1]] = turned[axes[1]], turned[axes[0]]
    return tuple(turned)


def _times(M: Sequence[Sequence[Any]], x: Sequence[Any]) -> list[Any]:
    return [_dot(row, x) for row in M]


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    total: Any = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def _matrix(rows: Sequence[Sequence[Any]]) -> Places:
    return {(i, j): entry for i, row in enumerate(rows) for j, entry in enumerate(row)}


def _column(entries: Sequence[Any]) -> Places:
    return {(i,): entry for i, entry in enumerate(entries)}


def without_brackets(wholes: WholeQuantities, wrong: Sequence[Case]) -> Iterator[Mistake]:
    """Yields the mistake τ_i = d/dt ∂L/∂ν_i − X_i L, which lacks Σ_jl c^l_ij ν_j ∂L/∂ν_l, also in h or h + G."""
    ring = wholes.ring
    if not ring.quasi or not any(case.quantity in ("tau", "h", "bias") for case in wrong):
        return
    exact = WholeQuantities(wholes.eq, ring, {}, frozenset())
    torques = exact.lagrangian_torques(exact.scalar("K") - exact.scalar("P"))
    biases = [ring.convert(torque).without([f"qdd({name})" for name in wholes.eq.velocities]) for torque in torques]
    lost = {
        "tau": torques,
        "bias": biases,
        "h": [bias - gravity for bias, gravity in zip(biases, exact.column("G"), strict=True)],
    }
    keys = [
        case.key
        for case in wrong
        if case.quantity in lost and case.is_equal_to(ring.convert(lost[case.quantity][case.place[0]]))
    ]
    if keys:
        yield Mistake("brackets lost", {}, tuple(keys))
