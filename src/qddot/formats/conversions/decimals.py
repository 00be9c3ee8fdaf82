"""Decimals writes √2, √3, π and sines as decimals, so that general geometry keeps short expressions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.expressions.expression import PI, Expression, Root, cos_sin
from qddot.algebra.numbers.balls import approximate
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring


class Decimals:
    """Constants of this kind are polynomials in symbols, and in cosines and sines of angles that contain symbols."""

    def __init__(self, ring: Ring, digits: int) -> None:
        self.ring, self.digits = ring, digits

    def rational(self, value: Fraction) -> Polynomial:
        rational: Polynomial = self.ring.rational(value)
        return rational

    def symbol(self, name: str) -> Polynomial:
        return self._decimal(Expression.of(PI)) if name == PI else self.ring.symbol(name)

    def root(self, of: int) -> Polynomial:
        return self._decimal(Expression.of(Root(of)))

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        c, s = cos_sin(Angle(angle.pi, angle.radians))
        pair: tuple[Any, Any] = self._decimal(c), self._decimal(s)
        for part in angle.symbols:
            pair = sum_of_angles(pair, self.ring.circular(Angle(symbols=(part,))))
        return pair

    def _decimal(self, value: Expression) -> Polynomial:
        return self.ring.convert(approximate(lambda ball: ball, value, digits=self.digits))
