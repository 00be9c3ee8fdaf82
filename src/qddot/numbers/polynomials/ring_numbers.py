"""A ring as a kind of number: descriptions and mechanisms are evaluated in its polynomials, and differentiated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import cached_property
from typing import Any

from qddot.errors import ExactnessError
from qddot.expressions.angles import ONCE, Angle
from qddot.expressions.circle import multiple_of_angle, sum_of_angles
from qddot.expressions.expression import cos_sin
from qddot.expressions.turning import TurningAngles
from qddot.numbers.polynomials.angle_bases import AngleBases
from qddot.spatial import summed

NUMBERS = (int, Fraction)  # structural ones, beside polynomials


class RingNumbers(ABC):
    """This has what a kind of number must give, from a ring's generators and their angles."""

    coordinates: tuple[str, ...]
    turning: TurningAngles
    index: dict[str, int]
    _bits: list[int]
    _bases: AngleBases
    _constant_pairs: dict[Angle, tuple[Any, Any]]

    @abstractmethod
    def generator(self, key: str) -> Any:
        """Returns the variable with a key such as "m1", "sin(q1)" or "qd(q1)"."""

    @abstractmethod
    def convert(self, value: Any) -> Any:
        """Returns a number, or a polynomial of another ring, as a polynomial of this ring."""

    def rational(self, value: Fraction) -> Any:
        return self.convert(value)

    def symbol(self, name: str) -> Any:
        return self.generator(name)

    def root(self, of: int) -> Any:
        return self.generator(f"sqrt({of})")

    def coordinate(self, name: str) -> Any:
        return self.generator(f"q({name})")

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        pair: tuple[Any, Any] = (1, 0)
        for angle, n in self.turning.multiple(name, times):
            pair = sum_of_angles(pair, multiple_of_angle(self._turned(angle), n))
        return pair

    def _turned(self, angle: str) -> tuple[Any, Any]:
        """Returns the cosine and the sine of an angle of this ring."""
        return self.generator(f"cos({angle})"), self.generator(f"sin({angle})")

    def rate(self, name: str) -> Any:
        return self.generator(f"qd({name})")

    def acceleration(self, name: str) -> Any:
        return self.generator(f"qdd({name})")

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        """Returns cos and sin of an angle that is a combination of this ring's constant angles.

        raises ExactnessError: an angle that is none
        """
        if angle not in self._constant_pairs:
            try:
                steps, parts = self._bases.split(angle)
            except KeyError:
                raise ExactnessError(f"the angle {angle} is none of these equations'") from None
            c, s = cos_sin(Angle.degrees(15 * steps))
            pair: tuple[Any, Any] = (c.evaluate(self), s.evaluate(self))
            for base, n in parts:
                pair = sum_of_angles(pair, multiple_of_angle(self.base_pair(base), n))
            self._constant_pairs[angle] = pair
        return self._constant_pairs[angle]

    def base_pair(self, base: Angle) -> tuple[Any, Any]:
        """Returns cos and sin of one of the base angles, of which the other constant angles are combinations."""
        return self.generator(f"cos({base})"), self.generator(f"sin({base})")

    def sign(self, name: str) -> Any:
        return self.generator(f"sgn({name})")

    def differentiate(self, value: Any, name: str) -> Any:
        """Returns ∂/∂q by a coordinate, through its sines and cosines too; 0 where it does not occur."""
        if value.__class__ in NUMBERS or not value.mask & self._moving[name]:
            return 0
        total: Any = 0
        for angle, times in self.turning.turned_by.get(name, ()):
            slope = self.slope(value, angle)
            total = total + (slope if times == 1 else slope * times)
        if f"q({name})" in self.index:
            total = total + value.derivative(f"q({name})")
        return total

    @cached_property
    def _moving(self) -> dict[str, int]:
        """The bits of the generators that change with each coordinate."""
        moving = dict.fromkeys(self.coordinates, 0)
        for name in self.coordinates:
            angles = (f"sin({angle})" for angle, _ in self.turning.turned_by.get(name, ()))
            for key in (*angles, f"q({name})"):
                moving[name] |= self._bits[self.index[key]] if key in self.index else 0
        return moving

    def slope(self, value: Any, angle: str) -> Any:
        """Returns ∂/∂ an angle of this ring: c ∂/∂s − s ∂/∂c; 0 where it does not occur."""
        if value.__class__ in NUMBERS or not value.mask & self._bits[self.index[f"sin({angle})"]]:
            return 0
        cosine, sine = self._turned(angle)
        return value.derivative(f"sin({angle})") * cosine - value.derivative(f"cos({angle})") * sine

    def time_derivative(self, value: Any) -> Any:
        """Returns d/dt along the motion, by the chain rule over coordinates and rates."""
        if value.__class__ in NUMBERS:
            return 0
        parts = []
        for name in self.coordinates:
            if by_q := self.differentiate(value, name):
                parts.append(by_q * self.rate(name))
            if by_qd := value.derivative(f"qd({name})"):
                parts.append(by_qd * self.acceleration(name))
        return summed(parts)
