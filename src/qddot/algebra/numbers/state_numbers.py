"""Defines the contract of a kind of number in which an arm and its motion are written."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from qddot.algebra.expressions.angles import ONCE
from qddot.algebra.expressions.expression import Numbers
from qddot.algebra.spatial import Number


class StateNumbers(Numbers, Protocol):
    """This is a kind of number together with a state of motion.

    Its methods return a coordinate, the cosine and sine of `times` a turning coordinate, a rate, an acceleration and
    the sign of a rate, by the coordinate's name.
    """

    def coordinate(self, name: str) -> Number: ...
    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Number, Number]: ...
    def rate(self, name: str) -> Number: ...
    def acceleration(self, name: str) -> Number: ...
    def sign(self, name: str) -> Number: ...
