"""Names the kinematic coefficients of a closed chain: q̇ = R u, with r_kj = ∂q_k/∂q_j along its motions.

u has the rates of the independent coordinates q_j. The coefficients of the others, and their derivatives r_kj,l with
respect to the independent coordinates q_l, are variables, so that no quotient is ever expanded; with rolling wheels
r_kj,l ≠ r_kl,j. They solve A R = 0 and its derivative, whose matrix is the same, by Cramer's rule. With
quasi-velocities, q̇ and ∂/∂q_l stand for the velocities and for the derivatives along their vector fields, and
r_kj,l ≠ r_kl,j as well.
Source: Doughty, *Mechanics of Machines*, 1988, ch. 2 (velocity coefficients and their derivatives).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from qddot.dynamics.algorithms.cramer import Block, blocks, parts
from qddot.dynamics.independent import Choice
from qddot.errors import ModelError
from qddot.numbers.polynomials.exact import Ring
from qddot.spatial import inner, summed

LONGEST = 9  # dependent coordinates in one block, whose determinants are written out
LETTERS = ("r", "kappa", "rho")  # of coefficients; the first whose names are not taken


class Quotient(NamedTuple):
    """This is the definition of a coefficient: a numerator and a determinant, both polynomials."""

    name: str
    numerator: Any
    denominator: Any

    @property
    def reduced(self) -> Quotient:
        """Returns the quotient without the monomials that its numerator and its determinant share."""
        top, bottom = self.numerator, self.denominator
        if not top:
            return Quotient(self.name, top, bottom.ring.convert(1))
        shared = top.poly.term_content().gcd(bottom.poly.term_content())
        return Quotient(self.name, *(part.ring.wrap(part.poly / shared) for part in (top, bottom)))

    @property
    def value(self) -> Any:
        """Returns the quotient as a polynomial, or None if it is not a polynomial."""
        _, top, bottom = self.reduced
        if bottom.variables():
            return None
        ((_, constant),) = bottom.terms()
        return top / constant


class Coefficients:
    """These are the coefficients over one ring, which extends the ring of A.

    A coefficient that is a polynomial has no variable; its value stands in all equations, and so does the value's
    derivative along the motions. If the coefficients of more than LONGEST coordinates must be found together, they
    have no quotients, and are defined by the linear equations that they solve.

    letter: of all names; independent, dependent: places in q
    pairs: (j, l) of the slopes r_kj,l, with j ≤ l where r_kj,l = r_kl,j
    """

    def __init__(self, ring: Ring, A: Sequence[Sequence[Any]], choice: Choice, integrable: bool, where: str) -> None:
        """A: the rows of the independent conditions, over `ring`

        integrable: whether r_kj,l = r_kl,j, which holds if q̇ are rates and A = ∂φ/∂q
        """
        self.independent, self.dependent, self._integrable = choice.independent, choice.dependent, integrable
        self.letter, number = _letter(ring, where), [own + 1 for own in choice.independent]
        between = "_" if len(ring.coordinates) > 9 else ""
        m = range(self.m)
        self._names = {(k, j): f"{self.letter}{k + 1}{between}{number[j]}" for k in self.dependent for j in m}
        self.pairs = [(j, l) for j in m for l in m if j <= l or not integrable]
        self.slopes = {(k, j, l): f"{self._names[k, j]}_{number[l]}" for k in self.dependent for j, l in self.pairs}
        self._first_ring, self._of_A = ring, [list(row) for row in A]
        long = [part for part in parts(self._dependent_columns) if len(part[0]) > LONGEST]
        self.implied_rows = [i for rows, _ in long for i in rows]
        self._implied = [self.dependent[k] for _, columns in long for k in columns]

    @property
    def m(self) -> int:
        return len(self.independent)

    def name(self, k: int, j: int) -> str:
        """Returns the name of r_kj."""
        return self._names[k, j]

    @cached_property
    def ring(self) -> Ring:
        """Returns the ring with the variables of all coefficients that are not polynomials."""
        names = [name for (k, _, _), name in self.slopes.items() if k in self._implied]
        return self._slope_ring.extended([*(each.name for each in self.second_named), *names])

    @cached_property
    def _slope_ring(self) -> Ring:
        """Returns the ring with the variables of r_kj, over which r_kj,l are defined."""
        names = [name for (k, _), name in self._names.items() if k in self._implied]
        return self._first_ring.extended([*(each.name for each in self.first_named), *names])

    @cached_property
    def A(self) -> list[list[Any]]:
        return [[self.ring.convert(entry) for entry in row] for row in self._of_A]

    @cached_property
    def _values(self) -> dict[str, Any]:
        """Returns the coefficients that are polynomials."""
        return self._polynomials | {each.name: each.value for each in self.second if each.value is not None}

    @cached_property
    def _polynomials(self) -> dict[str, Any]:
        """Returns the r_kj that are polynomials."""
        return {each.name: each.value for each in self.first if each.value is not None}

    def _known(self, k: int, j: int, l: int) -> tuple[Any, int] | None:
        """Returns a polynomial and the number of the coordinate by which its derivative is r_kj,l, or None."""
        for own, other in ((j, l), (l, j))[: 1 + self._integrable]:
            if (name := self._names.get((k, own), "")) in self._polynomials:
                return self._polynomials[name], other
        return None

    def at(self, k: int, j: int) -> Any:
        """Returns R_kj."""
        if (k, j) not in self._names:
            return int(self.independent[j] == k)
        return self._variable(self._names[k, j])

    def slope(self, k: int, j: int, l: int) -> Any:
        """Returns r_kj,l, the rate of R_kj in the motion in which u_l = 1 and all other independent rates are zero."""
        if known := self._known(k, j, l):
            value, other = known
            slopes = (self.ring.differentiate(self.ring.convert(value), name) for name in self.ring.coordinates)
            return summed(slope * row[other] for slope, row in zip(slopes, self.R, strict=True))
        name = self.slopes.get((k, j, l)) or self.slopes.get((k, l, j))
        return 0 if name is None else self._variable(name)

    def _variable(self, name: str) -> Any:
        return self.ring.convert(self._values[name]) if name in self._values else self.ring.symbol(name)

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
            if name not in self._values and (slope := value.derivative(name)):
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
    def _dependent_columns(self) -> list[list[Any]]:
        return [[row[k] for k in self.dependent] for row in self._of_A]

    @cached_property
    def _blocks(self) -> list[Block]:
        return blocks(self._dependent_columns, LONGEST)

    def _solved(self, ring: Ring, names: Mapping[int, str], b: Sequence[Any]) -> list[Quotient]:
        """Returns the quotients x_k, over a ring, that solve Σ A_ik x_k = b_i over the dependent coordinates k."""
        A = [[ring.convert(entry) for entry in row] for row in self._dependent_columns]
        return [
            Quotient(names[self.dependent[place]], ring.convert(top), ring.convert(block.determinant))
            for block in self._blocks
            for place, top in block.numerators(A, b).items()
        ]

    @cached_property
    def first(self) -> list[Quotient]:
        """Returns the definitions of r_kj, from A R = 0."""
        quotients = []
        for j, own in enumerate(self.independent):
            names = {k: self._names[k, j] for k in self.dependent}
            quotients += self._solved(self._first_ring, names, [-row[own] for row in self._of_A])
        return quotients

    @cached_property
    def second(self) -> list[Quotient]:
        """Returns the definitions of r_kj,l, from the derivative of A R = 0; their numerators contain r_kj."""
        quotients = []
        for j, l in self.pairs if self._blocks else ():
            names = {k: self.slopes[k, j, l] for k in self.dependent}
            quotients += self._solved(self._slope_ring, names, [-right for right in self.right_sides(j, l)])
        return quotients

    @cached_property
    def first_named(self) -> list[Quotient]:
        """Returns the shortened definitions of those r_kj that are variables."""
        return [each.reduced for each in self.first if each.value is None]

    @cached_property
    def second_named(self) -> list[Quotient]:
        """Returns the shortened definitions of those r_kj,l that are variables."""
        names = {name for place, name in self.slopes.items() if self._known(*place)}
        return [each.reduced for each in self.second if each.value is None and each.name not in names]

    @cached_property
    def _first_values(self) -> dict[str, Any]:
        """Returns r_kj over the ring of the slopes' definitions, by name."""
        ring = self._slope_ring
        implied = {name: ring.symbol(name) for (k, _), name in self._names.items() if k in self._implied}
        return implied | {
            each.name: ring.symbol(each.name) if each.value is None else ring.convert(each.value) for each in self.first
        }

    def implied(self, slopes: bool) -> Iterator[Any]:
        """Yields the polynomials in A R = 0, or those in A Ṙ + Ȧ R = 0, of rows whose coefficients lack quotients."""
        for j, l in self.pairs if slopes else ((j, None) for j in range(self.m)):
            rights = self.right_sides(j, l) if l is not None else [row[self.independent[j]] for row in self.A]
            for i in self.implied_rows:
                left = ((k, self.slope(k, j, l) if l is not None else self.at(k, j)) for k in self.dependent)
                yield summed(self.A[i][k] * x for k, x in left if self.A[i][k]) + self.ring.convert(rights[i])

    @cached_property
    def _slopes_of_A(self) -> list[list[list[Any]]]:
        """Returns the derivatives of each entry of A along the coordinates."""
        ring = self._slope_ring
        return [
            [[ring.differentiate(entry, name) for name in ring.coordinates] for entry in map(ring.convert, row)]
            for row in self._of_A
        ]

    def right_sides(self, j: int, l: int) -> list[Any]:
        """Returns the terms of d/dt (A R_j) without derivatives of R, in the motion in which u_l = 1 is alone."""
        n = range(len(self._slope_ring.coordinates))
        R = [
            [self._first_values.get(self._names.get((k, i), ""), int(self.independent[i] == k)) for i in (j, l)]
            for k in n
        ]
        slopes = ([summed(entry[k] * R[k][1] for k in n) for entry in row] for row in self._slopes_of_A)
        return [summed(slope * R[k][0] for k, slope in enumerate(row)) for row in slopes]


def _letter(ring: Ring, where: str) -> str:
    """Returns a letter that is no symbol's name, alone or with digits after it. raises ModelError: all are taken"""
    for letter in LETTERS:
        if not any(name.startswith(letter) and not name[len(letter) :].strip("_0123456789") for name in ring.symbols):
            return letter
    fact = f"each of the letters {', '.join(LETTERS)} is a symbol's name, alone or with digits after it"
    raise ModelError(fact, where=where, remedy="rename some symbols")
