"""Defines the contract of a kind of number in which an arm and its motion are written, and the state of some kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from qddot.algebra.expressions.angles import ONCE
from qddot.algebra.expressions.expression import Numbers
from qddot.algebra.spatial import Number


class StateNumbers(Numbers, Protocol):
    """This is a kind of number together with a state of motion: all that the physics asks of it.

    Its methods return a coordinate, the cosine and sine of `times` a turning coordinate, a rate, an acceleration and
    the sign of a rate, by the coordinate's name. Those of `Numbers` return constants.

    Laws, which hold exactly in exact kinds, up to rounding in floats, and by overlap in balls and intervals:
    its numbers form a commutative ring, see `Number`; sums and products of rationals are the rationals' own;
    root(2)² = 2 and root(3)² = 3; every (c, s) of `circular` and `cos_sin` has c² + s² = 1; a quarter turn is (0, 1),
    and the pair of a sum of angles, or of a multiple, follows from theirs by the addition theorem.
    A kind that lacks something, such as other roots or angles, raises an error where it is asked for it.
    """

    def coordinate(self, name: str) -> Number: ...
    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Number, Number]: ...
    def rate(self, name: str) -> Number: ...
    def acceleration(self, name: str) -> Number: ...
    def sign(self, name: str) -> Number: ...


class Differentiable(StateNumbers, Protocol):
    """This is a kind of number in which equations are derived and proved, since its values have derivatives.

    Its methods return a number of any kind in this one, the derivatives with respect to a coordinate (along the field
    of a quasi-velocity) and to a rate, by the coordinate's name, and d/dt along the motion.
    """

    @property
    def coordinates(self) -> Sequence[str]: ...
    def convert(self, value: Any) -> Any: ...
    def differentiate(self, value: Any, name: str) -> Any: ...
    def by_rate(self, value: Any, name: str) -> Any: ...
    def time_derivative(self, value: Any) -> Any: ...


class InState:
    """A kind of number has values of symbols, and a state (q, q̇, q̈ by coordinate) in which most rates may be absent."""

    def __init__(
        self,
        symbols: Mapping[str, Any],
        q: Mapping[str, Any],
        qd: Mapping[str, Any] | None = None,
        qdd: Mapping[str, Any] | None = None,
    ) -> None:
        self.symbols = symbols
        self.q, self.qd, self.qdd = q, qd or {}, qdd or {}

    def coordinate(self, name: str) -> Any:
        return self.q[name]

    def rate(self, name: str) -> Any:
        return self.qd.get(name, 0)

    def acceleration(self, name: str) -> Any:
        return self.qdd.get(name, 0)
