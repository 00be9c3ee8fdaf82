"""Graph nodes whose constants are exact: dynamics that are evaluated with them become a Program without rounding."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb

from qddot.algebra.expressions.angles import ONCE, QUARTER, Angle
from qddot.algebra.expressions.expression import PI
from qddot.algebra.numbers.balls import ball, precise
from qddot.algebra.numbers.nodes import GraphNumbers
from qddot.algebra.program.graph import OWN, Graph, Symbolic
from qddot.algebra.program.program import Node, Port

IRRATIONAL = "irrational"
FUNCTIONS: dict[str, Callable[[arb], arb]] = {"sin": arb.sin, "cos": arb.cos, "sqrt": arb.sqrt, "exp": arb.exp}


class ExactGraph(Graph):
    """The constants of this graph are fractions; irrational ones, enclosed in `irrational`, are elements of an input.

    raises KeyError: a function of a constant has no ball
    """

    def __init__(self) -> None:
        super().__init__()
        self.irrational: list[arb] = []
        self._elements: dict[str, Symbolic] = {}
        self._port = -1

    def number(self, value: Any) -> Any:
        return Fraction(value)

    def applied(self, function: str, value: Any) -> Symbolic:
        if function in OWN:
            return self.constant(OWN[function](value))
        return self.irrational_of(f"{function}({value})", lambda: FUNCTIONS[function](ball(value)))

    def irrational_of(self, key: str, value: Callable[[], arb]) -> Symbolic:
        """Returns the node of a number that a ball encloses; its definition is the key."""
        if key not in self._elements:
            if self._port < 0:
                self._port = len(self.ports)
                self.ports.append(Port(IRRATIONAL, (0,)))
            place = self.place(Node("input", element=(self._port, len(self.irrational))))
            self._elements[key] = Symbolic(self, place)
            with precise():
                self.irrational.append(value())
            self.ports[self._port] = Port(IRRATIONAL, (len(self.irrational),))
        return self._elements[key]


class ExactNodes(GraphNumbers):
    """This kind of number has the nodes of an ExactGraph; `symbols` has the expressions of the symbols' values."""

    graph: ExactGraph

    def rational(self, value: Fraction) -> Symbolic:
        return self.graph.constant(value)  # type: ignore[arg-type]  # the numbers of this graph are fractions

    def symbol(self, name: str) -> Any:
        if name != PI:
            value = self.symbols[name].evaluate(self)
            return value if isinstance(value, Symbolic) else self.graph.constant(value)
        return self.graph.irrational_of(PI, arb.pi)

    def root(self, of: int) -> Symbolic:
        return self.graph.irrational_of(f"sqrt({of})", lambda: arb(of).sqrt())

    def circular(self, angle: Angle) -> tuple[Symbolic, Symbolic]:
        """Returns (cos, sin) of a constant angle; those of whole quarter turns are 0 or ±1."""
        quarters = angle.pi / QUARTER
        if not angle.symbols and not angle.radians and quarters.denominator == 1:
            c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(quarters) % 4]
            return self.graph.constant(c), self.graph.constant(s)
        radians: Any = self.rational(angle.radians)
        if angle.pi:
            radians = radians + self.symbol(PI) * self.rational(angle.pi)
        for name, n in angle.symbols:
            radians = radians + self.symbol(name) * self.rational(n)
        return radians.apply("cos"), radians.apply("sin")

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        angle = self.q[name] * self.rational(times)
        return angle.apply("cos"), angle.apply("sin")
