"""Computes the coefficients of the base parameters: each column that does not stay, as a combination of those
that do.

Inertia that a joint does not feel can be moved to the parent in any geometry. These relations are known in advance, and
substituting each into the next gives most shares without division. The few columns with further relations, mostly near
the base, follow from a minor of the energies' coefficients, with the simplest rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from qddot.algebra.numbers.polynomials.division import by_exponents
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.rounded_ring import RoundedRing, rounded
from qddot.base.records import record
from qddot.exact.forms.base.relations import Relations, elimination_order, energies, simplest_rows, unfelt_rows
from qddot.exact.forms.textbook.rewriting.states import moves
from qddot.physics.algorithms.regressor import PARAMETERS
from qddot.physics.mechanism import Link, Mechanism

Row: TypeAlias = dict[int, Polynomial]
Vector: TypeAlias = dict[tuple[int, ...], Polynomial]
MOST_ODD_ANGLES = 2  # in energies that are expanded; relations known in advance may have more
MOST_ANGLES = 6  # the same, including angles with symbols
WORKING_BITS = 1024  # with rounded angles: more bits than the result keeps, fewer than exact products have
WORK = 20  # limit on the pairs of terms in a product, as a multiple of the limit on terms


class TooLongError(Exception):
    """The model has so many angles or terms that its shares would take too long."""


@record()
class Combination:
    """This is a column as Σ numerators[k] / denominator · column k, summed over columns that stay."""

    denominator: Polynomial
    numerators: Row


class Elimination:
    """This has each column that does not stay as one of the `combinations` of those that do."""

    def __init__(
        self, mechanism: Mechanism, ring: Ring, dependences: Relations, armature: bool, most_terms: int
    ) -> None:
        """mechanism: in polynomials of the ring

        raises TooLongError: a numerator would have more than `most_terms` terms
        """
        self.mechanism, self.ring, self.dependences, self.armature = mechanism, ring, dependences, armature
        self.one = ring.convert(1)
        self.most_terms = most_terms
        self._energies: dict[tuple[int, ...], dict[int, Any]] = {}
        self.combinations: dict[int, Combination] = {}
        bodies = len(self.mechanism.links)
        unfelt = {column: row for link in range(bodies) for column, row in self._unfelt(link).items()}
        self.armature_columns = len(PARAMETERS) * bodies
        last = len(dependences.stay) + len(dependences.support)
        for column in (*elimination_order(bodies), *range(self.armature_columns, last)):
            if column in unfelt:
                self.combinations[column] = self._substituted(column, unfelt[column])
            elif column in dependences.support:
                self.combinations[column] = self._from_minor(column, dependences.support[column])

    def _unfelt(self, link: int) -> dict[int, Row]:
        """Returns, for each column that the link's joint does not feel, the row that relates it to others."""
        columns, numbers = list(self.dependences.unfelt[link]), self.dependences.numbers
        if not columns:
            return {}
        residues = [[numbers.integer(row[c]) for c in columns] for row in unfelt_rows(self.dependences.mechanism, link)]
        rows = unfelt_rows(self.mechanism, link)
        chosen = [self._polynomials(rows[k]) for k in simplest_rows(residues, numbers.prime)]
        eliminate(chosen, columns)
        return dict(zip(columns, chosen, strict=True))

    def _polynomials(self, row: Mapping[int, Any]) -> Row:
        polynomials = {key: self.ring.convert(value) for key, value in row.items()}
        return {key: value for key, value in polynomials.items() if value}

    def _substituted(self, column: int, row: Row) -> Combination:
        """Returns the combination of a row, in which combinations replace earlier columns that do not stay."""
        below, numerators = self.one, Row()
        standing = next(parts for parts in self.dependences.unfelt.values() if column in parts)[column]
        for key in standing:
            if key not in self.dependences.support:
                _add(numerators, {key: self.one}, -row[key] * below)
                continue
            other = self.combinations[key]
            common = self.ring.wrap(below.poly.gcd(other.denominator.poly))
            factor, times = _over(other.denominator, common), _over(below, common) * row[key]
            self._limit(max(map(len, numerators.values()), default=0) * len(factor), WORK)
            self._limit(max(map(len, other.numerators.values()), default=0) * len(times), WORK)
            numerators = {k: value * factor for k, value in numerators.items()}
            below = below * factor
            _add(numerators, other.numerators, -times)
        return self._cancelled(column, row[column] * below, numerators)

    def _from_minor(self, column: int, support: Sequence[int]) -> Combination:
        """Returns the combination of a column from its energies: by Cramer's rule, which eliminates in a few rows."""
        if not support:
            return Combination(self.one, {})
        vectors = {key: _by_state(value) for key, value in self._energies_of((*support, column)).items()}
        states = {state for key in support for state in vectors[key]}
        size = {state: sum(len(v.get(state, ())) for v in vectors.values()) for state in states}
        ranked = sorted(states, key=lambda state: (size[state], state))
        zero, numbers = self.ring.zero, self.dependences.numbers
        residues = [[numbers.integer(vectors[key].get(state, zero)) for key in support] for state in ranked]
        rows = [
            {key: vectors[key][ranked[k]] for key in vectors if ranked[k] in vectors[key]}
            for k in simplest_rows(residues, numbers.prime)
        ]
        eliminate(rows, support)
        below, numerators = self.one, Row()
        for key, row in zip(support, rows, strict=True):
            numerators = {k: value * row[key] for k, value in numerators.items()}
            numerators[key] = row.get(column, zero) * below
            below = below * row[key]
        return self._cancelled(column, below, numerators)

    def _limit(self, terms: int, times: int = 1) -> None:
        if terms > times * self.most_terms:
            raise TooLongError

    def _energies_of(self, columns: Iterable[int]) -> dict[int, Any]:
        """Returns the energies of a few columns, computed only from the links that carry their bodies."""
        bodies = [k // len(PARAMETERS) for k in columns if k < self.armature_columns]
        path = tuple(sorted({link for body in bodies for link in self.mechanism.paths[body]}))
        if path not in self._energies:
            place = {link: k for k, link in enumerate(path)}
            links = [self.mechanism.links[k] for k in path]
            odd, symbolic = self._angles(links)
            if odd > MOST_ODD_ANGLES or odd + symbolic > MOST_ANGLES:
                raise TooLongError
            alone = [
                replace(link, index=place[link.index], parent=None if link.parent is None else place[link.parent])
                for link in links
            ]
            energies_of_all = energies(replace(self.mechanism, links=tuple(alone)), self.armature)
            names = [len(PARAMETERS) * k + j for k in path for j in range(len(PARAMETERS))]
            names += range(self.armature_columns, self.armature_columns + self.mechanism.n) if self.armature else ()
            self._energies[path] = dict(zip(names, energies_of_all, strict=True))
        return {k: self._energies[path][k] for k in columns}

    def _angles(self, links: Sequence[Link]) -> tuple[int, int]:
        """Returns the numbers of constant angles without and with symbols in the geometry of some links."""
        parts = [row for link in links for row in (*link.placement.matrix(), *link.offset.matrix(), list(link.axis))]
        used = {key for part in parts for x in part if isinstance(x, Polynomial) for key in x.variables()}
        angles = {g.angle for g in self.ring.generators if g.key in used and g.angle is not None}
        symbolic = sum(bool(angle.symbols) for angle in angles)
        return len(angles) - symbolic, symbolic

    def _cancelled(self, column: int, below: Polynomial, numerators: Row) -> Combination:
        """Returns the combination without columns that do not occur in it, and without common factors."""
        terms = {key: value for key, value in numerators.items() if key in self.dependences.support[column]}
        self._limit(max(map(len, terms.values()), default=0))
        common = below.poly
        for value in terms.values():
            if common.is_constant():
                break
            common = common.gcd(value.poly)
        if below.poly.is_constant():
            common = below.poly
        divisor = self.ring.wrap(common)
        below, terms = _over(below, divisor), {key: _over(value, divisor) for key, value in terms.items()}
        if isinstance(self.ring, RoundedRing):
            below = rounded(below, WORKING_BITS)
            terms = {key: rounded(value, WORKING_BITS) for key, value in terms.items()}
        return Combination(below, terms)


def _by_state(value: Any) -> Vector:
    """Returns the coefficients of all monomials in the state except 1; they depend on the geometry."""
    if not isinstance(value, Polynomial):
        return {}
    moving = [k for k, g in enumerate(value.ring.generators) if moves(g) or g.kind == "qd"]
    return {state: part for state, part in by_exponents(value, moving).items() if any(state)}


def eliminate(rows: list[Row], columns: Sequence[int]) -> None:
    """Eliminates without fractions (Gauss–Jordan), in place: of these columns, row i keeps only the i-th."""
    for i, column in enumerate(columns):
        pivot = rows[i][column]
        if pivot.poly.is_constant():
            rows[i] = {key: _over(value, pivot) for key, value in rows[i].items()}
            pivot = rows[i][column]
        for k, row in enumerate(rows):
            if k != i and column in row:
                factor = row.pop(column)
                rows[k] = row if pivot == 1 else {key: value * pivot for key, value in row.items()}
                _add(rows[k], {key: value for key, value in rows[i].items() if key != column}, -factor)


def _add(row: Row, other: Mapping[int, Polynomial], times: Polynomial) -> None:
    """Adds times · other to a row, in place; zeros are removed."""
    for key, value in other.items():
        total = row[key] + times * value if key in row else times * value
        if total:
            row[key] = total
        else:
            row.pop(key, None)


def _over(value: Polynomial, divisor: Polynomial) -> Polynomial:
    """Returns a quotient that has no remainder."""
    return value if divisor == 1 else value.ring.wrap(value.poly / divisor.poly)
