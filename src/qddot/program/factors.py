"""Sums with their common factors taken out: a b + a c becomes a (b + c).

Sums and products are taken apart only through values that are used once, so that nothing shared is
computed twice. In each sum the factor that most terms share is taken out first, again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from qddot.program.graph import Graph, Symbolic, computed
from qddot.program.program import Program

Term: TypeAlias = tuple[int, tuple[int, ...]]  # sign, places of the factors in the old program

LEAST_SAVING = 0.007  # of the operations: below it the order of a recursion runs faster than the saving
SUMS = ("add", "sub", "neg")


def factored(program: Program) -> Program:
    """The same program with common factors taken out of its sums, if that is worth the new order."""
    made = _Factoring(program).program()
    saved = program.total_operations - made.total_operations
    return made if saved > LEAST_SAVING * program.total_operations else program


class _Factoring:
    """One program on its way into a new graph."""

    def __init__(self, program: Program) -> None:
        self.old = program
        self.graph = Graph()
        for port in program.inputs:
            self.graph.input(port.name, port.shape, port.unit)
        self.uses = Counter(place for node in program.nodes for place in node.args)
        self.uses.update(program.results)
        self.new: dict[int, Symbolic] = {}

    def program(self) -> Program:
        outputs: dict[str, Any] = {}
        for port, places in self.old.result_slices():
            outputs[port.name] = _nested([self.value(place) for place in places], port.shape)
        made = self.graph.program(self.old.name, outputs)
        return Program(made.name, self.old.inputs, self.old.outputs, made.nodes, made.results)

    def value(self, place: int) -> Symbolic:
        """An old node in the new graph; long chains are walked without recursion on their arguments."""
        waiting = [place]
        while waiting:
            top = waiting[-1]
            missing = [k for k in self._leaves(top) if k not in self.new]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if top not in self.new:
                self.new[top] = self._made(top)
        return self.new[place]

    def _leaves(self, place: int) -> list[int]:
        node = self.old.nodes[place]
        if node.op in SUMS:
            return [factor for _, factors in self._terms(place, 1, top=True) for factor in factors]
        if node.op == "mul":
            return list(self._factors(place, top=True))
        return list(node.args)

    def _made(self, place: int) -> Symbolic:
        node = self.old.nodes[place]
        if node.op in SUMS:
            return self._sum(self._terms(place, 1, top=True))
        if node.op == "mul":
            return self._product(self._factors(place, top=True))
        if node.op in ("input", "constant"):
            return Symbolic(self.graph, self.graph.place(node))
        return computed(node.op, [self.new[k] for k in node.args])

    def _terms(self, place: int, sign: int, top: bool = False) -> list[Term]:
        """The terms of a sum, through the sums that are used nowhere else."""
        node = self.old.nodes[place]
        if node.op in SUMS and (top or self.uses[place] == 1):
            signs = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}[node.op]
            pairs = zip(node.args, signs, strict=True)
            return [term for argument, s in pairs for term in self._terms(argument, sign * s)]
        if node.op == "mul" and self.uses[place] == 1:
            return [(sign, self._factors(place, top=True))]
        return [(sign, (place,))]

    def _factors(self, place: int, top: bool = False) -> tuple[int, ...]:
        node = self.old.nodes[place]
        if node.op == "mul" and (top or self.uses[place] == 1):
            return tuple(sorted(factor for argument in node.args for factor in self._factors(argument)))
        return (place,)

    def _sum(self, terms: Sequence[Term]) -> Symbolic:
        """Σ of the terms: those that share the most frequent factor first, as one product."""
        count = Counter(factor for _, factors in terms for factor in set(factors))
        best, times = max(count.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
        if times < 2:
            return self._plain_sum(terms)
        inside = [(sign, _without(factors, best)) for sign, factors in terms if best in factors]
        rest = [term for term in terms if best not in term[1]]
        product = self._sum(inside) * self.new[best]
        return product if not rest else _joined(product, rest, self._sum)

    def _plain_sum(self, terms: Sequence[Term]) -> Symbolic:
        positive = [self._product(factors) for sign, factors in terms if sign > 0]
        negative = [self._product(factors) for sign, factors in terms if sign < 0]
        up, down = (_total(sorted(part, key=lambda x: x.index)) for part in (positive, negative))
        if up is None:
            assert down is not None
            return -down
        return up if down is None else up - down

    def _product(self, factors: Sequence[int]) -> Symbolic:
        """Constants first, so that they fold."""
        values = sorted((self.new[k] for k in factors), key=lambda x: (x.constant is None, x.index))
        product = self.graph.constant(1.0)
        for value in values:
            product = product * value
        return product


def _joined(product: Symbolic, rest: Sequence[Term], total: Callable[[Sequence[Term]], Symbolic]) -> Symbolic:
    """A product and further terms, subtracted where all of them are negative."""
    if all(sign < 0 for sign, _ in rest):
        return product - total([(1, factors) for _, factors in rest])
    return product + total(rest)


def _without(factors: tuple[int, ...], one: int) -> tuple[int, ...]:
    place = factors.index(one)
    return factors[:place] + factors[place + 1 :]


def _total(values: Sequence[Symbolic]) -> Symbolic | None:
    total: Symbolic | None = None
    for value in values:
        total = value if total is None else total + value
    return total


def _nested(flat: list[Any], shape: tuple[int, ...]) -> Any:
    if not shape:
        return flat[0]
    step = max(1, len(flat) // max(1, shape[0]))
    return [_nested(flat[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])]
