"""Finds where a program turns vectors by an angle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from qddot.algebra.program.program import Program
from qddot.proof.bounds.expansions import Component, Expansions, Reading


class ReducedReading(NamedTuple):
    """This is a `Reading` reduced to its parts' nodes, which are the same for both components of a turned vector."""

    angle: int
    before: tuple[int, ...]
    added: tuple[int, ...] = ()
    factor: int = 0
    scale: int = 0


class Turns:
    """These are the turns in a program, (x, y) → (c x − s y, s x + c y) with all signs and orders.

    pairs: for two nodes, the ways in which they are a turned vector, or (c x, s x)
    singles: for one node c x ± s y or c x, the ways in which it is a component of a turned vector
    sums: for other nodes, the same after their products are multiplied out
    """

    def __init__(self, program: Program) -> None:
        self._nodes = program.nodes
        readings = {place: [*self._readings(place)] for place in range(len(self._nodes))}
        longest = {place: max(each, key=lambda reading: len(reading.parts)) for place, each in readings.items() if each}
        self.expansions = Expansions(self._nodes, longest)
        sums = [place for place, node in enumerate(self._nodes) if node.op in ("add", "sub") and place not in longest]
        expanded = {place: [*self.expansions.readings(place)] for place in sums}
        self.singles = _ways(readings)
        self.sums = _ways(expanded)
        self.pairs: dict[frozenset[int], list[ReducedReading]] = {}
        groups: dict[ReducedReading, list[tuple[int, Reading]]] = {}
        for place, reading in ((place, one) for place, each in [*readings.items(), *expanded.items()] for one in each):
            groups.setdefault(_way(reading), []).append((place, reading))
        for way, group in groups.items():
            for (i, one), (j, other) in combinations(group, 2):
                if i != j and all(map(_are_perpendicular, (one.parts, one.added), (other.parts, other.added))):
                    self.pairs.setdefault(frozenset((i, j)), []).append(way)

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
            yield Reading(angle, (Component(x, function, 1),))
        if node.op in ("add", "sub"):
            for function, angle, x in self._products(node.args[0]):
                for second, same, y in self._products(node.args[1]):
                    if angle == same and function != second and self.strip(x) != self.strip(y):
                        sign = 1 if node.op == "add" else -1
                        yield Reading(angle, (Component(x, function, 1), Component(y, second, sign)))

    def _products(self, place: int) -> Iterator[tuple[str, int, int]]:
        """Yields function, angle and other factor of a product with a sine or a cosine."""
        node = self._nodes[place]
        if node.op != "mul":
            return
        for one, other in (node.args, node.args[::-1]):
            circular = self._nodes[one]
            if circular.op in ("sin", "cos"):
                yield circular.op, circular.args[0], other


def _way(reading: Reading) -> ReducedReading:
    parts, added = (tuple(sorted(part.node for part in each)) for each in (reading.parts, reading.added))
    return ReducedReading(reading.angle, parts, added, reading.factor, reading.scale)


def _ways(readings: Mapping[int, Sequence[Reading]]) -> Mapping[int, list[ReducedReading]]:
    return {place: [_way(reading) for reading in each] for place, each in readings.items() if each}


def _are_perpendicular(one: tuple[Component, ...], other: tuple[Component, ...]) -> bool:
    """Returns whether two readings of the same components exchange sine and cosine, with the signs of a turn."""
    pairs = list(zip(sorted(one), sorted(other), strict=True))
    functions = all(a.function != b.function for a, b in pairs)
    return functions and (len(pairs) < 2 or sum(a.sign * b.sign for a, b in pairs) == 0)
