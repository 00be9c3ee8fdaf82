"""Graph nodes are a kind of number: dynamics that are evaluated with them become a Program."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.numbers.floats import constant_pair
from qddot.algebra.numbers.state_numbers import InState
from qddot.algebra.program.graph import Graph, Symbolic


class GraphNumbers(InState):
    """This kind of number has the nodes of a graph: the state is its inputs, symbols are its constants or inputs."""

    def __init__(self, graph: Graph, symbols: Mapping[str, Any], *state: Any) -> None:
        super().__init__(symbols, *state)
        self.graph = graph

    def rational(self, value: Fraction) -> Symbolic:
        return self.graph.constant(float(value))

    def symbol(self, name: str) -> Symbolic:
        value = math.pi if name == "pi" else self.symbols[name]
        return value if isinstance(value, Symbolic) else self.graph.constant(value)

    def root(self, of: int) -> Symbolic:
        return self.graph.constant(math.sqrt(of))

    def circular(self, angle: Angle) -> tuple[Symbolic, Symbolic]:
        """Returns (cos, sin) of an angle; they are not constant if one of its symbols is an input."""
        moving = {name: n for name, n in angle.symbols if isinstance(self.symbols[name], Symbolic)}
        if not moving:
            c, s = constant_pair(angle, self.symbols)
            return self.graph.constant(c), self.graph.constant(s)
        fixed = Angle(angle.pi, angle.radians, tuple(part for part in angle.symbols if part[0] not in moving))
        total = self.graph.constant(fixed.value(self.symbols))
        for name, n in moving.items():
            total = total + self.symbols[name] * float(n)
        return total.apply("cos"), total.apply("sin")

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        angle = self.q[name] if times == 1 else self.q[name] * float(times)
        return angle.apply("cos"), angle.apply("sin")

    def sign(self, name: str) -> Any:
        rate = self.rate(name)
        return rate.apply("sign") if isinstance(rate, Symbolic) else 0
