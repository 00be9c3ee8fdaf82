"""Decides whether two exact results are equal where the loops of a chain are closed.

They are if their difference is zero once the coefficients r_kj are replaced by their definitions, for all positions, or
if it vanishes at certified closed configurations, which verifies it. A configuration at which balls exclude zero proves
that they differ. The configurations have the default lengths and, if the loops also close there, other ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import arb

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.balls import ball, precise
from qddot.algebra.numbers.polynomials.division import by_exponents
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.chain_quantities import ChainQuantities

if TYPE_CHECKING:
    from qddot.teach.check.closed_places import Place

NOTHING = arb(2) ** -128  # the largest size of a value in balls of twice as many bits that counts as zero
MOST_TERMS = 20_000  # of a difference in which more is replaced


class Replaced(NamedTuple):
    """This is a variable, by its key, with the quotient that replaces it."""

    key: str
    numerator: Polynomial
    denominator: Polynomial

    def within(self, value: Polynomial) -> Polynomial:
        """Returns a polynomial with the quotient in place of the variable, times a power of the denominator."""
        ring = value.ring.joined(self.numerator.ring.of_joints)
        if self.key not in ring.index:
            return value
        parts = by_exponents(ring.convert(value), [ring.index[self.key]])
        most = max(exponent for (exponent,) in parts)
        top, bottom = ring.convert(self.numerator), ring.convert(self.denominator)
        total = ring.zero
        for (exponent,), part in parts.items():
            total = total + part * top**exponent * bottom ** (most - exponent)
        return ring.convert(total)


def _solved(condition: Polynomial) -> Iterator[Replaced]:
    """Yields the variables of the state that occur in a condition once, times constants, with their values."""
    ring = condition.ring
    for place, generator in enumerate(ring.generators):
        if generator.kind in ("cos", "sin", "q"):
            parts = by_exponents(condition, [place])
            slope = parts.get((1,), ring.zero)
            if set(parts) <= {(0,), (1,)} and len(slope) == 1 and all(g.kind == "symbol" for g in slope.generators()):
                yield Replaced(generator.key, -parts.get((0,), ring.zero), slope)


class ClosedLoops:
    """This decides what is zero where the loops of one chain are closed."""

    def __init__(self, eq: ChainQuantities, values: Mapping[str, Any] | None = None) -> None:
        """values: of symbols in the places of which there are numbers, None if there are none"""
        self.eq, self._values = eq, values

    @cached_property
    def places(self) -> list[Place]:
        """Returns the states in which differences are computed."""
        return self.eq.places if self._values is None else self.eq.places_at(self._values)

    def vanishes(self, value: Polynomial) -> bool:
        """Returns whether a polynomial is zero, or smaller than NOTHING in all states."""
        with precise():
            return not value or all(abs(ball(value.evaluate(place.numbers))) < NOTHING for place in self.places)

    def is_proved(self, value: Polynomial) -> bool:
        """Returns whether a polynomial is certainly zero where the loops are closed.

        It is if it becomes zero once coefficients are replaced by their definitions, and variables by the conditions in
        which they occur once, times a constant.
        """
        of, value = self.eq.reduced.coefficients, self.eq.moving(value)
        known = [Replaced(*each) for each in (*reversed(of.second_named), *reversed(of.first_named))]
        for each in (*known, *self._by_conditions):
            if not value or len(value) > MOST_TERMS:
                break
            value = each.within(value)
        return not value

    @cached_property
    def _by_conditions(self) -> list[Replaced]:
        """Returns variables with their values according to conditions, each without those before it."""
        known = list[Replaced]()
        for condition in self.eq.array("phi").entries:
            for each in known:
                condition = each.within(condition)
            known += islice(_solved(condition), 1)
        return known

    def different(
        self, numerator: Polynomial, denominator: Polynomial, exact: Polynomial
    ) -> tuple[dict[str, str], float, float] | None:
        """Returns a state in which a quotient certainly differs from an exact entry, with both values, or None."""
        with precise():
            for place in self.places:
                top, bottom, right = (ball(p.evaluate(place.numbers)) for p in (numerator, denominator, exact))
                if not bottom.contains(0) and not (top / bottom - right).contains(0):
                    names = {g.name for p in (numerator, denominator, exact) for g in p.generators()}
                    names |= {*self.eq.model.positions, *map(rate_name, self.eq.velocities)}
                    return (
                        {k: v for k, v in place.state.items() if k in names},
                        float((top / bottom).mid()),
                        float(right.mid()),
                    )
        return None


def loops_of(eq: Quantities, values: Mapping[str, Any] | None = None) -> ClosedLoops | None:
    """Returns the loops of a closed chain, None for a robot; values: as for `ClosedLoops`"""
    return ClosedLoops(eq, values) if isinstance(eq, ChainQuantities) else None
