"""Shortens entries by sums of angles and by the choice of sin² or cos², grouped by products of sines and cosines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from qddot.algebra.numbers.polynomials.division import by_exponents
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.exact.forms.textbook.rewriting.angle_sums import AngleSums
from qddot.exact.forms.textbook.rewriting.short_forms import Rewriting, shortest_form
from qddot.exact.forms.textbook.rewriting.states import Coefficient, Grouped, State, States
from qddot.exact.printing.reading_order import RATES
from qddot.physics.mechanism import Mechanism

Motion: TypeAlias = tuple[tuple[str, int], ...]  # powers of rates and accelerations, by the generators' keys
Short: TypeAlias = dict[Motion, Grouped]


class ShortEntries:
    """This shortens entries over one ring, each distinct one once."""

    def __init__(self, mechanism: Mechanism, ring: Ring, multiples: bool, moving: Collection[str] = ()) -> None:
        """mechanism: in polynomials; multiples: whether cos 2θ replaces squares

        moving: names of symbols that change along the motion, as rates do
        """
        self._moving = moving
        self.sums = AngleSums(mechanism, ring, multiples)
        self._cache: dict[tuple[int, tuple[int, ...]], list[tuple[Polynomial, Grouped, Rewriting]]] = {}

    def of(self, entries: Iterable[Polynomial]) -> list[Short]:
        """Returns for each entry the short forms of the coefficients of products of rates."""
        return [{motion: self._once(part)[0] for motion, part in self._by_motion(entry).items()} for entry in entries]

    def parts(self, entries: Sequence[Polynomial], parts: Sequence[Polynomial]) -> list[Short]:
        """Returns one part of each entry, rewritten as the entry is, so that the parts add up to the entry."""
        pairs = {(id(entry), id(part)): (entry, part) for entry, part in zip(entries, parts, strict=True)}
        short = {key: self._part(*pair) for key, pair in pairs.items()}  # symmetric entries are one object
        return [short[id(entry), id(part)] for entry, part in zip(entries, parts, strict=True)]

    def _part(self, entry: Polynomial, part: Polynomial) -> Short:
        rewritten = {motion: self._once(whole)[1] for motion, whole in self._by_motion(entry).items()}
        unchanged = Rewriting(self.sums)
        return {motion: rewritten.get(motion, unchanged)(value) for motion, value in self._by_motion(part).items()}

    def joined(
        self, entries: Sequence[Short], ring: Ring, written: Callable[[Polynomial, Ring], Polynomial] | None = None
    ) -> list[Unreduced]:
        """Returns short forms as sums over a ring; written: returns the printed polynomial for a coefficient"""
        coefficients = {c for entry in entries for group in entry.values() for c in group.values()}
        polynomials: dict[Coefficient, Polynomial] = {
            c: written(c.polynomial, ring) if written else ring.convert(c.polynomial) for c in coefficients
        }
        polynomial_of = FormPolynomials(self.sums.states, ring, polynomials).of
        sums = []
        for entry in entries:
            parts = [(polynomial_of(group), dict(motion)) for motion, group in entry.items()]
            whole = len(parts) == 1 and not parts[0][1]  # the same object for the same group
            sums.append(parts[0][0] if whole else Unreduced.sum(ring, parts))
        return sums

    def _by_motion(self, entry: Polynomial) -> dict[Motion, Polynomial]:
        """Returns the coefficient of each product of what moves beside the angles; empty for zero.

        These are rates, accelerations, their signs, and the symbols that move.
        """
        if not entry:
            return {}
        generators, degrees = entry.ring.generators, entry.poly.degrees()
        moving = (k for k, each in enumerate(generators) if each.kind in RATES or each.name in self._moving)
        used = [k for k in moving if degrees[k]]
        if not used:
            return {(): entry}
        return {
            tuple((generators[k].key, e) for k, e in zip(used, exponents, strict=True) if e): part
            for exponents, part in by_exponents(entry, used).items()
        }

    def _once(self, entry: Polynomial) -> tuple[Grouped, Rewriting]:
        """Returns the short form of an entry, and its rewriting; equal and opposite entries share both."""
        alike = self._cache.setdefault((len(entry), entry.poly.degrees()), [])
        for other, short, rewriting in alike:
            if other == entry:
                return short, rewriting
        opposite = next(((short, rewriting) for other, short, rewriting in alike if other == -entry), None)
        shortest = shortest_form(self.sums, entry) if opposite is None else (_negative(opposite[0]), opposite[1])
        alike.append((entry, *shortest))
        return shortest


def _negative(group: Grouped) -> Grouped:
    return {state: value * -1 for state, value in group.items()}


class FormPolynomials:
    """This turns short forms into sums of terms, without changing squares."""

    def __init__(self, states: States, ring: Ring, written: Mapping[Coefficient, Polynomial]) -> None:
        """written: the polynomial to write for a coefficient; ring: that of the sums, which has all these variables"""
        self._states, self._ring, self._written = states, ring, written
        self._monomials = {(0,) * len(states.generators): Unreduced.over(ring, ring.convert(1))}
        self._powers: dict[tuple[int, int], Unreduced] = {}
        self._cache: dict[int, tuple[Grouped, Unreduced]] = {}

    def of(self, group: Grouped) -> Unreduced:
        """Returns the sum; the same group gives the same object."""
        if id(group) not in self._cache:
            monomials: dict[Coefficient, list[Unreduced]] = {}
            for state, value in group.items():
                monomials.setdefault(value, []).append(self._monomial(state))
            products = [_total(those) * self._written[value] for value, those in monomials.items()]
            self._cache[id(group)] = (
                group,
                _total(products) if products else Unreduced.over(self._ring, self._ring.zero),
            )
        return self._cache[id(group)][1]

    def _monomial(self, state: State) -> Unreduced:
        """Returns a state's monomial: its last power times the product of its others, which other monomials share."""
        if state not in self._monomials:
            last = max(k for k, e in enumerate(state) if e)
            before = state[:last] + (0,) * (len(state) - last)
            self._monomials[state] = self._monomial(before) * self._power(last, state[last])
        return self._monomials[state]

    def _power(self, k: int, exponent: int) -> Unreduced:
        if (k, exponent) not in self._powers:
            one = self._ring.convert(1)
            powers = {self._states.generators[k].key: exponent}
            self._powers[k, exponent] = Unreduced.sum(self._ring, [(one, powers)])
        return self._powers[k, exponent]


def _total(terms: list[Unreduced]) -> Unreduced:
    """Returns the sum by pairs, pairs of pairs and so on, so that each term is copied only a few times."""
    while len(terms) > 1:
        odd = terms[-1:] if len(terms) % 2 else []
        terms = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)] + odd
    return terms[0]
