"""Defines the variables of a ring of exact polynomials."""

from __future__ import annotations

from functools import reduce
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.expressions.expression import Applied
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.in_motion import InMotion
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.base.records import record

SCALAR, QUASI = "scalar", "quasi"  # roles


@record(slots=True)
class Generator:
    """A generator is one variable of the ring.

    kind: "sin" or "cos" (of the constant `angle`, or of the angle `name`, a combination `of` coordinates),
    "root" of 2 or 3, "q", "qd" or "qdd" of the coordinate `name`, "sgn" of its rate, "function", or "symbol"
    applied: of a function, whose coordinates are `coordinates`, and `turning` those of them that are angles
    role: "scalar" for the scalar part of a quaternion, "quasi" for a quasi-velocity and for its rate
    """

    kind: str
    name: str = ""
    angle: Angle | None = None
    of: Combination = ()
    role: str = ""
    applied: Applied | None = None
    coordinates: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Returns a name that is unique in a ring: the symbol's name, "sin(q1)", "qd(q1)", "sqrt(2)" …"""
        if self.kind == "symbol":
            return self.name
        if self.applied is not None:
            return key_of(self.applied)
        if self.kind == "root":
            return f"sqrt({self.name})"
        return f"{self.kind}({self.angle if self.angle is not None else self.name})"

    @property
    def quadratic(self) -> bool:
        """Returns whether a relation replaces its square: true for sines, roots and the scalars of quaternions."""
        return self.kind in ("sin", "root") or self.role == SCALAR or is_sine(self.applied)

    def evaluate(self, numbers: StateNumbers) -> Any:
        """Returns this variable's value in a kind of number."""
        match self.kind:
            case "sin" | "cos":
                return self._pair(numbers)[self.kind == "sin"]
            case "root":
                return numbers.root(int(self.name))
            case "q":
                return numbers.coordinate(self.name)
            case "qd":
                return numbers.rate(self.name)
            case "qdd":
                return numbers.acceleration(self.name)
            case "sgn":
                return numbers.sign(self.name)
            case "function":
                assert self.applied is not None
                return InMotion(numbers, self.coordinates, self.turning).applied(self.applied)
        return numbers.symbol(self.name)

    def _pair(self, numbers: StateNumbers) -> tuple[Any, Any]:
        """Returns the cosine and the sine of this generator's angle."""
        if self.angle is not None:
            return numbers.circular(self.angle)
        return reduce(sum_of_angles, (numbers.cos_sin(name, times) for name, times in self.of))


def is_sine(function: Applied | None) -> bool:
    """Returns whether a function is the sine of an expression, beside which there is the cosine."""
    return function is not None and function.function == "sin"


def key_of(function: Applied) -> str:
    """Returns the key of the variable of a function, which is not that of the sine of an angle."""
    return f"value({function})"
