"""Builds a graph while code is traced: its nodes add and multiply like numbers, and become a Program.

Equal nodes are shared, constants are folded, operations with 0 and ±1 are dropped, and signs are moved outward, so that
only the arithmetic that the arm needs remains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from qddot.algebra.program.operations import OPERATIONS
from qddot.algebra.program.passes import live
from qddot.algebra.program.program import Node, Port, Program, operation
from qddot.base.errors import QddotError
from qddot.base.nested_lists import flat, shape_of

NO_UNITS: Mapping[str, str] = {}


class Graph:
    """A graph is a growing set of different nodes.

    cancels: in how many sums within a sum a term is looked for that is subtracted from it
    """

    cancels = 0

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.ports: list[Port] = []
        self.constants: list[float | None] = []  # the value of each constant node
        self.was_asked = False  # whether a traced function has asked for the value of a node
        self._places: dict[tuple[Any, ...], int] = {}
        self._values: dict[float, int] = {}  # the places of constants

    def place(self, node: Node) -> int:
        """Returns the place of an equal node, which is added if there is none."""
        if node.op == "constant":
            return self.constant(node.value).index
        key = node[:2] if node.args else node
        place = self._places.get(key)
        return self._added(key, node) if place is None else place

    def _added(self, key: tuple[Any, ...], node: Node) -> int:
        self._places[key] = place = len(self.nodes)
        self.nodes.append(node)
        self.constants.append(None)
        return place

    def number(self, value: Any) -> float:
        """Returns a number as the value of a constant node."""
        return float(value) + 0.0  # 0.0 and −0.0 are the same constant

    def applied(self, function: str, *values: float) -> Symbolic:
        """Returns a function of constants."""
        return self.constant(OPERATIONS[function].value(*values))

    def has(self, op: str, *args: int) -> bool:
        """Returns whether there is a node with this operation."""
        return (op, args) in self._places

    def make(self, op: str, *args: int) -> Symbolic:
        key = (op, args)
        place = self._places.get(key)
        return Symbolic(self, self._added(key, operation(op, args)) if place is None else place)

    def in_order(self, op: str, a: int, b: int) -> Symbolic:
        """Returns the node of a commutative operation, with its arguments in a fixed order."""
        return self.make(op, a, b) if a <= b else self.make(op, b, a)

    def constant(self, value: float) -> Symbolic:
        place = self._values.get(value)
        if place is None:
            number = self.number(value)
            self._values[number] = place = len(self.nodes)
            self.nodes.append(Node("constant", value=number))
            self.constants.append(number)
        return Symbolic(self, place)

    def input(self, name: str, shape: tuple[int, ...] = (), unit: str = "") -> list[Symbolic]:
        """Returns the elements of a new input port."""
        self.ports.append(Port(name, shape, unit))
        port = len(self.ports) - 1
        return [Symbolic(self, self.place(Node("input", element=(port, k)))) for k in range(self.ports[-1].size)]

    def program(self, name: str, outputs: Mapping[str, Any], units: Mapping[str, str] = NO_UNITS) -> Program:
        """Returns the program of outputs, which are nested lists of nodes by name, without unused nodes.

        units: of outputs, by name
        """
        ports, results = [], []
        for label, nested in outputs.items():
            shape = shape_of(nested)
            ports.append(Port(label, shape, units.get(label, "")))
            results += [self.lifted(value).index for value in flat(nested, len(shape))]
        nodes, places = live(self.nodes, results)
        return Program(name, tuple(self.ports), tuple(ports), tuple(nodes), tuple(places))

    @contextmanager
    def tried(self) -> Iterator[None]:
        """Removes at the end of the context all nodes and ports that were made in it; none may be used later."""
        before = [*self.nodes], [*self.ports], [*self.constants], {**self._places}, {**self._values}
        try:
            yield
        finally:
            self.nodes, self.ports, self.constants, self._places, self._values = before

    def unknowns(self, count: int) -> list[Symbolic]:
        """Returns nodes for unknown values, which must be replaced before a program is made."""
        return [Symbolic(self, self.place(Node("input", element=(-1, k)))) for k in range(count)]

    def inlined(
        self,
        program: Program,
        inputs: Sequence[Sequence[Any]],
        compute: Callable[[str, list[Symbolic]], Symbolic] | None = None,
    ) -> list[Symbolic]:
        """Returns a program's results computed in this graph, from the nodes of each of its ports.

        compute: the function that makes the node of an operation on nodes, `computed` if it is not given
        """
        values: list[Symbolic] = []
        for node in program.nodes:
            if node.op == "input":
                port, element = node.element
                values.append(self.lifted(inputs[port][element]))
            elif node.op == "constant":
                values.append(self.constant(node.value))
            else:
                values.append((compute or computed)(node.op, [values[place] for place in node.args]))
        return [values[place] for place in program.results]

    def lifted(self, value: Any) -> Symbolic:
        """Returns a node, or a number as one."""
        return value if isinstance(value, Symbolic) else self.constant(value)


class Symbolic:
    """A symbolic number is a node of a graph."""

    __slots__ = ("graph", "index")

    def __init__(self, graph: Graph, index: int) -> None:
        self.graph = graph
        self.index = index

    @property
    def node(self) -> Node:
        return self.graph.nodes[self.index]

    @property
    def constant(self) -> float | None:
        """Returns the value of a constant node, else None."""
        return self.graph.constants[self.index]

    def __add__(self, other: Any) -> Symbolic:
        graph, right = self.graph, self._operand(other)
        a, b = graph.constants[self.index], graph.constants[right.index]
        if a is not None and b is not None:
            return graph.constant(a + b)
        if a == 0:
            return right
        if b == 0:
            return self
        one, two = graph.nodes[self.index], graph.nodes[right.index]
        if two.op == "neg":
            return self - right._argument(0)
        if one.op == "neg":
            return right - self._argument(0)
        if one.op == "sub" and one.args[1] == right.index:
            return self._argument(0)
        if two.op == "sub" and two.args[1] == self.index:
            return right._argument(0)
        (a, x), (b, y) = self._scale_and_rest(), right._scale_and_rest()
        if x == y:
            return Symbolic(graph, x)._scaled(a + b)
        return graph.in_order("add", self.index, right.index)

    __radd__ = __add__

    def __neg__(self) -> Symbolic:
        value, node = self.constant, self.node
        if value is not None:
            return self.graph.constant(-value)
        if node.op == "neg":
            return self._argument(0)
        return self.graph.make("neg", self.index)

    def __sub__(self, other: Any) -> Symbolic:
        graph, right = self.graph, self._operand(other)
        a, b = graph.constants[self.index], graph.constants[right.index]
        if a is not None and b is not None:
            return graph.constant(a - b)
        if b == 0:
            return self
        if a == 0:
            return -right
        if self.index == right.index:
            return graph.constant(0.0)
        if graph.nodes[right.index].op == "neg":
            return self + right._argument(0)
        if graph.nodes[self.index].op == "neg":
            return -(self._argument(0) + right)
        left = self._without(right)
        if left is not None:
            return left
        turned = right._without(self)
        if turned is not None:
            return -turned
        (a, x), (b, y) = self._scale_and_rest(), right._scale_and_rest()
        if x == y:
            return Symbolic(graph, x)._scaled(a - b)
        if graph.has("sub", right.index, self.index):
            return -graph.make("sub", right.index, self.index)
        return graph.make("sub", self.index, right.index)

    def _scale_and_rest(self) -> tuple[float, int]:
        """Returns the constant factor of this node and the place of the node that it scales."""
        node = self.graph.nodes[self.index]
        if node.op == "mul":
            one, other = node.args
            value = self.graph.constants[one]
            if value is not None:
                return value, other
            value = self.graph.constants[other]
            if value is not None:
                return value, one
        return 1.0, self.index

    def _without(self, term: Symbolic, deep: int | None = None) -> Symbolic | None:
        """Returns this node minus a term if it is a sum or a difference that contains the term, else None.

        deep: in how many sums within the sum the term is looked for, by default in as many as the graph says
        """
        node, deep = self.node, self.graph.cancels if deep is None else deep
        if node.op == "add" and term.index in node.args:
            return self._argument(1 - node.args.index(term.index))
        if node.op == "sub" and node.args[0] == term.index:
            return -self._argument(1)
        if deep and node.op in ("add", "sub"):
            for k in range(2 if node.op == "add" else 1):
                rest, other = self._argument(k)._without(term, deep - 1), self._argument(1 - k)
                if rest is not None:
                    return rest + other if node.op == "add" else rest - other
        return None

    def __rsub__(self, other: Any) -> Symbolic:
        return self._operand(other) - self

    def __mul__(self, other: Any) -> Any:
        """Returns the product, which is the integer 0 if the other factor is."""
        if isinstance(other, Symbolic):
            return self._times(other)
        if getattr(other, "__array_ufunc__", other) is None:
            return NotImplemented
        return 0 if isinstance(other, int) and other == 0 else self._times(self.graph.constant(other))

    __rmul__ = __mul__

    def _times(self, right: Symbolic) -> Symbolic:
        graph = self.graph
        a, b = graph.constants[self.index], graph.constants[right.index]
        if a is not None and b is not None:
            return graph.constant(a * b)
        if a is not None:
            return right._scaled(a)
        if b is not None:
            return self._scaled(b)
        if graph.nodes[self.index].op == "neg":
            return -(self._argument(0)._times(right))
        if graph.nodes[right.index].op == "neg":
            return -(self._times(right._argument(0)))
        return graph.in_order("mul", self.index, right.index)

    def _scaled(self, by: float) -> Symbolic:
        """Returns this node times a constant, whose sign is moved outward."""
        if by == 0:
            return self.graph.constant(0.0)
        if by < 0:
            return -self._scaled(-by)
        if self.node.op == "neg":
            return -self._argument(0)._scaled(by)
        return self if by == 1 else self.graph.in_order("mul", self.index, self.graph.constant(by).index)

    def __truediv__(self, other: Any) -> Symbolic:
        right = self._operand(other)
        value = right.constant
        if value == 0:
            raise QddotError("divided-by-zero-traced")
        own = self.constant
        if value is not None:
            return self._scaled(1 / value) if own is None else self.graph.constant(own / value)
        if own == 0:
            return self
        if self.node.op == "neg":
            return -(self._argument(0) / right)
        return self.graph.make("div", self.index, right.index)

    def __rtruediv__(self, other: Any) -> Symbolic:
        return self._operand(other) / self

    def apply(self, function: str, *others: Any) -> Symbolic:
        """Returns a function in OPERATIONS of this node and, if it takes several, of other nodes or numbers."""
        graph = self.graph
        places = [self.index, *[self._operand(other).index for other in others]]
        values = [value for place in places if (value := graph.constants[place]) is not None]
        if len(values) == len(places):
            return graph.applied(function, *values)
        if others and OPERATIONS[function].chooses:
            places.sort()
            if places[0] == places[-1]:
                return self
        return graph.make(function, *places)

    def _operand(self, other: Any) -> Symbolic:
        return other if isinstance(other, Symbolic) else self.graph.constant(other)

    def _argument(self, k: int) -> Symbolic:
        return Symbolic(self.graph, self.node.args[k])


def computed(op: str, x: list[Symbolic]) -> Symbolic:
    """Returns the node of one operation on nodes, simplified if possible."""
    simplified = SIMPLIFIED.get(op)
    return simplified(*x) if simplified else x[0].apply(op, *x[1:])


SIMPLIFIED: Mapping[str, Callable[..., Symbolic]] = {
    "add": Symbolic.__add__,
    "sub": Symbolic.__sub__,
    "mul": Symbolic._times,
    "div": Symbolic.__truediv__,
    "neg": Symbolic.__neg__,
}
