"""Evaluates differences modulo a prime in states in which a slip has no effect: a quick test before the slip is tried.

A slip that turns terms t into φ(t) makes the difference Σ (φ(t) − t), which vanishes in every state in which φ changes
nothing: with m1 = m2 for m1 in place of m2, at 45° for sines in place of cosines. If a difference does not vanish in
such a state, which is otherwise random, no slip of this kind explains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import negative_angle, sum_of_angles
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.modular import Modular
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.judging.cases import Case

Residues: TypeAlias = list[tuple[int, list[tuple[str, int]]]]  # coefficients, with powers by the generators' keys
Values: TypeAlias = dict[str, int]  # of generators, by their keys
HALFWAY = Angle.degrees(45)  # the angle at which sine and cosine are equal


class States:
    """This has one random state of a ring modulo a prime, and variants of it in which two generators are equal."""

    def __init__(self, ring: Ring) -> None:
        ratios = {name: {times for _, times in angles} for name, angles in ring.turning.turned_by.items()}
        self.numbers = Modular(ring.angles, ratios)
        self.values: Values = {
            generator.key: self.numbers.integer(generator.evaluate(self.numbers)) for generator in ring.generators
        }

    def turned(self, angle: Combination, to: Angle) -> Values | None:
        """Returns the state with a combination of coordinates at a constant angle, or None."""
        free = next((name for name, n in angle if abs(n) == 1 and f"cos({name})" in self.values), None)
        rest: tuple[object, object] = (1, 0)
        for name, n in angle:
            if f"cos({name})" not in self.values or n.denominator != 1:
                return None
            if name != free:
                rest = sum_of_angles(rest, self.numbers.cos_sin(name, n))
        if free is None:
            return None
        pair = sum_of_angles(self.numbers.circular(to), negative_angle(rest))
        if dict(angle)[free] < 0:
            pair = negative_angle(pair)
        return {**self.values, f"cos({free})": int(pair[0]), f"sin({free})": int(pair[1])}

    def residues_of(self, difference: Polynomial) -> Residues:
        """Returns a polynomial with coefficients modulo the prime."""
        keys = [generator.key for generator in difference.ring.generators]
        return [
            (self.numbers.integer(c), [(keys[k], e) for k, e in powers.items()]) for powers, c in difference.powers()
        ]

    def vanishes(self, difference: Residues, values: Values) -> bool:
        """Returns whether a polynomial is zero where its generators have these values."""
        total, prime = 0, self.numbers.prime
        for product, powers in difference:
            for key, e in powers:
                product = product * (values[key] if e == 1 else pow(values[key], e, prime)) % prime
            total += product
        return total % prime == 0


def independent_equations(eq: Quantities, ring: Ring, cases: Sequence[Case]) -> int:
    """Returns the rank of the equations' derivatives with respect to the accelerations.

    It is computed in a random state modulo a prime.
    """
    states, rows = States(ring), list[list[int]]()
    accelerations = [f"qdd({name})" for name in eq.velocities]
    for case in cases:
        balance = case.entry.balance if case.entry.balance is not None else case.yours
        if case.quantity == "tau" and balance is not None and all(key in ring.index for key in accelerations):
            whole: Polynomial = ring.convert(balance)
            rows.append([_value(states, ring.convert(whole.derivative(key))) for key in accelerations])
    return _rank(rows, states.numbers.prime)


def _value(states: States, polynomial: Polynomial) -> int:
    total, prime = 0, states.numbers.prime
    for product, powers in states.residues_of(polynomial):
        for key, e in powers:
            product = product * pow(states.values[key], e, prime) % prime
        total += product
    return total % prime


def _rank(rows: list[list[int]], prime: int) -> int:
    """Returns the rank of a matrix modulo a prime, by elimination."""
    rank, left = 0, [row for row in rows if any(row)]
    while left:
        pivot = left.pop()
        k = next(k for k, entry in enumerate(pivot) if entry)
        inverse = pow(pivot[k], -1, prime)
        reduced = ([(a - b * row[k] * inverse) % prime for a, b in zip(row, pivot, strict=True)] for row in left)
        left, rank = [row for row in reduced if any(row)], rank + 1
    return rank
