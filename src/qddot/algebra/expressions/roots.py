"""Computes those square roots of rational numbers that can be written with rational numbers, √2 and √3."""

from __future__ import annotations

import math
from fractions import Fraction

RADICANDS = {1: (), 2: (2,), 3: (3,), 6: (2, 3)}  # square-free numbers, with their prime factors


def square_root(number: Fraction) -> tuple[Fraction, tuple[int, ...]] | None:
    """Returns r and primes p, q … with √number = r √p √q …, or None if a prime other than 2 and 3 is needed."""
    if number < 0:
        return None
    for radicand, primes in RADICANDS.items():
        square = number / radicand
        root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
        if root**2 == square:
            return root, primes
    return None
