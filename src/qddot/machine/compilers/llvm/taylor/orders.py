"""Writes the functions that compute the coefficients of one order of every value, from those of the orders before.

The unknowns make the residual vanish, order by order. They follow from the residual in which the unknowns of this order
are zero, times a matrix that is the same for all orders; then the values that depend on them are computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from qddot.algebra.program.operations import CIRCULAR
from qddot.algebra.program.program import Node
from qddot.algebra.program.series import STATE, TIME, UNKNOWN, Operand
from qddot.machine.compilers.llvm import sincos
from qddot.machine.compilers.llvm.taylor.factor_rows import FactorRows
from qddot.machine.compilers.llvm.taylor.workspace import ArmsInLanes, ProductsInLanes, Workspace
from qddot.machine.compilers.llvm.writer import Writer

LINEAR = ("add", "sub", "neg")


def function(space: Workspace, turn: int | None) -> list[str]:
    """Returns `void turn.K(ptr work, i64 order)` for the orders at place K of a block, or `void start` for order 0."""
    return _Order(space, turn).lines()


class _Order:
    """This writes the function of one order; turn: the order's place in its block, or None for order 0"""

    def __init__(self, space: Workspace, turn: int | None) -> None:
        self.space, self.series, self.turn = space, space.series, turn
        self.is_start = turn is None
        name, more = ("start", "") if turn is None else (f"turn.{turn}", ", i64 %k")
        self.w = Writer(f"private void @{name}(ptr noalias %work{more}) noinline", space.of)
        self.values: dict[Operand, str | None] = {}
        self.unknowns: list[str | None] = [None] * self.series.sizes[1]
        self.is_final = True
        self.runs = self._shifted(space.step)
        self.newest = self._newest()
        self.rows = FactorRows(self.w, space, self.runs, self.is_start) if isinstance(space, ProductsInLanes) else None
        self.states = self._shifted(self.series.sizes[0] * space.of.bytes)

    def _shifted(self, width: int) -> str:
        """Returns the workspace's address, shifted to the coefficients of this order; width: the bytes of one order"""
        return "%work" if self.is_start else self.w.element("%work", "%k", width)

    def _newest(self) -> str:
        """Returns the address of the older factors in those terms that an order adds itself.

        With one arm, order 1 has no such terms: it reads the places of the last order, which are zero.
        """
        if self.is_start or isinstance(self.space, ArmsInLanes):
            return "%work"
        last = (self.series.order - 1) * self.space.step
        is_first = self.w.compared("eq", "%k", 1, "i64")
        return self.w.at("%work", self.w.choice(is_first, last, 0, "i64"))

    def lines(self) -> list[str]:
        series, late = self.series, self.series.late
        places = self._places()
        if self.is_start:
            self._circular(series.angles)
        self._compute([place for place in places if place not in late])
        if self.is_start:
            for k, place in enumerate(series.results["inverse"]):
                at = self.space.offsets["inverse"] + k * self.space.of.bytes
                self.w.store(str(self.w.negative(self._some(place))), "%work", at)
        self._solve([place for place in places if place in late])
        self._compute([place for place in places if place in late])
        self._results()
        if self.rows:
            self.rows.done()
        return self.w.done()

    def _places(self) -> list[int]:
        """Returns the places of the values that this order computes, in their order."""
        if not self.is_start:
            return self.series.expanded
        return [place for place, node in enumerate(self.series.nodes) if node.op != "constant"]

    def _compute(self, places: list[int]) -> None:
        for place in places:
            self._note(Operand("value", place), self._value(place))

    def _solve(self, late: list[int]) -> None:
        """Computes the unknowns from the residual without them; the late values of that residual are discarded."""
        n, residual = len(self.unknowns), self.series.results["residual"]
        if not n:
            return
        before, self.is_final = dict(self.values), False
        dependencies = _dependencies(self.series.nodes, residual)
        self._compute([place for place in late if place in dependencies])
        rest = [self._coefficient(place) for place in residual]
        self.values, self.is_final = before, True
        in_turn = sorted(range(n), key=lambda k: self.series.arrivals[residual[k]])
        for j in range(n):
            total = None
            for k in in_turn:
                at = self.space.offsets["inverse"] + (j * n + k) * self.space.of.bytes
                total = self.w.fused(total, self.w.load("%work", at), rest[k])
            self.unknowns[j] = total

    def _results(self) -> None:
        w, d = self.w, self.space.of.bytes
        after = self._reciprocal(1)
        for element, place in enumerate(self.series.results["rates"]):
            rate = w.product(self._coefficient(place), after)
            w.store(rate or w.number(0.0), self.states, self.space.state(1, element))
        if self.series.results["guards"]:
            row = self._shifted(d)
            for which, place in enumerate(self.series.results["guards"]):
                w.store(self._coefficient(place) or w.number(0.0), row, self.space.guard(which, 0))

    # values

    def _note(self, operand: Operand, value: str | None) -> None:
        """Keeps a coefficient; if it is final and a convolution reads it, it is also stored."""
        self.values[operand] = value
        if value is None or not self.is_final:
            return
        if self.rows:
            self.rows.note(operand, value)
        elif isinstance(self.space, ArmsInLanes) and operand in self.space.operands:
            self.w.store(value, self.runs, self.space.begin(operand))

    def _coefficient(self, place: int) -> str | None:
        """Returns this order's coefficient of a value, None where it is zero."""
        node = self.series.nodes[place]
        if node.op == "constant":
            return self.w.number(node.value) if self.is_start and node.value else None
        return self.values[Operand("value", place)] if self.is_start or place in self.series.moving else None

    def _some(self, place: int) -> str:
        return self._coefficient(place) or self.w.number(0.0)

    def _factor(self, place: int) -> str:
        """Returns a value that does not change in time."""
        node = self.series.nodes[place]
        if node.op == "constant":
            return self.w.number(node.value)
        return self._parameter(node.element[1]) if node.op == "input" else self._stored_coefficient(place)

    def _parameter(self, element: int) -> str:
        return self.w.load("%work", self.space.offsets["parameters"] + element * self.space.of.bytes)

    def _stored_coefficient(self, place: int) -> str:
        return self.w.load("%work", self.space.offsets["constants"] + place * self.space.of.bytes)

    def _keep(self, place: int, value: str) -> None:
        self.w.store(value, "%work", self.space.offsets["constants"] + place * self.space.of.bytes)

    def _value(self, place: int) -> str | None:
        node = self.series.nodes[place]
        if node.op == "input":
            return self._input(*node.element)
        if node.op in CIRCULAR:
            value = self._sine(node)
        elif node.op in LINEAR:
            value = self._linear(node)
        else:
            value = self._at_start(place, node) if self.is_start else self._later(place, node)
        if self.is_start and place not in self.series.moving and value is not None:
            self._keep(place, value)
        return value

    def _input(self, port: int, element: int) -> str | None:
        if port == STATE:
            return self.w.load(self.states, self.space.state(0, element))
        if port == UNKNOWN:
            return self.unknowns[element]
        if port == TIME:
            if self.is_start:
                return self.w.load("%work", self.space.offsets["time"])
            return self.w.spread(self.w.load(self.w.element("@times", "%k"), 0, "double"))
        return self._parameter(element)

    def _at_start(self, place: int, node: Node) -> str | None:
        """Returns the value itself, the coefficient of order 0."""
        w, x = self.w, [self._coefficient(k) for k in node.args]
        if node.op == "mul":
            if node.args[0] == node.args[1] and place in self.series.moving:
                self._keep(place, w.sum(x[0], x[0]) or w.number(0.0))
            return w.product(*x)
        if node.op == "div":
            divisor = self._some(node.args[1])
            self._keep(place, str(w.quotient(w.number(1.0), divisor)))
            return w.quotient(x[0], divisor)
        if node.op == "sqrt":
            root = w.called("sqrt", self._some(node.args[0]))
            self._keep(place, str(w.quotient(w.number(0.5), root)))
            return root
        return sincos.value(w, node.op, [self._some(k) for k in node.args])

    def _later(self, place: int, node: Node) -> str | None:
        """Returns the coefficient of order 1 or a higher order."""
        w, x, this = self.w, [self._coefficient(k) for k in node.args], Operand("value", place)
        if node.op == "mul":
            if this in self.series.convolutions:
                return self._product(place)
            k = 0 if node.args[0] in self.series.moving else 1
            return w.product(x[k], self._factor(node.args[1 - k]))
        if node.op == "div":
            if this in self.series.convolutions:
                x[0] = w.difference(x[0], w.sum(self._convolution(this), w.product(x[1], self._first(this, 1))))
            return w.product(x[0], self._stored_coefficient(place))
        if node.op == "sqrt":
            return w.product(w.difference(x[0], self._convolution(this)), self._stored_coefficient(place))
        total = None
        for along, argument, slope in self.series.moved(place):
            if slope in self.series.moving:
                total = w.sum(total, self._along(Operand(along, place), argument))
            else:
                total = w.sum(total, w.product(self._scaled(argument), self._factor(slope)))
        return w.product(total, self._reciprocal(0))

    def _linear(self, node: Node) -> str | None:
        """Returns the coefficient of a sum, a difference or a sign change."""
        x = [self._coefficient(k) for k in node.args]
        if node.op == "neg":
            return self.w.negative(x[0])
        return self.w.sum(*x) if node.op == "add" else self.w.difference(*x)

    # convolutions

    def _convolution(self, name: Operand) -> str | None:
        """Returns Σ_{j=1..k−1} a_j b_{k−j}."""
        total: str | None = self._earlier(name)
        for _, a, b in self._newest_terms(name):
            total = self.w.fused(total, a, b)
        return total

    def _earlier(self, name: Operand) -> str:
        """Returns the part of the sum that earlier orders determine."""
        return self.w.load("%work", self.space.sum(name, self.turn or 0))

    def _newest_terms(self, name: Operand) -> Iterator[tuple[int, str, str | None]]:
        """Yields the terms that an order adds itself, each with the delay until its newer factor is computed."""
        w, step, pair = self.w, self.space.step, self.series.convolutions[name]
        for newer, age in self.space.newest(name, self.turn or 0):
            a, b = (self.space.operand(name, which) for which in (1 - newer, newer))
            comes = self.series.delays[pair[newer].place] if pair[newer].kind == "value" and age == 1 else 0
            yield comes, w.load(self.newest, a + age * step), w.load(self.runs, b - age * step)

    def _along(self, name: Operand, place: int) -> str | None:
        """Returns Σ_{j=1..k} e_j s_{k−j}, where e_j = j u_j; place: that of u"""
        scaled = self._scaled(place)
        return self.w.sum(self._convolution(name), self.w.product(scaled, self._first(name, 1)))

    def _first(self, name: Operand, side: int) -> str:
        """Returns the value at order 0 of an operand."""
        return self.w.load("%work", self.space.operand(name, side))

    def _product(self, place: int) -> str | None:
        """Returns the coefficient of a product; the terms whose factors are computed last are added last."""
        w, this = self.w, Operand("value", place)
        pair, terms = self.series.convolutions[this], [*self._newest_terms(this)]
        if pair[0] == pair[1]:
            terms.append((self.series.arrivals[pair[0].place], self._stored_coefficient(place), self.values[pair[0]]))
        else:
            for side, operand in enumerate(pair):
                terms.append((self.series.arrivals[operand.place], self._first(this, 1 - side), self.values[operand]))
        total: str | None = self._earlier(this)
        for _, a, b in sorted(terms, key=itemgetter(0)):
            total = w.fused(total, a, b)
        return total

    def _reciprocal(self, more: int) -> str:
        """Returns 1 / (k + more)."""
        w = self.w
        if self.is_start:
            return w.number(1.0)
        return w.spread(w.load(w.element("@reciprocals", "%k"), 8 * more, "double"))

    def _scaled(self, place: int) -> str | None:
        """Returns e_k = k u_k; for an element of the state, this is its rate's coefficient of the order before."""
        scaled, rate = Operand("scaled", place), self.series.speeds.get(place)
        if scaled not in self.values:
            if rate is None:
                times = self.w.spread(self.w.let("sitofp i64 %k to double"))
                self._note(scaled, self.w.product(times, self._coefficient(place)))
            else:
                element = self.series.nodes[rate].element[1]
                self._note(scaled, self.w.load(self.states, self.space.state(-1, element)))
        return self.values[scaled]

    # sines and cosines

    def _circular(self, angles: list[int]) -> None:
        """Computes the sines and cosines of several angles at order 0."""
        if not angles:
            return
        for place in angles:
            self._note(Operand("value", place), self._value(place))
        waves = sincos.Waves(self.w, [self._some(place) for place in angles])
        for k, place in enumerate(angles):
            for kind in CIRCULAR:
                self._note(Operand(kind, place), waves.value(self.w, k, kind))

    def _sine(self, node: Node) -> str | None:
        """Returns the coefficient of a sine or a cosine; both are computed when one of them is first needed."""
        w, angle = self.w, node.args[0]
        this = Operand(node.op, angle)
        if this not in self.values and self.is_start:
            self._circular([angle])
        elif isinstance(self.space, ProductsInLanes) and self.space.is_turning(this):
            (other,) = {"sin", "cos"} - {node.op}
            self.values[this] = w.load(self.runs, self.space.operand(Operand(other, angle), 1))
        elif this not in self.values:
            for kind in CIRCULAR:
                name = Operand(kind, angle)
                value = w.product(self._along(name, angle), self._reciprocal(0))
                self._note(name, value if kind == "sin" else w.negative(value))
        return self.values[this]


def _dependencies(nodes: Sequence[Node], results: list[int]) -> set[int]:
    """Returns the places of the values that some results depend on."""
    places = set(results)
    for place in reversed(range(len(nodes))):
        if place in places:
            places.update(nodes[place].args)
    return places
