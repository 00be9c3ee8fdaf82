"""Follows the rounding errors of a program over a box of inputs, operation by operation.

Every node has an interval of its exact values and a bound of its error. Where a program turns a vector (x, y) by an
angle, into c x − s y and s x + c y, the lengths of the vector and of its error stay the same, which intervals of the
components do not see. So the length of what two or three nodes form together is followed through turns and sums, too;
it bounds each of them. A product that is fused with a sum has one rounding less, so that the bounds hold for any
contraction.
Source: Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, §3.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from qddot.algebra.program.operations import CIRCULAR, OPERATIONS
from qddot.algebra.program.program import Node, Program
from qddot.base.errors import EvaluationError
from qddot.proof.bounds import forms
from qddot.proof.bounds.functions import Interval, UndefinedError, has_slopes, slopes, value_range
from qddot.proof.bounds.precision import Precision
from qddot.proof.bounds.sincos import CircularError
from qddot.proof.bounds.turns import ReducedReading, Turns

WIDER = 1 + 1e-12  # exceeds the relative error of the floats in one step
DEEPEST = 40  # steps of one search for a length
MOST_TOGETHER = 3


class Length(NamedTuple):
    """Bounds of the length of a vector of nodes: of exact values, and of errors."""

    value: float
    error: float


class RunningError:
    """The errors of a program's nodes over one box.

    turns: where the program turns vectors
    box: the interval of each element of each input; the inputs themselves have no errors
    circular: the errors of a sine and a cosine of angles up to a size
    known: intervals of exact values, by the node
    raises UndefinedError: a divisor may be zero, or a slope infinite; EvaluationError: an operation has no bound
    """

    def __init__(
        self,
        program: Program,
        turns: Turns,
        box: Sequence[Sequence[Interval]],
        precision: Precision,
        circular: Callable[[float], CircularError],
        known: Mapping[int, Interval] = MappingProxyType({}),
    ) -> None:
        self.program, self._turns, self._precision, self._circular = program, turns, precision, circular
        self._known = known
        self.ranges: list[Interval] = []
        self.errors: list[float] = []
        self.own: list[float] = []  # the rounding of each node itself
        self._lengths: dict[frozenset[int], Length] = {}
        self._roundings: dict[tuple[int, int | None], float] = {}
        self._pairs: dict[int, float] = {}  # the error of sine and cosine together, by the angle
        for place, node in enumerate(program.nodes):
            interval, before, own = self._of(node, box)
            self.ranges.append(interval)
            self.errors.append((before + own) * WIDER)
            self.own.append(own)
            if node.op in ("add", "sub"):
                self._shorten(place, before)

    @property
    def results(self) -> list[float]:
        """Returns the bounds of the results' errors."""
        return [self.errors[place] * (1 + 1e-9) for place in self.program.results]

    def _size(self, place: int) -> float:
        low, high = self.ranges[place]
        return max(abs(low), abs(high))

    def _shorten(self, place: int, before: float) -> None:
        """Tightens the bounds of a sum by those of the length of a vector with this one component."""
        length = self._length(frozenset((place,)), 0)
        low, high = self.ranges[place]
        self.ranges[place] = max(low, -length.value), min(high, length.value)
        self.own[place] = min(self.own[place], self._precision.half_ulp((self._size(place) + before) * WIDER))
        self.errors[place] = min(self.errors[place], (before + self.own[place]) * WIDER, length.error)
        del self._lengths[frozenset((place,))]  # the node is better known now

    def _of(self, node: Node, box: Sequence[Sequence[Interval]]) -> tuple[Interval, float, float]:
        """Returns a node's interval, the error that its arguments give it, and its own rounding."""
        precision = self._precision
        if node.op == "input":
            port, element = node.element
            return box[port][element], 0.0, 0.0
        if node.op == "constant":
            wrong = abs(precision.nearest(node.value) - node.value)
            # source code has the shortest decimals of the double, whose nearest float may be the other neighbour
            return (node.value, node.value), 0.0, wrong + abs(node.value) * 2.0**-52 if wrong else 0.0
        x = node.args[0]
        if node.op in CIRCULAR:
            return self._of_circle(node.op, x)
        ranges, errors = [self.ranges[k] for k in node.args], [self.errors[k] for k in node.args]
        if node.op == "neg":
            return (-ranges[0][1], -ranges[0][0]), errors[0], 0.0
        if node.op not in STEPS:
            return self._of_function(node.op, ranges, errors)
        interval, before = STEPS[node.op](ranges[0], ranges[1], errors[0], errors[1])
        if node.op == "mul" and x == node.args[1]:
            interval = max(interval[0], 0.0), interval[1]
        low, high = self._known.get(len(self.ranges), interval)
        interval = max(interval[0], low), min(interval[1], high)
        if node.op == "mul" and any(self._is_power_of_two(k) for k in node.args):
            return interval, before, precision.tiny
        size = max(abs(interval[0]), abs(interval[1])) + before
        return interval, before, precision.half_ulp(size * WIDER) + precision.tiny

    def _of_circle(self, op: str, x: int) -> tuple[Interval, float, float]:
        error = self._circular(self._size(x) + self.errors[x])
        self._pairs[x] = (error.pair + self.errors[x]) * WIDER
        low, high = np.array(self.ranges[x]) - (forms.QUARTER if op == "sin" else 0.0)
        least, most = forms.cosine_range(low, high)
        return (float(least), float(most)), self.errors[x], error.one

    def _of_function(
        self, function: str, ranges: Sequence[Interval], errors: Sequence[float]
    ) -> tuple[Interval, float, float]:
        operation, precision = OPERATIONS[function], self._precision
        reached = [(_down(low - e), _up(high + e)) for (low, high), e in zip(ranges, errors, strict=True)]
        if not has_slopes(operation):
            low, high = value_range(operation, reached)
            if low < high and any(errors):
                raise EvaluationError("rounding-changes-function", name=self.program.name, function=function)
            return value_range(operation, ranges), 0.0, 0.0
        along = slopes(operation, reached)
        interval = value_range(operation, ranges, along)
        before = sum(_largest(slope) * e for slope, e in zip(along, errors, strict=True)) * WIDER
        if operation.chooses:
            return interval, before, 0.0
        ulps = 2 * operation.ulps
        return interval, before, ulps * precision.half_ulp((_largest(interval) + before) * WIDER) + precision.tiny

    def _is_power_of_two(self, place: int) -> bool:
        node = self.program.nodes[place]
        return node.op == "constant" and abs(math.frexp(node.value)[0]) == 0.5

    # lengths of vectors of nodes

    def _length(self, nodes: frozenset[int], depth: int) -> Length:
        """Returns the bounds of a vector of nodes, the best of all ways in which its nodes come from others."""
        length = self._lengths.get(nodes)
        if length is not None:
            return length
        sizes, errors = map(self._size, nodes), (self.errors[place] for place in nodes)
        plain = Length(math.hypot(*sizes) * WIDER, math.hypot(*errors) * WIDER)
        self._lengths[nodes] = plain
        if depth < DEEPEST and len(nodes) <= MOST_TOGETHER:
            ways = [plain, *self._before_turns(nodes, depth), *self._of_summands(nodes, depth)]
            best = Length(min(way.value for way in ways), min(way.error for way in ways))
            self._lengths[nodes] = best
        return self._lengths[nodes]

    def _before_turns(self, nodes: frozenset[int], depth: int) -> Iterator[Length]:
        """Yields the length after two nodes that a turn made, or one of them, are replaced by the vector before the
        turn."""
        turns = self._turns
        turned = [(pair, way) for pair in combinations(nodes, 2) for way in turns.pairs.get(frozenset(pair), ())]
        single = [((one,), way) for one in nodes for each in (turns.singles, turns.sums) for way in each.get(one, ())]
        for made, way in turned or single:
            vector, turning = self._joined(nodes - set(made), way.before), self._joined(frozenset(), way.before)
            added = self._joined(frozenset(), way.added)
            if vector is None or turning is None or added is None:
                continue
            whole, part = self._length(vector, depth + 1), self._length(turning, depth + 1)
            wrong = self._pairs[way.angle]
            value, error = whole.value, whole.error + wrong * (part.value + part.error)
            if way.scale:
                more, times = self._length(added, depth + 1), way.scale * self._size(way.factor)
                value += times * more.value
                error += times * (more.error + wrong * (more.value + more.error))
            own = math.hypot(*(self._of_turn(place, way) for place in made))
            yield Length(value * WIDER, (error + own) * WIDER)

    def _of_turn(self, place: int, way: ReducedReading) -> float:
        """Returns the rounding of c x ± s y: that of the sum and of the products."""
        if way.scale:
            times = way.scale * self._size(way.factor)
            before = sum(self._expanded(k) for k in way.before) + times * sum(self._expanded(k) for k in way.added)
            return self._expanded(place, way.angle) + before * (1 + self._pairs[way.angle])
        return self._of_products(place)

    def _of_products(self, place: int) -> float:
        node = self.program.nodes[place]
        parts = node.args if node.op in ("add", "sub") else ()
        return self.own[place] + sum(self.own[self._turns.strip(k)] for k in parts)

    def _expanded(self, place: int, angle: int | None = None) -> float:
        """Returns how far a computed node is from the value of its polynomial at the computed nodes in it.

        angle: nodes that are turned by it are written out, too
        """
        key = place, angle
        rounding = self._roundings.get(key)
        if rounding is None:
            rounding = self._roundings[key] = self._rounding_of(place, angle) * WIDER
        return rounding

    def _rounding_of(self, place: int, angle: int | None) -> float:
        node, expansions = self.program.nodes[place], self._turns.expansions
        if place in expansions.turned and expansions.turned[place].angle == angle:
            parts = sum(self._expanded(part.node) for part in expansions.turned[place].parts)
            return self._of_products(place) + parts * (1 + self._pairs[angle])
        if not expansions.is_expanded(place):
            return 0.0
        if node.op in ("add", "sub", "neg"):
            return self.own[place] + sum(self._expanded(k, angle) for k in node.args)
        (x, a), (y, b) = ((self._size(k) + self.errors[k], self._expanded(k, angle)) for k in node.args)
        return self.own[place] + a * y + x * b + a * b

    def _of_summands(self, nodes: frozenset[int], depth: int) -> Iterator[Length]:
        """Yields the length as the sum of the lengths of two vectors whose sum the nodes are, if the first vector was
        turned."""
        sums = [k for k in nodes if self.program.nodes[k].op in ("add", "sub") and k not in self._turns.singles]
        for picked in product((0, 1, None), repeat=len(sums)):
            chosen = [(k, which) for k, which in zip(sums, picked, strict=True) if which is not None]
            if not chosen:
                continue
            args = {k: self.program.nodes[k].args for k, _ in chosen}
            one = self._joined(nodes - set(args), [args[k][which] for k, which in chosen])
            other = self._joined(frozenset(), [args[k][1 - which] for k, which in chosen])
            if one is None or other is None or not self._turns.is_turned(one):
                continue
            first, second = self._length(one, depth + 1), self._length(other, depth + 1)
            own = math.hypot(*(self.own[k] for k, _ in chosen))
            yield Length((first.value + second.value) * WIDER, (first.error + second.error + own) * WIDER)

    def _joined(self, nodes: frozenset[int], more: Sequence[int]) -> frozenset[int] | None:
        """Returns the set of all nodes without their signs; None if one occurs twice, or they are too many."""
        stripped = [*nodes, *(self._turns.strip(k) for k in more)]
        joined = frozenset(stripped)
        return joined if len(joined) == len(stripped) <= MOST_TOGETHER else None


