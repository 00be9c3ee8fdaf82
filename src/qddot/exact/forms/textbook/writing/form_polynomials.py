"""Turns short forms into polynomials: written coefficients times monomials in the state."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.exact.forms.textbook.rewriting.states import Coefficient, Grouped, State, States


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
