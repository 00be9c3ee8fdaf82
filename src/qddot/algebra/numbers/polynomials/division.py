"""Divides polynomials, takes their square roots and coefficients, and turns them into expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint.utils.flint_exceptions import DomainError

from qddot.algebra.expressions import roots
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import Atom, Expression, Root, Trigonometric
from qddot.algebra.numbers.polynomials.exact import Polynomial, Term, Terms
from qddot.algebra.numbers.polynomials.generators import Generator


def quotient(p: Polynomial, by: Polynomial) -> Polynomial | None:
    """Returns p / by, or None where that is not a polynomial.

    Both are multiplied by the conjugates of `by` until the divisor has no root and no sine. A normal form is linear in
    these, so that the division then succeeds exactly if the quotient is in the ring.
    """
    ring = p.ring
    for k, generator in enumerate(ring.generators):
        if generator.quadratic and by.poly.degrees()[k] > 0:
            conjugate = ring.from_terms((e, -c if e[k] else c) for e, c in by.terms())
            p, by = p * conjugate, by * conjugate
    whole, rest = divmod(p.poly, by.poly)
    return None if rest else ring.wrap(whole)


def by_exponents(p: Polynomial, places: Sequence[int]) -> dict[tuple[int, ...], Polynomial]:
    """Returns the coefficient of each product of powers of the variables at some places, by their exponents."""
    parts: dict[tuple[int, ...], list[Term]] = {}
    for exponents, c in p.terms():
        rest = list(exponents)
        for k in places:
            rest[k] = 0
        parts.setdefault(tuple([exponents[k] for k in places]), []).append((tuple(rest), c))
    return {powers: p.ring.from_terms(terms) for powers, terms in parts.items()}


def square_root(p: Polynomial) -> Polynomial | None:
    """Returns √p up to its sign, or None where p is not a square; the root may contain √2 and √3."""
    leading = next(c for _, c in p.terms())
    root_of_leading = roots.square_root(leading)
    if root_of_leading is None:
        return None
    rational, primes = root_of_leading
    try:
        root: Any = p.ring.wrap((p / leading).poly.sqrt()) * rational
    except DomainError:
        return None
    for prime in primes:
        root = root * p.ring.root(prime)
    return p.ring.convert(root)


def as_expression(p: Terms) -> Expression:
    """Returns terms in symbols, coordinates, roots, sines and cosines as an expression."""
    atoms = [_atom(generator) for generator in p.ring.generators]
    return Expression.of_terms(
        ([(atom, e) for atom, e in zip(atoms, exponents, strict=True) if e], c) for exponents, c in p.terms()
    )


def _atom(generator: Generator) -> Atom:
    if generator.kind == "root":
        return Root(int(generator.name))
    if generator.kind in ("cos", "sin"):
        return Trigonometric(generator.kind, generator.angle or Angle(symbols=tuple(sorted(generator.of))))
    return generator.name if generator.applied is None else generator.applied
