"""Gives a model's quantities as elements of a ring: coordinates, rates, symbols, angles and roots are generators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.circle import multiple_of_angle, sum_of_angles
from qddot.algebra.expressions.constant_angles import cos_sin
from qddot.algebra.expressions.expression import Applied
from qddot.algebra.numbers.polynomials.generators import key_of
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.base.errors import ExactnessError


class QuantitiesOfRing(ABC):
    """These are the methods of a kind of number, for the generators of a ring with some variables."""

    def __init__(self, variables: Variables) -> None:
        self.variables, self.turning = variables, variables.turning
        self._constant_pairs: dict[Angle, tuple[Any, Any]] = {}

    @abstractmethod
    def generator(self, key: str) -> Any:
        """Returns the variable with a key such as "m1", "sin(q1)" or "qd(q1)"."""

    @abstractmethod
    def convert(self, value: Any) -> Any:
        """Returns a number as an element of the ring."""

    def rational(self, value: Fraction) -> Any:
        return self.convert(value)

    def symbol(self, name: str) -> Any:
        return self.generator(name)

    def root(self, of: int) -> Any:
        return self.generator(f"sqrt({of})")

    def coordinate(self, name: str) -> Any:
        return self.generator(f"q({name})")

    def applied(self, atom: Applied, _: Any) -> Any:
        """Returns the variable of a function of coordinates."""
        return self.generator(key_of(atom))

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        pair: tuple[Any, Any] = (1, 0)
        for angle, n in self.turning.multiple(name, times):
            pair = sum_of_angles(pair, multiple_of_angle(self.turned(angle), n))
        return pair

    def turned(self, angle: str) -> tuple[Any, Any]:
        """Returns the cosine and the sine of an angle of this ring."""
        return self.generator(f"cos({angle})"), self.generator(f"sin({angle})")

    def rate(self, name: str) -> Any:
        return self.generator(f"qd({name})")

    def acceleration(self, name: str) -> Any:
        return self.generator(f"qdd({name})")

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        """Returns cos and sin of an angle that is a combination of this ring's constant angles.

        raises ExactnessError: it is no such combination
        """
        if angle not in self._constant_pairs:
            try:
                steps, parts = self.variables.bases.split(angle)
            except KeyError:
                raise ExactnessError("angle-not-in-equations", angle=angle) from None
            c, s = cos_sin(Angle.degrees(15 * steps))
            pair: tuple[Any, Any] = (c.evaluate(self), s.evaluate(self))
            for base, n in parts:
                pair = sum_of_angles(pair, multiple_of_angle(self.base_pair(base), n))
            self._constant_pairs[angle] = pair
        return self._constant_pairs[angle]

    def base_pair(self, base: Angle) -> tuple[Any, Any]:
        """Returns cos and sin of a base angle; the other constant angles are combinations of base angles."""
        return self.generator(f"cos({base})"), self.generator(f"sin({base})")

    def sign(self, name: str) -> Any:
        return self.generator(f"sgn({name})")
