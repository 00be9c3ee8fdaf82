"""Angles are exact linear combinations a π + b + Σ n_k φ_k of π, radians and symbols."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import count

from qddot.base.records import record

ONCE = Fraction(1)
QUARTER = Fraction(1, 2)  # of π
TWELFTH = Fraction(1, 12)  # as a multiple of π: 15°, the smallest angle with cosine and sine in √2 and √3


@record(slots=True)
class Angle:
    """An angle is pi·π + radians + Σ coefficient·symbol; the three parts are linearly independent."""

    pi: Fraction = Fraction(0)
    radians: Fraction = Fraction(0)
    symbols: tuple[tuple[str, Fraction], ...] = ()

    @classmethod
    def degrees(cls, value: Fraction | int) -> Angle:
        return cls(pi=Fraction(value) / 180)

    @classmethod
    def of_double(cls, value: float) -> Angle:
        """Returns the angle of a double in radians; a double such as np.pi/2 becomes an exact multiple of 15°."""
        steps = round(value * 12 / math.pi)
        if steps and abs(value - steps * math.pi / 12) <= 4 * math.ulp(value):
            return cls(pi=steps * TWELFTH)
        return cls(radians=Fraction(repr(value)))

    def __add__(self, other: Angle) -> Angle:
        total = dict(self.symbols)
        for name, n in other.symbols:
            total[name] = total.get(name, Fraction(0)) + n
        coefficients = tuple(sorted((name, n) for name, n in total.items() if n))
        return Angle(self.pi + other.pi, self.radians + other.radians, coefficients)

    def __neg__(self) -> Angle:
        return self * -1

    def __sub__(self, other: Angle) -> Angle:
        return self + -other

    def __mul__(self, factor: Fraction | int) -> Angle:
        if not factor:
            return Angle()
        scaled = tuple((name, n * factor) for name, n in self.symbols)
        return Angle(self.pi * factor, self.radians * factor, scaled)

    def __bool__(self) -> bool:
        return bool(self.pi or self.radians or self.symbols)

    def without(self, name: str) -> Angle:
        """Returns this angle without the part of one symbol."""
        return Angle(self.pi, self.radians, tuple(part for part in self.symbols if part[0] != name))

    def value(self, symbols: Mapping[str, float]) -> float:
        """Returns the angle in radians as a float."""
        parts = [float(self.pi) * math.pi, float(self.radians)]
        return math.fsum(parts + [float(n) * symbols[name] for name, n in self.symbols])

    def __str__(self) -> str:
        parts = [f"{decimal(self.pi * 180)}deg"] if self.pi else []
        parts += [decimal(self.radians)] if self.radians else []
        for name, n in self.symbols:
            parts.append({Fraction(1): name, Fraction(-1): f"-{name}"}.get(n, f"{decimal(n)}*{name}"))
        return " + ".join(parts).replace("+ -", "- ") or "0"


def decimal(number: Fraction) -> str:
    """Returns the number as a decimal if that is finite, else as a fraction in parentheses."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"({number})"
    places = next(k for k in count() if 10**k % number.denominator == 0)
    digits = str(abs(number.numerator) * (10**places // number.denominator)).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
