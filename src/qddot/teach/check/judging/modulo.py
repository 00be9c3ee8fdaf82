"""Evaluates differences modulo a prime in states in which a slip has no effect: a quick test before the slip is tried.

A slip that turns terms t into φ(t) makes the difference Σ (φ(t) − t), which vanishes in every state in which φ changes
nothing: with m1 = m2 for m1 in place of m2, at 45° for sines in place of cosines. If a difference does not vanish in
such a state, which is otherwise random, no slip of this kind explains it.
"""

from __future__ import annotations

from typing import TypeAlias

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import negative_angle, sum_of_angles
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.modular import Modular
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring

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
