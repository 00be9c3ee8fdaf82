"""Chooses angles whose sines and cosines express a coordinate that several joints share by ratios.

A joint that turns by r q contributes cos(r q), which is a polynomial in cos(u q) and sin(u q) if r is an integer
multiple of u. Ratios that are small multiples of a common divisor share that divisor's angle, which is q itself if all
ratios are integers up to LARGEST_MULTIPLE. Other ratios get angles of their own, which are treated as independent of
each other. A polynomial that vanishes for independent angles also vanishes for these; the converse can fail only in a
high degree, since e^(i u q) and e^(i v q) are related only there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TypeAlias

from qddot.algebra.expressions.angles import ONCE, decimal
from qddot.base.errors import ExactnessError
from qddot.base.words.message import Both

LARGEST_MULTIPLE = 12  # the largest multiple of an angle whose sine and cosine are variables
Combination: TypeAlias = tuple[tuple[str, Fraction], ...]  # (coordinate, factor)


def divisors(ratios: Iterable[Fraction]) -> list[Fraction]:
    """Returns few numbers, chosen greedily; each ratio is an integer multiple up to LARGEST_MULTIPLE of one of them."""
    groups: list[tuple[Fraction, Fraction]] = []  # (divisor, largest ratio)
    for ratio in sorted(ratios, key=abs):
        for k, (divisor, _) in enumerate(groups):
            common = _common_divisor(divisor, ratio)
            if abs(ratio) / common <= LARGEST_MULTIPLE:
                groups[k] = common, ratio
                break
        else:
            groups.append((ratio, ratio))
    return [divisor for divisor, _ in groups]


def turning_angles(ratios: Mapping[str, Iterable[Fraction]]) -> dict[str, Combination]:
    """Returns by name the angles of each revolute coordinate, from the ratios of its joints."""
    return {
        _name(coordinate, divisor): ((coordinate, divisor),)
        for coordinate, of_joints in ratios.items()
        for divisor in divisors(of_joints)
    }


class TurningAngles(Mapping[str, Combination]):
    """These are the angles whose sines and cosines are variables, by name; each is a combination of coordinates."""

    def __init__(self, combinations: Mapping[str, Combination]) -> None:
        self._combinations = dict(combinations)

    def __getitem__(self, name: str) -> Combination:
        return self._combinations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._combinations)

    def __len__(self) -> int:
        return len(self._combinations)

    @cached_property
    def coordinates(self) -> frozenset[str]:
        """Returns the coordinates that occur in the angles."""
        return frozenset(name for of in self.values() for name, _ in of)

    @cached_property
    def turned_by(self) -> dict[str, list[tuple[str, Fraction]]]:
        """Returns for each coordinate the angles that contain it, with the factors."""
        turned: dict[str, list[tuple[str, Fraction]]] = {}
        for angle, of in self.items():
            for name, times in of:
                turned.setdefault(name, []).append((angle, times))
        return turned

    def multiple(self, name: str, times: Fraction = ONCE) -> list[tuple[str, int]]:
        """Returns [(angle, n) …] whose sum of n times the angle is `times` the coordinate.

        The coordinate may also be the name of an angle. raises ExactnessError: no sum of integer multiples exists
        """
        shares = {angle: of[0][1] for angle, of in self.items() if len(of) == 1 and of[0][0] == name}
        if name in self:
            shares[name] = ONCE
        multiples = [(angle, times / share) for angle, share in shares.items()]
        whole = [(angle, int(n)) for angle, n in multiples if n.denominator == 1]
        if whole:
            return [min(whole, key=lambda multiple: abs(multiple[1]))]
        parts = {angle: n * times for angle, n in self._in_angles.get(name, {}).items()}
        if len(parts) > 1 and all(n.denominator == 1 for n in parts.values()):
            return [(angle, int(n)) for angle, n in parts.items()]
        angles = [angle for angle, of in self.items() if name in dict(of)]
        raise ExactnessError("not-whole-times-angle", times=times, name=name, angles=Both(angles) or name)

    @cached_property
    def _in_angles(self) -> dict[str, dict[str, Fraction]]:
        """Returns each coordinate as a combination of angles, found by the shortest angle that contains it."""
        solved: dict[str, dict[str, Fraction]] = {}
        for angle, of in sorted(self.items(), key=lambda item: len(item[1])):
            new = [(name, n) for name, n in of if name not in solved]
            if len(new) != 1:
                continue
            name, share = new[0]
            parts = {angle: 1 / share}
            for other, n in of:
                for earlier, k in solved[other].items() if other != name else ():
                    parts[earlier] = parts.get(earlier, Fraction(0)) - k * n / share
            solved[name] = {earlier: n for earlier, n in parts.items() if n}
        return solved


def is_multiple(coordinate: str, times: Fraction, turning: Mapping[str, Combination]) -> bool:
    """Returns whether `times` a coordinate is an integer multiple, up to LARGEST_MULTIPLE, of one of the angles."""
    shares = [share for of in turning.values() for name, share in of if name == coordinate]
    return any((times / share).denominator == 1 and abs(times / share) <= LARGEST_MULTIPLE for share in shares)


def _common_divisor(a: Fraction, b: Fraction) -> Fraction:
    below = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * below), int(b * below)), below)


def _name(coordinate: str, times: Fraction) -> str:
    """Returns the name of a multiple of a coordinate: q1, q1/2 or 0.676*q1."""
    if times == 1:
        return coordinate
    return f"{coordinate}/{times.denominator}" if times.numerator == 1 else f"{decimal(times)}*{coordinate}"


def sum_name(combination: Combination, names: Iterable[str] = ()) -> str:
    """Returns a name for a sum of angles: q23 for q2 + q3 if it is free; other sums are written out, as 2*q2 + q10."""
    digits = [name[1] for name, n in combination if n == 1 and len(name) == 2 and name[0] == "q" and name[1].isdigit()]
    short = "q" + "".join(digits)
    if len(digits) == len(combination) and short not in names:
        return short
    parts = [(n < 0, name if abs(n) == 1 else f"{decimal(abs(n))}*{name}") for name, n in combination]
    written = "".join((" - " if negative else " + ") + part for negative, part in parts)
    return ("-" if parts[0][0] else "") + written[3:]
