"""Takes common factors out of sums: a b + a c becomes a (b + c).

Sums and products are expanded only if their value is used once, so that no shared value is computed twice. In each sum,
the factor that most terms share is taken out first, and this is repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import Any, TypeAlias

from qddot.algebra.program.graph import Graph, Symbolic, computed
from qddot.algebra.program.passes import live
from qddot.algebra.program.program import Program

Term: TypeAlias = tuple[int, tuple[int, ...]]  # sign, and places of the factors in the old program

Summing: TypeAlias = Generator["Summing", Symbolic, Symbolic]  # yields the sums whose values it needs

LEAST_SAVING = 0.007  # share of the operations; if fewer are saved, the original recursion runs faster
SUMS = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}  # the signs of the arguments


def factored(program: Program) -> Program:
    """Returns the program with common factors taken out of its sums, if that saves enough operations."""
    shorter = _Factoring(program).program()
    saved = program.total_operations - shorter.total_operations
    return shorter if saved > LEAST_SAVING * program.total_operations else program


class _Factoring:
    """This rebuilds one program in a new graph."""

    def __init__(self, program: Program) -> None:
        self.old = program
        self.graph = Graph()
        for port in program.inputs:
            self.graph.input(port.name, port.shape, port.unit)
        self.uses = Counter(place for node in program.nodes for place in node.args)
        self.uses.update(program.results)
        self.new: dict[int, Symbolic] = {}
        self.opened: dict[int, list[Term]] = {}  # the terms of sums whose factors are not computed yet
        self.split: dict[int, tuple[int, ...]] = {}  # the factors of products that are not computed yet

    def program(self) -> Program:
        nodes, results = live(self.graph.nodes, [self.value(place).index for place in self.old.results])
        return Program(self.old.name, self.old.inputs, self.old.outputs, tuple(nodes), tuple(results))

    def value(self, place: int) -> Symbolic:
        """Returns an old node in the new graph; a loop instead of recursion handles long chains."""
        waiting = [place]
        while waiting:
            top = waiting[-1]
            if top in self.new:
                waiting.pop()
            elif missing := [k for k in self._leaves(top) if k not in self.new]:
                waiting += missing
            else:
                self.new[waiting.pop()] = self._rebuilt_node(top)
        return self.new[place]

    def _leaves(self, place: int) -> list[int]:
        node = self.old.nodes[place]
        if node.op in SUMS:
            if place not in self.opened:
                self.opened[place] = self._terms(place)
            return [factor for _, factors in self.opened[place] for factor in factors]
        if node.op == "mul":
            if place not in self.split:
                self.split[place] = self._factors(place)
            return list(self.split[place])
        return list(node.args)

    def _rebuilt_node(self, place: int) -> Symbolic:
        node = self.old.nodes[place]
        if node.op in SUMS:
            return self._sum(self.opened.pop(place))
        if node.op == "mul":
            return self._product(self.split.pop(place))
        if node.op in ("input", "constant"):
            return Symbolic(self.graph, self.graph.place(node))
        return computed(node.op, [self.new[k] for k in node.args])

    def _terms(self, place: int) -> list[Term]:
        """Returns the terms of a sum; sums that are used only here are expanded."""
        terms, waiting = list[Term](), [(place, 1)]
        while waiting:
            one, sign = waiting.pop()
            node = self.old.nodes[one]
            if node.op in SUMS and (one == place or self.uses[one] == 1):
                signed = zip(node.args, SUMS[node.op], strict=True)
                waiting += [(argument, sign * own) for argument, own in reversed([*signed])]
            elif node.op == "mul" and self.uses[one] == 1:
                terms.append((sign, self._factors(one)))
            else:
                terms.append((sign, (one,)))
        return terms

    def _factors(self, place: int) -> tuple[int, ...]:
        """Returns the factors of a product; products that are used only here are expanded."""
        factors, waiting = list[int](), [place]
        while waiting:
            one = waiting.pop()
            node = self.old.nodes[one]
            if node.op == "mul" and (one == place or self.uses[one] == 1):
                waiting += node.args
            else:
                factors.append(one)
        return tuple(sorted(factors))

    def _sum(self, terms: Sequence[Term]) -> Symbolic:
        """Returns the sum of the terms; nested sums are kept in a list, which may be longer than Python's stack."""
        waiting: list[Summing] = [self._summing(terms)]
        value: Any = None
        while waiting:
            try:
                waiting.append(waiting[-1].send(value))
                value = None
            except StopIteration as end:
                value = end.value
                waiting.pop()
        result: Symbolic = value
        return result

    def _summing(self, terms: Sequence[Term]) -> Summing:
        """Returns the sum of the terms, with the most frequent factor taken out first; yields the sums inside it."""
        each = [factor for _, factors in terms for factor in set(factors)]
        if len(set(each)) == len(each):
            return self._plain_sum(terms)
        best = max(Counter(each).items(), key=lambda item: (item[1], -item[0]))[0]
        rest = [term for term in terms if best not in term[1]]
        inside = yield self._summing([(sign, _without(factors, best)) for sign, factors in terms if best in factors])
        product: Symbolic = inside * self.new[best]
        if not rest:
            return product
        if all(sign < 0 for sign, _ in rest):
            return product - (yield self._summing([(1, factors) for _, factors in rest]))
        return product + (yield self._summing(rest))

    def _plain_sum(self, terms: Sequence[Term]) -> Symbolic:
        positive = [self._product(factors) for sign, factors in terms if sign > 0]
        negative = [self._product(factors) for sign, factors in terms if sign < 0]
        up, down = (_total(sorted(part, key=lambda x: x.index)) for part in (positive, negative))
        if up is None:
            assert down is not None
            return -down
        return up if down is None else up - down

    def _product(self, factors: Sequence[int]) -> Symbolic:
        """Returns a product with its constants first, so that they become one constant."""
        if len(factors) < 2:
            return self.new[factors[0]] if factors else self.graph.constant(1.0)
        constants = self.graph.constants
        product, *rest = sorted((self.new[k] for k in factors), key=lambda x: (constants[x.index] is None, x.index))
        for value in rest:
            product = product._times(value)
        return product


def _without(factors: tuple[int, ...], one: int) -> tuple[int, ...]:
    place = factors.index(one)
    return factors[:place] + factors[place + 1 :]


def _total(values: Sequence[Symbolic]) -> Symbolic | None:
    total: Symbolic | None = None
    for value in values:
        total = value if total is None else total + value
    return total
