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
from fractions import Fraction
from functools import cached_property, partial
from math import gcd, lcm
from typing import Any, NamedTuple

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.algebra.spatial import inner, summed
from qddot.base.errors import ModelError
from qddot.base.words.message import Listed
from qddot.exact.printing.notation import velocity
from qddot.physics.algorithms.cramer import Minors, parts
from qddot.physics.independent import Independents

LONGEST, MOST_TERMS = 9, 500  # dependent coordinates in one block, and terms of its minors, to be written out
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
    def in_lowest_terms(self) -> Quotient:
        """Returns the quotient without common factors; the first coefficient below is positive."""
        _, top, bottom = self.reduced
        shared = top.poly.gcd(bottom.poly)
        parts = [part.ring.wrap(part.poly / shared) for part in (top, bottom)]
        numbers = [c for part in parts for _, c in part.terms()]
        content = Fraction(gcd(*(c.numerator for c in numbers)), lcm(*(c.denominator for c in numbers)))
        _, first = next(iter(parts[1].terms()))
        scale = 1 / (content if first > 0 else -content)
        return Quotient(self.name, *(part * scale for part in parts))

    @property
    def value(self) -> Any:
        """Returns the quotient as a polynomial, or None if it is not a polynomial."""
        _, top, bottom = self.reduced
        if bottom.variables():
            return None
        ((_, constant),) = bottom.terms()
        return top / constant


class Inverse(NamedTuple):
    """This is the inverse of a block of A: the cofactors of its entries, divided by its determinant.

    rows, columns: the numbers of the conditions and of the dependent coordinates
    """

    rows: Sequence[int]
    columns: Sequence[int]
    determinant: Any
    cofactors: Sequence[Sequence[Any]]

    def over(self, ring: Ring) -> Inverse:
        """Returns the same inverse over a ring that extends this one's."""
        cofactors = [list(map(ring.convert, row)) for row in self.cofactors]
        return self._replace(determinant=ring.convert(self.determinant), cofactors=cofactors)

    def numerators(self, b: Sequence[Any]) -> dict[int, Any]:
        """Returns the numerators of x_k, by k, where Σ A_ik x_k = b_i."""
        right = [(place, b[i]) for place, i in enumerate(self.rows) if b[i]]
        return {
            k: summed(x * self.cofactors[i][place] for i, x in right if self.cofactors[i][place])
            for place, k in enumerate(self.columns)
        }


