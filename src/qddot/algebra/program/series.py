"""Defines Series: how the Taylor coefficients of a program's values follow from one another, order by order.

A value's coefficient of order k is a sum of products of coefficients of its arguments. If two arguments change, it
needs the convolution Σ_{j=1..k−1} a_j b_{k−j}, which can be computed before the coefficients of order k. A function
y = f(u) follows from its slope s = f'(u), whose nodes are expanded with the others: with e_j = j u_j, k y_k =
Σ_{j=1..k} e_j s_{k−j}. So s may depend on y itself, and the sine and the cosine on each other.
Sources: Griewank & Walther 2008, §13.2; Jorba & Zou 2005.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from qddot.algebra.program.graph import Graph, Symbolic
from qddot.algebra.program.operations import CIRCULAR, LEAVES, OPERATIONS
from qddot.algebra.program.program import Node, Program, ProgramError
from qddot.base.records import record
from qddot.base.words.message import Listed

PORTS = ("state", "unknown", "time", "parameters")
OUTPUTS = ("rates", "residual", "inverse", "guards")
# of the program that a step is held against
CALLED_PORTS, CALLED_OUTPUTS = (*PORTS, "near"), ("rates", "residual", "guards")
STATE, UNKNOWN, TIME, PARAMETERS, NEAR = range(5)
RULED = ("add", "sub", "neg", "mul", "div", "sqrt", *CIRCULAR)  # operations that need no nodes of their slopes
ALONG = ("first", "second")  # the kinds of the convolutions with the slopes along the arguments


class Operand(NamedTuple):
    """An operand of a convolution is a value or a sequence that is derived from it.

    kind: the "value" at a place, the "sin" or "cos" of it, or its "scaled" coefficients e_j = j u_j
    """

    kind: str
    place: int


@record()
class Series:
    """A series has a program of the rates of a state, and the number of orders to which it is expanded.

    The program takes `state` (m,), `unknown` (n,), `time` (1,) and `parameters` (p,), and returns `rates` (m,),
    `residual` (n,), `inverse` (n, n) and `guards` (g,). The residual is linear in the unknowns, which make it vanish:
    unknown = −inverse · residual(0). The inverse is needed only at order 0.
    measured: the number of leading elements of the state that determine the error; nothing depends on the other
        elements, whose errors are measured separately
    called: the rates, the residual and the guards as they are, with which each step is compared; it need not be
        analytic. A switch has its mode where its argument has the sign of the mode, or is `near` 0, an input of its own
    accounts: the places of elements of the state that are integrals of rates of `called`
    switches: whether modes are parameters, which are to be renewed after a step over a switch
    holding: how many guards, the last ones, tell whether dry friction still holds the joints at rest; they
        also limit the step, since torques on joints at rest do not show in the state
    """

    program: Program
    order: int
    measured: int
    called: Program
    accounts: range = range(0)
    switches: bool = False
    holding: int = 0

    def __post_init__(self) -> None:
        for program, *ports in ((self.program, PORTS, OUTPUTS), (self.called, CALLED_PORTS, CALLED_OUTPUTS)):
            names = [tuple(port.name for port in side) for side in (program.inputs, program.outputs)]
            if names != ports:
                raise ProgramError("series-ports", names=names, ports=ports)
        for node in self.program.nodes:
            if node.op not in LEAVES and not OPERATIONS[node.op].analytic:
                expected = Listed(name for name, each in OPERATIONS.items() if each.analytic)
                raise ProgramError("no-series", op=node.op, expected=expected)

    @property
    def nodes(self) -> Sequence[Node]:
        """Returns the nodes of the program, followed by those of its functions' slopes."""
        return self._sloped[0]

    @property
    def slopes(self) -> Mapping[int, tuple[int, ...]]:
        """Returns the places of each function's slopes along its arguments."""
        return self._sloped[1]

    @cached_property
    def _sloped(self) -> tuple[Sequence[Node], Mapping[int, tuple[int, ...]]]:
        graph, slopes = Graph(), dict[int, tuple[int, ...]]()
        graph.nodes += self.program.nodes
        graph.constants += [node.value if node.op == "constant" else None for node in self.program.nodes]
        for place, node in enumerate(self.program.nodes):
            if node.op not in (*LEAVES, *RULED):
                y, *x = (Symbolic(graph, k) for k in (place, *node.args))
                slopes[place] = tuple(graph.lifted(slope).index for slope in OPERATIONS[node.op].partials(y, x))
        return graph.nodes, slopes

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Returns the numbers of elements of the state, the unknowns, the parameters and the guards."""
        ports = self.program.inputs
        return ports[STATE].size, ports[UNKNOWN].size, ports[PARAMETERS].size, self.program.outputs[3].size

    @cached_property
    def results(self) -> dict[str, list[int]]:
        """Returns the places of each output's elements."""
        return self.program.by_output(self.program.results)

    @cached_property
    def moving(self) -> frozenset[int]:
        """Returns the places of the values that change in time."""
        return self._reached({STATE, UNKNOWN, TIME})

    @cached_property
    def late(self) -> frozenset[int]:
        """Returns the places of the values that depend on the unknowns."""
        return self._reached({UNKNOWN})

    def _reached(self, ports: set[int]) -> frozenset[int]:
        reached: set[int] = set()
        for place, node in enumerate(self.nodes):
            begins = node.op == "input" and node.element[0] in ports
            if begins or any(argument in reached for argument in node.args):
                reached.add(place)
        return frozenset(reached)

    @cached_property
    def plain(self) -> int:
        """Returns how many of the first elements of the state have a rate that is another element of it."""
        nodes, rates = self.nodes, self.results["rates"]
        is_plain = [nodes[place].op == "input" and nodes[place].element[0] == STATE for place in rates]
        return [*is_plain, False].index(False)

    @cached_property
    def angles(self) -> list[int]:
        """Returns the angles that are inputs, whose sines and cosines are computed together."""
        nodes = self.nodes
        angles = [node.args[0] for node in nodes if node.op in CIRCULAR]
        return [place for place in dict.fromkeys(angles) if nodes[place].op == "input"]

    @cached_property
    def arrivals(self) -> list[int]:
        """Returns for each value the number of operations from the previous order's unknowns to its coefficient."""
        nodes, rates, arrivals = self.nodes, self.results["rates"], list[int]()
        for node in nodes:
            if node.op == "input" and node.element[0] == STATE:
                arrivals.append(int(rates[node.element[1]] in self.late))
            else:
                latest = max((arrivals[argument] for argument in node.args), default=0)
                arrivals.append(latest + 1 if latest else 0)
        return arrivals

    @cached_property
    def delays(self) -> list[int]:
        """Returns for each value the number of operations from the same order's unknowns, 0 if it precedes them."""
        delays = list[int]()
        for place, node in enumerate(self.nodes):
            latest = max((delays[argument] for argument in node.args if argument in self.late), default=-1)
            delays.append(latest + 1 if place in self.late else 0)
        return delays

    @cached_property
    def speeds(self) -> dict[int, int]:
        """Returns, for each state element whose rate is a state element too, the place of that rate."""
        elements = {node.element: place for place, node in enumerate(self.nodes) if node.op == "input"}
        owns = {elements[STATE, k]: rate for k, rate in enumerate(self.results["rates"]) if (STATE, k) in elements}
        return {place: rate for place, rate in owns.items() if rate in owns}

    @cached_property
    def expanded(self) -> list[int]:
        """Returns the places of the values that have coefficients beyond order 0, in order."""
        waiting = [place for name in ("rates", "residual", "guards") for place in self.results[name]]
        places = set[int]()
        while waiting:
            place = waiting.pop()
            if place in self.moving and place not in places:
                places.add(place)
                waiting += [*self.nodes[place].args, *self.slopes.get(place, ())]
        return sorted(places)

    @cached_property
    def convolutions(self) -> dict[Operand, tuple[Operand, Operand]]:
        """Returns the operands of each convolution, by its purpose."""
        pairs: dict[Operand, tuple[Operand, Operand]] = {}
        for place in self.expanded:
            pairs |= dict(self._convolutions(place))
        return pairs

    def _convolutions(self, place: int) -> Iterator[tuple[Operand, tuple[Operand, Operand]]]:
        """Yields the operands that are convolved for one value."""
        node = self.nodes[place]
        this = Operand("value", place)
        if node.op == "mul" and all(argument in self.moving for argument in node.args):
            early, last = sorted(node.args, key=lambda place: place in self.late)
            yield this, (Operand("value", early), Operand("value", last))
        elif node.op == "div" and node.args[1] in self.moving:
            yield this, (Operand("value", node.args[1]), this)
        elif node.op == "sqrt":
            yield this, (this, this)
        elif node.op in CIRCULAR:
            angle = node.args[0]
            for kind, other in (("sin", "cos"), ("cos", "sin")):
                yield Operand(kind, angle), (Operand("scaled", angle), Operand(other, angle))
        for along, x, slope in self.moved(place):
            if slope in self.moving:
                yield Operand(along, place), (Operand("scaled", x), Operand("value", slope))

    def moved(self, place: int) -> Iterator[tuple[str, int, int]]:
        """Yields for each argument of a function that moves its kind in `ALONG`, its place, and that of the slope."""
        arguments = self.nodes[place].args
        for along, x, slope in zip(ALONG, arguments, self.slopes.get(place, ()), strict=False):
            if x in self.moving:
                yield along, x, slope

    @cached_property
    def hash(self) -> str:
        """Returns a fingerprint of everything that the code depends on."""
        facts = self.order, self.measured, self.called.hash, self.accounts, self.switches, self.holding
        return " ".join(map(str, (self.program.hash, *facts)))
