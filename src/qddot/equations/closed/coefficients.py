"""Names the kinematic coefficients of a closed chain: q̇ = R u, with r_kj = ∂q_k/∂q_j along its motions.

u has the rates of the independent coordinates q_j. The coefficients of the others, and their derivatives r_kj,l by the
independent coordinates q_l, are variables, so that no quotient is ever expanded. They solve A R = 0 and its derivative,
whose matrix is the same, by Cramer's rule.
Source: Doughty, *Mechanics of Machines*, 1988, ch. 2 (velocity coefficients and their derivatives).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from qddot.dynamics.algorithms.cramer import Block, blocks
from qddot.dynamics.independent import Choice
from qddot.errors import ModelError
from qddot.numbers.polynomials.exact import Ring
from qddot.spatial import inner, summed

LETTERS = ("r", "kappa", "varrho")  # of coefficients; the first whose names are not taken


class Quotient(NamedTuple):
    """This is the definition of a coefficient: a numerator and a determinant, both polynomials."""

    name: str
    numerator: Any
    denominator: Any

    @property
    def reduced(self) -> Quotient:
        """Returns the quotient without the monomials that its numerator and its determinant share."""
        top, bottom = self.numerator, self.denominator
        exponents = [exponents for part in (top, bottom) for exponents, _ in part.terms()]
        shared = tuple(map(min, zip(*exponents, strict=True)))

        def without(part: Any) -> Any:
            terms = ((tuple(a - b for a, b in zip(own, shared, strict=True)), c) for own, c in part.terms())
            return part.ring.from_terms(terms)

        return Quotient(self.name, without(top), without(bottom))


class Coefficients:
    """These are the coefficients over one ring, which extends the ring of A.

    independent, dependent: places in q
    """

    def __init__(self, ring: Ring, A: Sequence[Sequence[Any]], choice: Choice, where: str) -> None:
        """A: the rows of the independent conditions, over `ring`"""
        self.independent, self.dependent = choice.independent, choice.dependent
        letter, number = _letter(ring, where), [own + 1 for own in choice.independent]
        between = "_" if len(ring.coordinates) > 9 else ""
        places = [(k, j) for k in self.dependent for j in range(len(number))]
        self._names = {(k, j): f"{letter}{k + 1}{between}{number[j]}" for k, j in places}
        self.slopes = {
            (k, j, l): f"{name}_{number[l]}" for (k, j), name in self._names.items() for l in range(j, len(number))
        }
        self.ring = ring.extended([*self._names.values(), *self.slopes.values()])
        self.A = [[self.ring.convert(entry) for entry in row] for row in A]

    @property
    def m(self) -> int:
        return len(self.independent)

    def name(self, k: int, j: int) -> str:
        """Returns the name of r_kj."""
        return self._names[k, j]

    def at(self, k: int, j: int) -> Any:
        """Returns R_kj."""
        return self.ring.symbol(self._names[k, j]) if (k, j) in self._names else int(self.independent[j] == k)

    def slope(self, k: int, j: int, l: int) -> Any:
        """Returns ∂R_kj/∂q_l along the motions, which is symmetric in j and l."""
        name = self.slopes.get((k, min(j, l), max(j, l)))
        return 0 if name is None else self.ring.symbol(name)

    @cached_property
    def u(self) -> list[Any]:
        """Returns the rates of the independent coordinates."""
        return [self.ring.rate(self.ring.coordinates[k]) for k in self.independent]

    @cached_property
    def R(self) -> list[list[Any]]:
        """Returns R (n × m)."""
        return [[self.at(k, j) for j in range(self.m)] for k in range(len(self.ring.coordinates))]

    @cached_property
    def R_rate(self) -> list[list[Any]]:
        """Returns Ṙ (n × m)."""
        n, m = range(len(self.ring.coordinates)), range(self.m)
        return [[summed(self.slope(k, j, l) * self.u[l] for l in m if self.slope(k, j, l)) for j in m] for k in n]

    @cached_property
    def rates(self) -> list[Any]:
        """Returns q̇ = R u."""
        return [inner(row, self.u) for row in self.R]

    @cached_property
    def accelerations(self) -> list[Any]:
        """Returns q̈ = R u̇ + Ṙ u."""
        rates = [self.ring.acceleration(self.ring.coordinates[k]) for k in self.independent]
        return [inner(row, rates) + inner(slope, self.u) for row, slope in zip(self.R, self.R_rate, strict=True)]

    def rate(self, value: Any) -> Any:
        """Returns d/dt along the motions of a function of q, u and the coefficients."""
        if isinstance(value, int):
            return 0
        coordinates = self.ring.coordinates
        parts = [
            self.ring.differentiate(value, name) * rate for name, rate in zip(coordinates, self.rates, strict=True)
        ]
        for (k, j), name in self._names.items():
            if slope := value.derivative(name):
                parts.append(slope * self.R_rate[k][j])
        for k in self.independent:
            if slope := value.derivative(f"qd({coordinates[k]})"):
                parts.append(slope * self.ring.acceleration(coordinates[k]))
        return summed(parts)

    def moving(self, value: Any) -> Any:
        """Returns a function of q, q̇ and q̈ with q̇ = R u and q̈ = R u̇ + Ṙ u."""
        if isinstance(value, int):
            return value
        images: dict[str, Any] = {}
        for k in self.dependent:
            name = self.ring.coordinates[k]
            images[f"qd({name})"] = self.ring.convert(self.rates[k])
            images[f"qdd({name})"] = self.ring.convert(self.accelerations[k])
        return self.ring.composed(value, images)

    # definitions

    @cached_property
    def _blocks(self) -> list[Block]:
        return blocks([[row[k] for k in self.dependent] for row in self.A])

    def _solved(self, names: Mapping[int, str], b: Sequence[Any]) -> list[Quotient]:
        """Returns the quotients x_k that solve Σ A_ik x_k = b_i over the dependent coordinates k."""
        A = [[row[k] for k in self.dependent] for row in self.A]
        return [
            Quotient(names[self.dependent[place]], self.ring.convert(top), self.ring.convert(block.determinant))
            for block in self._blocks
            for place, top in block.numerators(A, b).items()
        ]

    @cached_property
    def first(self) -> list[Quotient]:
        """Returns the definitions of r_kj, from A R = 0."""
        quotients = []
        for j, own in enumerate(self.independent):
            names = {k: self._names[k, j] for k in self.dependent}
            quotients += self._solved(names, [-row[own] for row in self.A])
        return quotients

    @cached_property
    def second(self) -> list[Quotient]:
        """Returns the definitions of r_kj,l, from the derivative of A R = 0; their numerators contain r_kj."""
        quotients = []
        for j in range(self.m):
            for l in range(j, self.m):
                names = {k: self.slopes[k, j, l] for k in self.dependent}
                quotients += self._solved(names, [-right for right in self.right_sides(j, l)])
        return quotients

    def right_sides(self, j: int, l: int) -> list[Any]:
        """Returns the part of d/dq_l (A R_j) along the motions that has no derivative of R."""
        n = range(len(self.ring.coordinates))
        return [summed(self._along(row[k], l) * self.at(k, j) for k in n) for row in self.A]

    def _along(self, value: Any, l: int) -> Any:
        """Returns the derivative by the l-th independent coordinate along the motions, of a function of q alone."""
        names = enumerate(self.ring.coordinates)
        return summed(self.ring.differentiate(value, name) * self.at(k, l) for k, name in names)


def _letter(ring: Ring, where: str) -> str:
    """Returns a letter with which no symbol's name begins. raises ModelError: all are taken"""
    for letter in LETTERS:
        if not any(name.startswith(letter) and not name[len(letter) :].strip("_0123456789") for name in ring.symbols):
            return letter
    raise ModelError(f"symbols begin with all of {', '.join(LETTERS)}", where=where, remedy="rename some of them")
