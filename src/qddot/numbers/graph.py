"""Nodes of an expression graph as a kind of number: the physics run over them yields a Program.

Equal nodes are one node, constants are folded, 0 and ±1 vanish, and signs are carried outward, so that
what is left is the arithmetic of one arm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from qddot.errors import QddotError
from qddot.model.angles import Angle
from qddot.numbers.floats import constant_pair
from qddot.program.passes import live
from qddot.program.program import Node, Port, Program


class Graph:
    """A growing set of nodes, no two alike."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.ports: list[Port] = []
        self._places: dict[Node, int] = {}

    def place(self, node: Node) -> int:
        """Where an equal node is, which is added if there is none."""
        found = self._places.get(node)
        if found is None:
            found = self._places[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def make(self, op: str, *args: int) -> Symbolic:
        return Symbolic(self, self.place(Node(op, args)))

    def constant(self, value: float) -> Symbolic:
        # 0.0 and −0.0 are one constant
        return Symbolic(self, self.place(Node("constant", value=float(value) + 0.0)))

    def input(self, name: str, shape: tuple[int, ...] = (), unit: str = "") -> list[Symbolic]:
        """A new input port's elements."""
        self.ports.append(Port(name, shape, unit))
        port = len(self.ports) - 1
        return [Symbolic(self, self.place(Node("input", element=(port, k)))) for k in range(self.ports[-1].size)]

    def program(self, name: str, outputs: Mapping[str, Any]) -> Program:
        """The program that computes nested lists of nodes, by the outputs' names; no dead code."""
        ports, results = [], []
        for label, nested in outputs.items():
            flat = list(_flat(nested))
            ports.append(Port(label, _shape(nested)))
            results += [self._lifted(value).index for value in flat]
        nodes, kept = live(self.nodes, results)
        return Program(name, tuple(self.ports), tuple(ports), tuple(nodes), tuple(kept))

    def _lifted(self, value: Any) -> Symbolic:
        return value if isinstance(value, Symbolic) else self.constant(value)


class Symbolic:
    """One node of a graph, as a number."""

    __slots__ = ("graph", "index")

    def __init__(self, graph: Graph, index: int) -> None:
        self.graph = graph
        self.index = index

    @property
    def node(self) -> Node:
        return self.graph.nodes[self.index]

    @property
    def constant(self) -> float | None:
        """The value of a constant node."""
        node = self.graph.nodes[self.index]
        return node.value if node.op == "constant" else None

    def __add__(self, other: Any) -> Symbolic:
        right = self._operand(other)
        a, b = self.constant, right.constant
        if a is not None and b is not None:
            return self.graph.constant(a + b)
        if a == 0:
            return right
        if b == 0:
            return self
        if right.node.op == "neg":
            return self - right._argument(0)
        if self.node.op == "neg":
            return right - self._argument(0)
        return self.graph.make("add", *sorted((self.index, right.index)))

    __radd__ = __add__

    def __neg__(self) -> Symbolic:
        value, node = self.constant, self.node
        if value is not None:
            return self.graph.constant(-value)
        if node.op == "neg":
            return self._argument(0)
        if node.op == "sub":
            return self.graph.make("sub", node.args[1], node.args[0])
        return self.graph.make("neg", self.index)

    def __sub__(self, other: Any) -> Symbolic:
        right = self._operand(other)
        a, b = self.constant, right.constant
        if a is not None and b is not None:
            return self.graph.constant(a - b)
        if b == 0:
            return self
        if a == 0:
            return -right
        if self.index == right.index:
            return self.graph.constant(0.0)
        if right.node.op == "neg":
            return self + right._argument(0)
        if self.node.op == "neg":
            return -(self._argument(0) + right)
        return self.graph.make("sub", self.index, right.index)

    def __rsub__(self, other: Any) -> Symbolic:
        return self._operand(other) - self

    def __mul__(self, other: Any) -> Symbolic:
        right = self._operand(other)
        a, b = self.constant, right.constant
        if a is not None and b is not None:
            return self.graph.constant(a * b)
        if a is not None or b is not None:
            value, factor = (a, right) if a is not None else (b, self)
            simple = factor._scaled(float(value or 0.0))
            if simple is not None:
                return simple
        if self.node.op == "neg":
            return -(self._argument(0) * right)
        if right.node.op == "neg":
            return -(self * right._argument(0))
        return self.graph.make("mul", *sorted((self.index, right.index)))

    __rmul__ = __mul__

    def _scaled(self, by: float) -> Symbolic | None:
        """This node times 0 or ±1, or with a negative constant turned positive so that signs meet."""
        if by == 0:
            return self.graph.constant(0.0)
        if by == 1:
            return self
        if by < 0:
            return -(self * self.graph.constant(-by))
        return None

    def __truediv__(self, other: Any) -> Symbolic:
        right = self._operand(other)
        value = right.constant
        if value == 0:
            raise QddotError("a division by zero while a program is traced", expected="a divisor that is not zero")
        if value is not None:
            return self * self.graph.constant(1 / value)
        if self.constant == 0:
            return self
        if self.node.op == "neg":
            return -(self._argument(0) / right)
        return self.graph.make("div", self.index, right.index)

    def __rtruediv__(self, other: Any) -> Symbolic:
        return self._operand(other) / self

    def apply(self, function: str) -> Symbolic:
        """sin, cos, sign, tanh or exp of this node."""
        value = self.constant
        if value is not None:
            known = {"sign": lambda x: (x > 0) - (x < 0)}.get(function) or getattr(math, function)
            return self.graph.constant(known(value))
        return self.graph.make(function, self.index)

    def _operand(self, other: Any) -> Symbolic:
        return other if isinstance(other, Symbolic) else self.graph.constant(other)

    def _argument(self, k: int) -> Symbolic:
        return Symbolic(self.graph, self.node.args[k])


class GraphNumbers:
    """A graph as the kind of number of a mechanism: states are inputs, symbols constants or inputs."""

    def __init__(
        self,
        graph: Graph,
        symbols: Mapping[str, Any],
        q: Mapping[str, Any],
        qd: Mapping[str, Any] | None = None,
        qdd: Mapping[str, Any] | None = None,
    ) -> None:
        self.graph = graph
        self.symbols = symbols
        self.q, self.qd, self.qdd = q, qd or {}, qdd or {}

    def rational(self, value: Fraction) -> Symbolic:
        return self.graph.constant(float(value))

    def symbol(self, name: str) -> Symbolic:
        value = math.pi if name == "pi" else self.symbols[name]
        return value if isinstance(value, Symbolic) else self.graph.constant(value)

    def root(self, of: int) -> Symbolic:
        return self.graph.constant(math.sqrt(of))

    def circular(self, angle: Angle) -> tuple[Symbolic, Symbolic]:
        """(cos, sin); symbols that are inputs make the angle a node."""
        moving = {name: n for name, n in angle.symbols if isinstance(self.symbols[name], Symbolic)}
        if not moving:
            c, s = constant_pair(angle, self.symbols)
            return self.graph.constant(c), self.graph.constant(s)
        fixed = Angle(angle.pi, angle.radians, tuple(part for part in angle.symbols if part[0] not in moving))
        total = self.graph.constant(fixed.value(self.symbols))
        for name, n in moving.items():
            total = total + self.symbols[name] * float(n)
        return total.apply("cos"), total.apply("sin")

    def coordinate(self, name: str) -> Any:
        return self.q[name]

    def cos_sin(self, name: str) -> tuple[Any, Any]:
        return self.q[name].apply("cos"), self.q[name].apply("sin")

    def rate(self, name: str) -> Any:
        return self.qd.get(name, 0)

    def acceleration(self, name: str) -> Any:
        return self.qdd.get(name, 0)


def _shape(nested: Any) -> tuple[int, ...]:
    if not isinstance(nested, list | tuple):
        return ()
    return (len(nested), *(_shape(nested[0]) if nested else ()))


def _flat(nested: Any) -> Sequence[Any]:
    if not isinstance(nested, list | tuple):
        return [nested]
    return [entry for part in nested for entry in _flat(part)]
