"""Evaluates expressions that contain coordinates and rates in a state of motion."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from types import MappingProxyType
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import double_angle, multiple_of_angle, sum_of_angles
from qddot.algebra.expressions.expression import Applied, Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.functions import function_of
from qddot.algebra.numbers.state_numbers import StateNumbers

NO_NAMES: Mapping[str, Expression] = MappingProxyType({})


class InMotion:
    """This kind of number evaluates names of coordinates, and angles that contain them, in the state.

    Names of rates are evaluated, too.
    coordinates: their names; turning: those of angles
    names: names of constants, each of which is computed once from its definition
    """

    def __init__(
        self,
        numbers: StateNumbers,
        coordinates: Sequence[str],
        turning: Collection[str],
        names: Mapping[str, Expression] = NO_NAMES,
    ) -> None:
        self._numbers, self._coordinates, self._turning, self._names = numbers, coordinates, turning, names
        self._rates = {rate_name(name): name for name in coordinates}
        self._constants: dict[str, Any] = {}
        self._pairs: dict[Angle, tuple[Any, Any]] = {}
        self.rational, self.root = numbers.rational, numbers.root

    @property
    def has_rates(self) -> bool:
        """Returns whether the state has rates."""
        return all(name in getattr(self._numbers, "qd", (name,)) for name in self._coordinates)

    def symbol(self, name: str) -> Any:
        if name in self._names:
            if name not in self._constants:
                self._constants[name] = self._names[name].evaluate(self._numbers)
            return self._constants[name]
        if name in self._rates:
            return self._numbers.rate(self._rates[name])
        return self._numbers.coordinate(name) if name in self._coordinates else self._numbers.symbol(name)

    def applied(self, atom: Applied) -> Any:
        """Returns f(u): a variable in a kind of number that has such, else from the value of u."""
        return applied_to(self._numbers, atom, partial(atom.argument.evaluate, self))

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        """Returns (cos, sin) of an angle from those of the joints' angles; each angle is computed once."""
        if angle not in self._pairs:
            self._pairs[angle] = self._pair(angle)
        return self._pairs[angle]

    def _pair(self, angle: Angle) -> tuple[Any, Any]:
        moving = tuple((name, n) for name, n in angle.symbols if name in self._turning)
        if not moving:
            return self._numbers.circular(angle)
        if len(moving) < len(angle.symbols) or angle.pi or angle.radians:
            still = Angle(angle.pi, angle.radians, tuple(part for part in angle.symbols if part not in moving))
            return sum_of_angles(self._numbers.circular(still), self.circular(Angle(symbols=moving)))
        if all(n % 2 == 0 for _, n in moving):
            return double_angle(self.circular(angle * Fraction(1, 2)))
        if any(n.denominator != 1 for _, n in moving):
            return reduce(sum_of_angles, (self._numbers.cos_sin(name, n) for name, n in moving))
        # 2 q2 + q3 is q2 + (q2 + q3), and q2 + q3 is needed anyway
        once = Angle(symbols=tuple((name, Fraction(1 if n > 0 else -1)) for name, n in moving))
        if once != angle:
            return sum_of_angles(self.circular(once), self.circular(angle - once))
        pairs = [multiple_of_angle(self._numbers.cos_sin(name), int(n)) for name, n in moving]
        return reduce(sum_of_angles, pairs)


def applied_to(numbers: StateNumbers, atom: Applied, argument: Callable[[], Any]) -> Any:
    """Returns f(u): a variable in a kind of number that has such, else from what `argument` returns for u."""
    own = getattr(numbers, "applied", None)
    return function_of(atom.function, argument(), numbers) if own is None else own(atom, argument)
