"""Orders the names that an answer defines, so that each is computed after those that it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from qddot.check.reading.syntax import Derivative, Name, Node, Reference, children, walk
from qddot.check.reading.turned_angles import angle_of
from qddot.check.reading.written import Written
from qddot.errors import ExpressionError
from qddot.expressions.angles import Angle

MOST_DEFINITIONS = 2_000


class Definition(NamedTuple):
    node: Node
    written: Written


class Definitions:
    """These are the definitions that expressions use, in the order in which they can be computed.

    trees: their trees by name; angles: what they are as angles, None for those that are none
    derived: those that are only differentiated, as d_11 in ∂d_11/∂q_2
    """

    def __init__(self, nodes: Iterable[Node], define: Callable[[str], Definition]) -> None:
        nodes, found = list(nodes), dict[str, Definition]()
        used: dict[str, set[str]] = {}
        waiting = sorted({key for node in nodes for key in names_used(node)})
        while waiting:
            key = waiting.pop()
            if key in found:
                continue
            found[key] = define(key)
            used[key] = set(names_used(found[key].node))
            waiting += sorted(used[key] - set(found))
            if len(found) > MOST_DEFINITIONS:
                raise ExpressionError("too many definitions", expected=f"at most {MOST_DEFINITIONS}")
        every = [*nodes, *(each.node for each in found.values())]
        self.derived = set(found) - {key for node in every for key in names_used(node, derived=False)}
        self.found = {key: found[key] for key in _ordered(found, used)}
        self.trees: Mapping[str, Node] = {key: each.node for key, each in self.found.items()}
        self.angles: dict[str, Angle | None] = {}
        for key, each in self.found.items():
            self.angles[key] = angle_of(each.node, self.angles)


def _ordered(found: Mapping[str, Definition], used: Mapping[str, set[str]]) -> list[str]:
    try:
        return list(TopologicalSorter(used).static_order())
    except CycleError as error:
        first = error.args[1][0]
        where = found[first].written.where(found[first].node.span[0])
        told = " uses ".join(error.args[1])
        raise ExpressionError(
            f"a definition uses itself: {told}", where=where, expected="definitions in order"
        ) from None


def names_used(node: Node, *, derived: bool = True) -> Iterator[str]:
    """Yields the names in a tree that the answer defines itself; derived: those, too, of which it has derivatives."""
    for tree in walk(node):
        if isinstance(tree, Derivative) and not derived and isinstance(tree.of, Name | Reference):
            continue
        for each in children(tree):
            yield from _own(each)
    yield from _own(node)


def _own(tree: Node) -> Iterator[str]:
    if isinstance(tree, Reference):
        yield tree.key
    elif isinstance(tree, Name) and tree.meaning.kind.startswith("own"):
        yield tree.meaning.name
