"""Divides one expression exactly by another."""

from __future__ import annotations

from fractions import Fraction

from qddot.algebra.expressions.expression import Atom, Expression, Monomial


def quotient(p: Expression, by: Expression) -> Expression | None:
    """Returns the q with p = q · by, or None if no polynomial is that; `by` is not zero."""
    order = sorted({*p.atoms(), *by.atoms()}, key=str)

    def exponents(monomial: Monomial) -> tuple[int, ...]:
        powers: dict[Atom, int] = dict(monomial)
        return tuple(powers.get(atom, 0) for atom in order)

    highest = max(by.terms, key=exponents)
    result, rest = Expression.constant(0), p
    while rest:
        leading = max(rest.terms, key=exponents)
        over = [e - f for e, f in zip(exponents(leading), exponents(highest), strict=True)]
        if min(over, default=0) < 0:
            return None
        factors = [(atom, e) for atom, e in zip(order, over, strict=True) if e]
        term = Expression.of_terms([(factors, Fraction(rest.terms[leading]) / by.terms[highest])])
        result, rest = result + term, rest - term * by
    return result
