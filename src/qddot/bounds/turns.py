"""Finds where a program turns vectors by an angle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from qddot.program.program import Program

Reading = tuple[int, dict[int, tuple[str, int]]]  # the angle, and each component's function and sign
Way = tuple[int, tuple[int, ...]]  # the angle, and the components before the turn


class Turns:
    """These are the turns in a program, (x, y) → (c x − s y, s x + c y) with all signs and orders.

    pairs: for two nodes, the ways in which they are a turned vector, or (c x, s x)
    singles: for one node c x ± s y or c x, the ways in which it is a component of a turned vector
    """

    def __init__(self, program: Program) -> None:
        self._nodes = program.nodes
        readings = {place: [*self._readings(place)] for place in range(len(self._nodes))}
        self.singles: Mapping[int, list[Way]] = {
            place: [(angle, tuple(parts)) for angle, parts in each] for place, each in readings.items() if each
        }
        self.pairs: dict[frozenset[int], list[Way]] = {}
        groups: dict[tuple[int, frozenset[int]], list[tuple[int, dict[int, tuple[str, int]]]]] = {}
        for place, each in readings.items():
            for angle, parts in each:
                groups.setdefault((angle, frozenset(parts)), []).append((place, parts))
        for (angle, vector), group in groups.items():
            for (i, one), (j, other) in combinations(group, 2):
                if i != j and _are_perpendicular(one, other):
                    self.pairs.setdefault(frozenset((i, j)), []).append((angle, tuple(vector)))
        self._paired = {place for pair in self.pairs for place in pair}

    def strip(self, place: int) -> int:
        """Returns the node of which this one is the negative, or the node itself."""
        while self._nodes[place].op == "neg":
            place = self._nodes[place].args[0]
        return place

    def is_turned(self, nodes: frozenset[int]) -> bool:
        """Returns whether two of the nodes are a turned vector, or one alone is a component."""
        if any(frozenset(pair) in self.pairs for pair in combinations(nodes, 2)):
            return True
        return len(nodes) == 1 and not self.singles.keys().isdisjoint(nodes)

    def _readings(self, place: int) -> Iterator[Reading]:
        """Yields the ways to read a node as c x ± s y, or as c x."""
        node = self._nodes[place]
        for function, angle, x in self._products(place):
            yield angle, {x: (function, 1)}
        if node.op in ("add", "sub"):
            for function, angle, x in self._products(node.args[0]):
                for second, same, y in self._products(node.args[1]):
                    if angle == same and function != second and self.strip(x) != self.strip(y):
                        yield angle, {x: (function, 1), y: (second, 1 if node.op == "add" else -1)}

    def _products(self, place: int) -> Iterator[tuple[str, int, int]]:
        """Yields function, angle and other factor of a product with a sine or a cosine."""
        node = self._nodes[place]
        if node.op != "mul":
            return
        for one, other in (node.args, node.args[::-1]):
            circular = self._nodes[one]
            if circular.op in ("sin", "cos"):
                yield circular.op, circular.args[0], other


def _are_perpendicular(one: dict[int, tuple[str, int]], other: dict[int, tuple[str, int]]) -> bool:
    """Returns whether two readings of the same components exchange sine and cosine, with the signs of a turn."""
    functions = all(one[x][0] != other[x][0] for x in one)
    return functions and (len(one) == 1 or sum(one[x][1] * other[x][1] for x in one) == 0)