def _sum(a: Interval, b: Interval, ea: float, eb: float) -> tuple[Interval, float]:
    return (_down(a[0] + b[0]), _up(a[1] + b[1])), ea + eb


def _difference(a: Interval, b: Interval, ea: float, eb: float) -> tuple[Interval, float]:
    return (_down(a[0] - b[1]), _up(a[1] - b[0])), ea + eb


def _product(a: Interval, b: Interval, ea: float, eb: float) -> tuple[Interval, float]:
    ends = [x * y for x in a for y in b]
    return (_down(min(ends)), _up(max(ends))), (ea * _largest(b) + eb * _largest(a) + ea * eb) * WIDER


def _quotient(a: Interval, b: Interval, ea: float, eb: float) -> tuple[Interval, float]:
    least = 0.0 if b[0] <= 0 <= b[1] else min(abs(b[0]), abs(b[1]))
    if least <= 2 * eb:
        raise UndefinedError("divisor-in-region", low=f"{b[0]:.3g}", high=f"{b[1]:.3g}")
    ends = [x / y for x in a for y in b]
    error = (ea + eb * max(map(abs, ends))) / (least - eb)
    return (_down(min(ends)), _up(max(ends))), error * WIDER


STEPS: dict[str, Callable[[Interval, Interval, float, float], tuple[Interval, float]]] = {
    "add": _sum,
    "sub": _difference,
    "mul": _product,
    "div": _quotient,
}


def _largest(a: Interval) -> float:
    return max(abs(a[0]), abs(a[1]))


def _down(x: float) -> float:
    return math.nextafter(x, -math.inf)


def _up(x: float) -> float:
    return math.nextafter(x, math.inf)
