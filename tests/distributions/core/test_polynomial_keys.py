"""Polynomials have one key if they are equal, and the key needs no text of them."""

from __future__ import annotations

from flint import Ordering, fmpq_mpoly_ctx

from qddot.algebra.numbers.polynomials.keys import PolynomialKey

x, y, z = fmpq_mpoly_ctx.get(["x", "y", "z"], Ordering.degrevlex).gens()


def test_equal_polynomials_have_one_key() -> None:
    one, other = (x + y) * (x - y), x * x - y * y
    assert PolynomialKey(one) == PolynomialKey(other)
    assert hash(PolynomialKey(one)) == hash(PolynomialKey(other))
    assert PolynomialKey(x - x) == PolynomialKey(0 * y)


def test_polynomials_that_differ_in_the_middle_have_two_keys() -> None:
    one, other = x * x + y + z, x * x + 2 * y + z
    assert hash(PolynomialKey(one)) == hash(PolynomialKey(other))  # which sees the ends alone
    assert len({PolynomialKey(one): 1, PolynomialKey(other): 2}) == 2


def test_a_polynomial_of_another_ring_has_another_key() -> None:
    other = fmpq_mpoly_ctx.get(["x", "y"], Ordering.degrevlex).gens()[0]
    assert PolynomialKey(x) != PolynomialKey(other)
