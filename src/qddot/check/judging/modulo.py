"""Evaluates differences modulo a prime, where two ways to write a term are equal: a quick test before a slip is tried.

A slip that turns terms t into φ(t) makes the difference Σ (φ(t) − t), which vanishes in every state in which φ changes
nothing: with m1 = m2 for m1 in place of m2, at 45° for sines in place of cosines. A difference that does not vanish in
such a state, all else random, was made by no slip of this kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from flint import fmpz_mod

from qddot.expressions.circle import circle_point, multiple_of_angle, negative_angle, sum_of_angles
from qddot.expressions.turning import Combination
from qddot.numbers.arbitrary import arbitrary
from qddot.numbers.exact import Polynomial, Ring
from qddot.numbers.residues import MODULO, PRIME

Residues: TypeAlias = list[tuple[int, list[tuple[str, int]]]]
Values: TypeAlias = dict[str, int]  # of generators, by their keys


class States:
    """This has one random state of a ring modulo a prime, and the states near it in which two things are equal."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.values: Values = {}
        for generator in ring.generators:
            key = generator.key
            if generator.kind == "root":
                self.values[key] = int(MODULO(int(generator.name)).sqrt())
            elif generator.kind in ("sin", "cos"):
                c, s = circle_point(MODULO(arbitrary(f"angle {key[3:]}")))
                self.values[key] = int(c if generator.kind == "cos" else s)
            else:
                self.values[key] = arbitrary(f"value of {key}") % PRIME

    def turned(self, angle: Combination, to: tuple[int, int]) -> Values | None:
        """Returns the state with a combination of coordinates at the angle of this (cos, sin), or None."""
        free = next((name for name, n in angle if abs(n) == 1 and f"cos({name})" in self.values), None)
        rest: tuple[object, object] = (MODULO(1), MODULO(0))
        for name, n in angle:
            if f"cos({name})" not in self.values or n.denominator != 1:
                return None
            if name != free:
                rest = sum_of_angles(rest, multiple_of_angle(self._pair(name), int(n)))
        if free is None:
            return None
        pair = sum_of_angles((MODULO(to[0]), MODULO(to[1])), negative_angle(rest))
        if dict(angle)[free] < 0:
            pair = negative_angle(pair)
        return {**self.values, f"cos({free})": int(pair[0]), f"sin({free})": int(pair[1])}

    def _pair(self, name: str) -> tuple[fmpz_mod, fmpz_mod]:
        return MODULO(self.values[f"cos({name})"]), MODULO(self.values[f"sin({name})"])


def halfway() -> tuple[int, int]:
    """Returns cos and sin of 45°, which are equal."""
    half = int(1 / MODULO(2).sqrt())
    return half, half


def residues_of(difference: Polynomial) -> Residues:
    """Returns a polynomial as coefficients modulo the prime, with the powers by the generators' keys."""
    keys = [generator.key for generator in difference.ring.generators]
    return [
        (c.numerator * pow(c.denominator, -1, PRIME) % PRIME, [(keys[k], e) for k, e in powers.items()])
        for powers, c in difference.powers()
    ]


def vanishes(difference: Residues, values: Mapping[str, int]) -> bool:
    """Returns whether a polynomial is zero modulo the prime, where its generators have these values."""
    total = 0
    for product, powers in difference:
        for key, e in powers:
            product = product * (values[key] if e == 1 else pow(values[key], e, PRIME)) % PRIME
        total += product
    return total % PRIME == 0
