"""Defines the contract of a kind of number in which an arm and its motion are written, and the state of some kinds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

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