class Coefficients:
    """These are the coefficients over one ring, which extends the ring of A.

    A coefficient that is a polynomial has no variable; its value stands in all equations, and so does the value's
    derivative along the motions. If the coefficients of more than LONGEST coordinates must be found together, or a
    minor of their matrix has more than MOST_TERMS terms, they have no quotients, and are defined by the linear
    equations that they solve.

    letter: of all names; independent, dependent: places in q
    names: of r_kj, by (k, j); pairs: (j, l) of the slopes r_kj,l, with j ≤ l where r_kj,l = r_kl,j
    """

    def __init__(
        self,
        ring: Ring,
        A: Sequence[Sequence[Any]],
        choice: Independents,
        integrable: bool,
        where: str,
        at_rest: bool = False,
    ) -> None:
        """A: the rows of the independent conditions, over `ring`; at_rest: without the slopes, which have no part there

        integrable: whether r_kj,l = r_kl,j, which holds if q̇ are rates and A = ∂φ/∂q
        """
        self.independent, self.dependent, self._integrable = choice.independent, choice.dependent, integrable
        self.letter, number = _letter(ring, where), [own + 1 for own in choice.independent]
        between = "_" if len(ring.coordinates) > 9 else ""
        m = range(self.m)
        self.names = {(k, j): f"{self.letter}{k + 1}{between}{number[j]}" for k in self.dependent for j in m}
        self.pairs = [] if at_rest else [(j, l) for j in m for l in m if j <= l or not integrable]
        self.slopes = {(k, j, l): f"{self.names[k, j]}_{number[l]}" for k in self.dependent for j, l in self.pairs}
        self._first_ring, self._of_A = ring, [list(row) for row in A]
        self._slopes: dict[tuple[int, int, int], Any] = {}
        self._blocks = []
        self.implied_rows: list[int] = []
        self._implied: list[int] = []
        for rows, columns in parts(self._dependent_columns):
            if block := self._inverted(rows, columns):
                self._blocks.append(block)
            else:
                self.implied_rows += rows
                self._implied += (self.dependent[k] for k in columns)

    @property
    def m(self) -> int:
        return len(self.independent)

    @property
    def variables(self) -> tuple[str, ...]:
        """Returns the names of the coefficients that are variables of the ring."""
        return tuple(name for name in self.ring.extra if name not in self._first_ring.extra)

    @property
    def determinants(self) -> dict[int, Any]:
        """Returns the determinant of the block of each row of A; rows whose coefficients lack quotients have none."""
        return {i: block.determinant for block in self._blocks for i in block.rows}

    @cached_property
    def ring(self) -> Ring:
        """Returns the ring with the variables of all coefficients that are not polynomials."""
        names = [name for (k, _, _), name in self.slopes.items() if k in self._implied]
        return self.slope_ring.extended([*(each.name for each in self.second_named), *names])

    @cached_property
    def slope_ring(self) -> Ring:
        """Returns the ring with the variables of r_kj, over which r_kj,l are defined."""
        names = [name for (k, _), name in self.names.items() if k in self._implied]
        return self._first_ring.extended([*(each.name for each in self.first_named), *names])

    @cached_property
    def A(self) -> list[list[Any]]:
        return [[self.ring.convert(entry) for entry in row] for row in self._of_A]

    @cached_property
    def _values(self) -> dict[str, Any]:
        """Returns the coefficients that are polynomials."""
        second = {each.name: each.value for each in self.second if each.value is not None}
        return {name: self.ring.convert(value) for name, value in (self._polynomials | second).items()}

    @cached_property
    def _polynomials(self) -> dict[str, Any]:
        """Returns the r_kj that are polynomials."""
        return {each.name: each.value for each in self.first if each.value is not None}

    def _known(self, k: int, j: int, l: int) -> tuple[str, int] | None:
        """Returns a polynomial's name and the number of the coordinate by which its derivative is r_kj,l, or None."""
        for own, other in ((j, l), (l, j))[: 1 + self._integrable]:
            if (name := self.names.get((k, own), "")) in self._polynomials:
                return name, other
        return None

    @cached_property
    def _gradients(self) -> dict[str, dict[int, Any]]:
        """Returns the derivatives other than zero of each r_kj that is a polynomial, by places in q."""
        gradients = {}
        for name, value in self._polynomials.items():
            slopes = map(partial(self.ring.differentiate, self.ring.convert(value)), self.ring.coordinates)
            gradients[name] = {i: slope for i, slope in enumerate(slopes) if slope}
        return gradients

    def at(self, k: int, j: int) -> Any:
        """Returns R_kj."""
        if (k, j) not in self.names:
            return int(self.independent[j] == k)
        return self._variable(self.names[k, j])

    def slope(self, k: int, j: int, l: int) -> Any:
        """Returns r_kj,l, the rate of R_kj in the motion in which u_l = 1 and all other independent rates are zero."""
        if (k, j, l) not in self._slopes:
            self._slopes[k, j, l] = self._slope(k, j, l)
        return self._slopes[k, j, l]

    def _slope(self, k: int, j: int, l: int) -> Any:
        if known := self._known(k, j, l):
            name, other = known
            return summed(slope * self.R[i][other] for i, slope in self._gradients[name].items())
        variable = self.slopes.get((k, j, l)) or self.slopes.get((k, l, j))
        return 0 if variable is None else self._variable(variable)

    def _variable(self, name: str) -> Any:
        return self._values[name] if name in self._values else self.ring.symbol(name)

    def named(self, name: Any) -> Any:
        """Returns the coefficient, or the rate of a dependent coordinate, that has a name in a text, or None."""
        for k, j in self.names:
            if name == self.names[k, j]:
                return self.at(k, j)
        for place, own in self.slopes.items():
            if name == own:
                return self.slope(*place)
        coordinates, quasi = self._first_ring.coordinates, self._first_ring.quasi
        places = (k for k in self.dependent if name == velocity(coordinates[k], quasi).text)
        return next((self.rates[k] for k in places), None)

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
        """Returns d/dt along the motions of a function of q, u and the coefficients, without ∂/∂t."""
        if isinstance(value, int):
            return 0
        coordinates = self.ring.coordinates
        parts = [
            self.ring.differentiate(value, name) * rate for name, rate in zip(coordinates, self.rates, strict=True)
        ]
        for (k, j), name in self.names.items():
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
        if self._images.keys().isdisjoint(value.variables()):
            return self.ring.convert(value)
        return self.ring.composed(value, self._images)

    @cached_property
    def _images(self) -> dict[str, Any]:
        """Returns what stands for the rates and accelerations of the dependent coordinates."""
        images: dict[str, Any] = {}
        for k in self.dependent:
            name = self.ring.coordinates[k]
            images[f"qd({name})"] = self.ring.convert(self.rates[k])
            images[f"qdd({name})"] = self.ring.convert(self.accelerations[k])
        return images

    # definitions

    @cached_property
    def _dependent_columns(self) -> list[list[Any]]:
        return [[row[k] for k in self.dependent] for row in self._of_A]

    def _inverted(self, rows: Sequence[int], columns: Sequence[int]) -> Inverse | None:
        """Returns the inverse of a block of A, or None if it is too long to be written out."""
        if len(rows) > LONGEST:
            return None
        part = [[self._dependent_columns[i][k] for k in columns] for i in rows]
        try:
            factors = Minors(part, MOST_TERMS).cofactors()
        except OverflowError:
            return None
        determinant = inner(part[0], factors[0])
        if len(determinant) > MOST_TERMS:
            return None
        return Inverse(rows, [self.dependent[k] for k in columns], determinant, factors)

    def _solved(
        self, ring: Ring, blocks: Sequence[Inverse], names: Mapping[int, str], b: Sequence[Any]
    ) -> list[Quotient]:
        """Returns the quotients x_k, over a ring, that solve Σ A_ik x_k = b_i over the dependent coordinates k."""
        return [
            Quotient(names[k], ring.convert(top), ring.convert(block.determinant))
            for block in blocks
            for k, top in block.numerators(b).items()
        ]

    @cached_property
    def inverse(self) -> tuple[list[list[Any]], list[Any]]:
        """Returns the transposed cofactors of A_d, and for each of its columns the determinant of its block.

        A_d⁻¹ has the rows of the first, each divided by its entry of the second.
        """
        cofactors, determinants = dict[tuple[int, int], Any](), dict[int, Any]()
        for block in self._blocks:
            for place, k in enumerate(block.columns):
                determinants[k] = block.determinant
                cofactors |= {(k, i): row[place] for i, row in zip(block.rows, block.cofactors, strict=True)}
        rows = range(len(self._of_A))
        return [[cofactors.get((k, i), 0) for i in rows] for k in self.dependent], [
            determinants[k] for k in self.dependent
        ]

    @cached_property
    def first(self) -> list[Quotient]:
        """Returns the definitions of r_kj, from A R = 0."""
        quotients = []
        for j, own in enumerate(self.independent):
            names = {k: self.names[k, j] for k in self.dependent}
            quotients += self._solved(self._first_ring, self._blocks, names, [-row[own] for row in self._of_A])
        return quotients

    @cached_property
    def second(self) -> list[Quotient]:
        """Returns the definitions of r_kj,l, from the derivative of A R = 0; their numerators contain r_kj."""
        quotients, ring = [], self.slope_ring
        blocks = [block.over(ring) for block in self._blocks]
        for j, l in self.pairs if blocks else ():
            names = {k: self.slopes[k, j, l] for k in self.dependent}
            quotients += self._solved(ring, blocks, names, [-right for right in self.right_sides(j, l)])
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
        ring = self.slope_ring
        polynomials = self._polynomials
        names = [name for (k, _), name in self.names.items() if k in self._implied]
        names += [each.name for each in self.first]
        return {n: ring.convert(polynomials[n]) if n in polynomials else ring.symbol(n) for n in names}

    def implied(self, slopes: bool) -> Iterator[Any]:
        """Yields the polynomials in A R = 0, or those in A Ṙ + Ȧ R = 0, of rows whose coefficients lack quotients."""
        for j, l in self.pairs if slopes else ((j, None) for j in range(self.m)):
            rights = self.right_sides(j, l) if l is not None else [row[self.independent[j]] for row in self.A]
            for i in self.implied_rows:
                left = ((k, self.slope(k, j, l) if l is not None else self.at(k, j)) for k in self.dependent)
                yield summed(self.A[i][k] * x for k, x in left if self.A[i][k]) + self.ring.convert(rights[i])

    def systems(self, slopes: bool) -> tuple[list[list[str]], list[list[Any]], list[list[Any]]]:
        """Returns names X, a matrix and B with matrix · X = B: r_kj or r_kj,l of the rows that lack quotients."""
        if slopes:
            names = [[self.slopes[k, j, l] for j, l in self.pairs] for k in self._implied]
            columns = [self.right_sides(j, l) for j, l in self.pairs]
        else:
            names = [[self.names[k, j] for j in range(self.m)] for k in self._implied]
            columns = [[row[own] for row in self.A] for own in self.independent]
        matrix = [[self.A[i][k] for k in self._implied] for i in self.implied_rows]
        return names, matrix, [[-self.ring.convert(column[i]) for column in columns] for i in self.implied_rows]

    @cached_property
    def _slopes_of_A(self) -> list[dict[int, dict[int, Any]]]:
        """Returns the derivatives other than zero of A's entries, of each row by column and coordinate."""
        ring = self.slope_ring
        rows = []
        for row in self._of_A:
            entries = {k: ring.convert(entry) for k, entry in enumerate(row) if entry}
            slopes = {k: map(partial(ring.differentiate, entry), ring.coordinates) for k, entry in entries.items()}
            rows.append({k: {i: slope for i, slope in enumerate(own) if slope} for k, own in slopes.items()})
        return rows

    def right_sides(self, j: int, l: int) -> list[Any]:
        """Returns the terms of d/dt (A R_j) without derivatives of R, in the motion in which u_l = 1 is alone."""
        column, along = self._columns[j], self._columns[l]
        return [
            summed(
                summed(slope * along[i] for i, slope in slopes.items() if i in along) * column[k]
                for k, slopes in row.items()
                if k in column
            )
            for row in self._slopes_of_A
        ]

    @cached_property
    def _columns(self) -> list[dict[int, Any]]:
        """Returns the entries other than zero of R's columns over the ring of the definitions, by places in q."""
        names = [{k: name for (k, own), name in self.names.items() if own == j} for j in range(self.m)]
        values = self._first_values
        columns = [{k: values[name] for k, name in own.items() if values[name]} for own in names]
        return [column | {k: 1} for k, column in zip(self.independent, columns, strict=True)]


def _letter(ring: Ring, where: str) -> str:
    """Returns a letter that is no symbol's name, alone or with digits after it. raises ModelError: all are taken"""
    for letter in LETTERS:
        if not any(name.startswith(letter) and not name[len(letter) :].strip("_0123456789") for name in ring.symbols):
            return letter
    raise ModelError("letters-in-use", where=where, names=Listed(LETTERS))
