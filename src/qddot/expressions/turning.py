"""The angles whose sines and cosines stand for a turning coordinate that several joints share by a ratio.

A joint that turns by r q has cos(r q), a polynomial in cos(u q) and sin(u q) where r is a whole multiple of u. Ratios
with a common divisor of which all are small multiples share that divisor's angle, q itself where all ratios are whole.
The others have an angle of their own, as if it did not depend on q: a polynomial that vanishes for independent angles
vanishes for these, too, and since e^(i u q) and e^(i v q) are related in a high degree alone, hardly one is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from qddot.expressions.angles import decimal

LARGEST_MULTIPLE = 12  # of an angle whose sine and cosine are variables
Combination: TypeAlias = tuple[tuple[str, Fraction], ...]  # (coordinate, how often)


def divisors(ratios: Iterable[Fraction]) -> list[Fraction]:
    """Returns the fewest numbers of which each ratio is a whole multiple up to LARGEST_MULTIPLE of one, greedily."""
    groups: list[tuple[Fraction, Fraction]] = []  # (divisor, largest ratio)
    for ratio in sorted(ratios):
        for k, (divisor, _) in enumerate(groups):
            common = _common_divisor(divisor, ratio)
            if ratio / common <= LARGEST_MULTIPLE:
                groups[k] = common, ratio
                break
        else:
            groups.append((ratio, ratio))
    return [divisor for divisor, _ in groups]


def turning_angles(ratios: Mapping[str, Iterable[Fraction]]) -> dict[str, Combination]:
    """Returns the angles of each turning coordinate, by name, from the ratios of its joints."""
    return {
        _name(coordinate, divisor): ((coordinate, divisor),)
        for coordinate, of_joints in ratios.items()
        for divisor in divisors(of_joints)
    }


def is_multiple(coordinate: str, times: Fraction, turning: Mapping[str, Combination]) -> bool:
    """Whether so many times a coordinate is a whole multiple, up to LARGEST_MULTIPLE, of an angle that turns."""
    shares = [share for of in turning.values() for name, share in of if name == coordinate]
    return any((times / share).denominator == 1 and abs(times / share) <= LARGEST_MULTIPLE for share in shares)


def _common_divisor(a: Fraction, b: Fraction) -> Fraction:
    below = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * below), int(b * below)), below)


def _name(coordinate: str, times: Fraction) -> str:
    """q1, q1/2 or 0.676*q1."""
    if times == 1:
        return coordinate
    return f"{coordinate}/{times.denominator}" if times.numerator == 1 else f"{decimal(times)}*{coordinate}"
