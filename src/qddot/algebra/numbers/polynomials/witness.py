"""Finds a state that proves a difference between two exact results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import isqrt

from flint import arb, fmpq

from qddot.algebra.expressions.expression import PI
from qddot.algebra.numbers.balls import Balls, precise
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.spatial.quaternion import unit_quaternion

BITS = 128
TRIES = 5
SHORT = 100  # a decimal of few digits times this is a whole number


class RationalState(Balls):
    """This kind of number gives each name its own value at the first use, 0.3, 0.5, 0.7, 1.1 …: tenths of primes.

    `values` has the values by name: coordinates, symbols and keys such as "qd(q1)". Angles keep their true sines and
    cosines.
    """

    def __init__(self, seed: int, quaternions: Iterable[Sequence[str]] = ()) -> None:
        """quaternions: the names of the four components of each unit quaternion"""
        super().__init__()
        self._seed = seed
        self.values: dict[str, fmpq] = {}
        for names in quaternions:
            self.values |= zip(
                names, unit_quaternion([fmpq(seed + place, place + 2) for place in range(4)]), strict=True
            )

    def symbol(self, name: str) -> arb:
        return arb.pi() if name == PI else self._value(name)

    def coordinate(self, name: str) -> arb:
        return self._value(name)

    def rate(self, name: str) -> arb:
        return self._value(f"qd({name})")

    def acceleration(self, name: str) -> arb:
        return self._value(f"qdd({name})")

    def _value(self, name: str) -> arb:
        if name not in self.values:
            self.values[name] = fmpq(_odd_prime(len(self.values) + self._seed), 10)
        return arb(self.values[name])


@cache
def _odd_prime(k: int) -> int:
    """Returns the k-th odd prime, from 1."""
    number = _odd_prime(k - 1) + 2 if k > 1 else 3
    while any(number % divisor == 0 for divisor in range(3, isqrt(number) + 1, 2)):
        number += 2
    return number


def decimal(number: fmpq) -> str:
    """Returns a number as a decimal if that has few digits, else as a fraction."""
    return f"{float(number):g}" if SHORT % number.q == 0 else str(number)


def witness(difference: Polynomial, seed: int = 1) -> tuple[RationalState, float] | None:
    """Returns a state where a polynomial is certainly not zero, and its value there; None if none is found.

    The value is the middle of a ball that excludes zero.
    """
    with precise(BITS):
        for attempt in range(seed, seed + TRIES):
            state = RationalState(attempt, [each.quaternion for each in difference.ring.variables.freedoms])
            value = difference.evaluate(state)
            if not value.contains(0):
                return state, float(value.mid())
    return None
