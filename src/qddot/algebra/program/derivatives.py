"""Computes exact derivatives of programs, by forward or reverse accumulation over their nodes.

Source: Griewank & Walther, *Evaluating Derivatives*, 2008, ch. 3. Derivatives are nodes of the same graph,
so that they share intermediate values with the results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from qddot.algebra.program.graph import Graph, Symbolic, computed
from qddot.algebra.program.operations import OPERATIONS, Operation
from qddot.algebra.program.passes import live
from qddot.algebra.program.program import Program


def directional(results: Sequence[Any], seeds: Mapping[int, Any]) -> list[Any]:
    """Returns Σ ∂result/∂x · seed for the nodes x of `seeds` (by index), by forward accumulation."""
    tangents = _forward(results, {place: {0: seed} for place, seed in seeds.items()})
    return [tangents.get(value.index, {}).get(0, 0) if isinstance(value, Symbolic) else 0 for value in results]


def jacobian(results: Sequence[Any], by: Sequence[Any]) -> list[list[Any]]:
    """Returns ∂results/∂by by forward or reverse accumulation, whichever needs fewer nodes."""
    graph = next((value.graph for value in (*results, *by) if isinstance(value, Symbolic)), None)
    if graph is None:
        return [[0] * len(by) for _ in results]
    candidates = [accumulated(results, by) for accumulated in (_jacobian_forward, _jacobian_reverse)]
    return min(candidates, key=lambda rows: _cost(graph, rows))


def replaced(results: Sequence[Any], images: Mapping[int, Any]) -> list[Any]:
    """Returns the results computed again with some nodes replaced, by index."""
    new: dict[int, Any] = dict(images)
    for y in _dependencies(results):
        if y.index not in new:
            arguments = [new[place] for place in y.node.args]
            same = all(x.index == place for x, place in zip(arguments, y.node.args, strict=True))
            new[y.index] = y if same else computed(y.node.op, arguments)
    return [new[value.index] if isinstance(value, Symbolic) else value for value in results]


@cache
def partials(operation: Operation) -> Program:
    """Returns the program of an operation's partial derivatives, of its value y and its arguments x."""
    graph = Graph()
    (y,), x = graph.input("y"), graph.input("x", (operation.arity,))
    return graph.program("partials", {"partials": operation.partials(y, x)})


def _jacobian_forward(results: Sequence[Any], by: Sequence[Any]) -> list[list[Any]]:
    seeds: dict[int, dict[int, Any]] = {x.index: {k: 1} for k, x in enumerate(by)}
    tangents = _forward(results, seeds)
    return [
        [tangents.get(y.index, {}).get(k, 0) if isinstance(y, Symbolic) else 0 for k in range(len(by))] for y in results
    ]


def _forward(results: Sequence[Any], seeds: Mapping[int, Mapping[int, Any]]) -> dict[int, dict[int, Any]]:
    """Returns for each node that depends on the seeds its tangent in each direction."""
    tangents: dict[int, dict[int, Any]] = {place: dict(directions) for place, directions in seeds.items()}
    for y in _dependencies(results):
        if y.index in tangents:
            continue
        arguments = [Symbolic(y.graph, place) for place in y.node.args]
        if not any(x.index in tangents for x in arguments):
            continue
        total: dict[int, Any] = {}
        for x, slope in zip(arguments, OPERATIONS[y.node.op].partials(y, arguments), strict=True):
            for direction, tangent in tangents.get(x.index, {}).items():
                total[direction] = total.get(direction, 0) + slope * tangent
        tangents[y.index] = total
    return tangents


def _jacobian_reverse(results: Sequence[Any], by: Sequence[Any]) -> list[list[Any]]:
    rows = []
    for result in results:
        adjoints: dict[int, Any] = {result.index: 1} if isinstance(result, Symbolic) else {}
        for y in reversed(_dependencies([result])):
            if y.index not in adjoints:
                continue
            arguments = [Symbolic(y.graph, place) for place in y.node.args]
            if not arguments:
                continue
            for x, slope in zip(arguments, OPERATIONS[y.node.op].partials(y, arguments), strict=True):
                adjoints[x.index] = adjoints.get(x.index, 0) + slope * adjoints[y.index]
        rows.append([adjoints.get(x.index, 0) for x in by])
    return rows


def _dependencies(results: Sequence[Any]) -> list[Symbolic]:
    """Returns the nodes that the results depend on, in their order."""
    nodes = [value for value in results if isinstance(value, Symbolic)]
    if not nodes:
        return []
    graph, waiting, places = nodes[0].graph, [value.index for value in nodes], set()
    while waiting:
        place = waiting.pop()
        if place not in places:
            places.add(place)
            waiting.extend(graph.nodes[place].args)
    return [Symbolic(graph, place) for place in sorted(places)]


def _cost(graph: Graph, rows: Sequence[Sequence[Any]]) -> int:
    places = [value.index for row in rows for value in row if isinstance(value, Symbolic)]
    return len(live(graph.nodes, places)[0])
