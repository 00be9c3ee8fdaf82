"""Adds, multiplies and divides quotients in an arm's ring, within bounds of time and memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.syntax import Node

MOST_PRODUCTS = 400_000  # of terms, in one multiplication
MOST_WORK = 6_000_000  # products of terms in one answer: some seconds
MOST_CANCELLED = 20_000  # product of the numbers of terms in numerator and denominator
LARGEST_COEFFICIENT = 20_000  # bits
LARGEST_DEGREE = 200
FEW_TERMS = 64  # number of coefficients whose size is checked


class Quotient(NamedTuple):
    """A quotient is a value with its denominator, which is usually 1."""

    numerator: Polynomial
    denominator: Polynomial


class Quotients:
    """This is the arithmetic of quotients, with common bounds for one answer.

    Each operation gets the tree whose value it computes, for errors about it.
    error: returns an error about a tree, from what was found, what is expected, and a remedy
    """

    def __init__(self, ring: Ring, error: Callable[..., ExpressionError]) -> None:
        self.ring, self.error = ring, error
        self.one = ring.convert(1)
        self.work = 0

    def whole(self, numerator: Polynomial) -> Quotient:
        """Returns a polynomial as a quotient."""
        return Quotient(numerator, self.one)

    def sum(self, terms: Sequence[tuple[int, Quotient]], node: Node) -> Quotient:
        """Returns a sum; parts with one denominator are added first."""
        self._work(sum(len(term.numerator) for _, term in terms), node)
        groups: list[tuple[Polynomial, list[Polynomial]]] = []
        for sign, term in terms:
            same = next(
                (tops for below, tops in groups if below is term.denominator or below == term.denominator), None
            )
            if same is None:
                groups.append((term.denominator, same := []))
            same.append(term.numerator if sign > 0 else -term.numerator)
        totals = [Quotient(added(tops), below) for below, tops in groups]
        total = totals[0]
        for other in totals[1:]:
            left = self.times(total.numerator, other.denominator, node)
            right = self.times(other.numerator, total.denominator, node)
            total = Quotient(left + right, self.times(total.denominator, other.denominator, node))
        return total

    def divided(self, top: Polynomial, below: Polynomial, node: Node) -> Quotient:
        """Returns the quotient of two polynomials."""
        return self.multiplied(self.whole(top), self.inverse(self.whole(below), node), node)

    def multiplied(self, left: Quotient, right: Quotient, node: Node) -> Quotient:
        """Returns a product of quotients."""
        below = self.times(left.denominator, right.denominator, node)
        return Quotient(self.times(left.numerator, right.numerator, node), below)

    def inverse(self, value: Quotient, node: Node) -> Quotient:
        """Returns the inverse of a quotient, which must not be zero."""
        below = value.numerator
        if not below:
            raise self.error(node, "answer-divides-by-zero")
        return Quotient(value.denominator, below)

    def times(self, left: Polynomial, right: Polynomial, node: Node) -> Polynomial:
        """Returns a product, if it is not too large."""
        if left is self.one or right is self.one:
            return right if left is self.one else left
        self._work(len(left) * len(right), node)
        total: Polynomial = self.ring.convert(left * right)
        if total and max(map(int, total.poly.degrees())) > LARGEST_DEGREE:
            raise self.error(node, "power-too-high", most=LARGEST_DEGREE)
        if any(_bits(c) > LARGEST_COEFFICIENT for c in total.poly.coeffs()[:FEW_TERMS]):
            raise self.error(node, "coefficient-too-large", most=LARGEST_COEFFICIENT)
        return total

    def _work(self, products: int, node: Node) -> None:
        """Counts products of terms; raises ExpressionError if an answer would take too long."""
        self.work += products
        if products > MOST_PRODUCTS or self.work > MOST_WORK:
            if products > MOST_PRODUCTS:
                raise self.error(node, "entry-expands-too-far", most=MOST_PRODUCTS)
            raise self.error(node, "answer-expands-too-far", most=MOST_WORK)

    def reduced(self, value: Quotient) -> Quotient:
        """Returns the quotient without a denominator that is a number and, if it is short, without common factors."""
        numerator, denominator = value
        if denominator is self.one or not numerator:
            return self.whole(numerator)
        common = self.one.poly
        if not denominator.mask & denominator.ring.quadratic and len(numerator) * len(denominator) < MOST_CANCELLED:
            common = numerator.poly.gcd(denominator.poly)
        top, below = divmod(numerator.poly, common)[0], divmod(denominator.poly, common)[0]
        if below.is_constant():
            return self.whole(self.ring.wrap(top / below.leading_coefficient()))
        return Quotient(self.ring.wrap(top), self.ring.wrap(below))


def added(parts: Sequence[Polynomial]) -> Polynomial:
    """Returns a sum by halves, so that long sums are not copied repeatedly."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    total: Polynomial = added(parts[:half]) + added(parts[half:])
    return total


def _bits(number: object) -> int:
    return max(int(number.p).bit_length(), int(number.q).bit_length())  # type: ignore[attr-defined]
