"""Plain floats, or NumPy arrays of states, are a kind of number: the readable reference for the others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.angles import ONCE, QUARTER, Angle
from qddot.algebra.numbers.state_numbers import InState


class Floats(InState):
    """This kind of number has a state (q, q̇, q̈ by coordinate) and symbols' values: floats, or arrays of one shape."""

    def __init__(
        self,
        symbols: Mapping[str, Any],
        q: Mapping[str, Any],
        qd: Mapping[str, Any] | None = None,
        qdd: Mapping[str, Any] | None = None,
        cos: Any = math.cos,
        sin: Any = math.sin,
    ) -> None:
        still = dict.fromkeys(q, 0.0)
        super().__init__({"pi": math.pi, **symbols}, q, qd or still, qdd or still)
        self._cos, self._sin = cos, sin

    def rational(self, value: Fraction) -> float:
        return float(value)

    def symbol(self, name: str) -> Any:
        return self.symbols[name]

    def root(self, of: int) -> float:
        return math.sqrt(of)

    def circular(self, angle: Angle) -> tuple[float, float]:
        return constant_pair(angle, self.symbols)

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        angle = self.q[name] if times == 1 else self.q[name] * float(times)
        return self._cos(angle), self._sin(angle)

    def sign(self, name: str) -> Any:
        rate = self.qd[name]
        return (rate > 0) * 1.0 - (rate < 0) * 1.0


def constant_pair(angle: Angle, symbols: Mapping[str, float]) -> tuple[float, float]:
    """Returns (cos, sin) of a constant angle; whole quarter turns are taken out first, exactly."""
    quarters = round(angle.pi / QUARTER)
    rest = Angle(angle.pi - quarters * QUARTER, angle.radians, angle.symbols).value(symbols)
    c, s = math.cos(rest), math.sin(rest)
    return ((c, s), (-s, c), (-c, -s), (s, -c))[quarters % 4]
