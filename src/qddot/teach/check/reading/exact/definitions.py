"""Orders an answer's definitions, so that each is computed after those that it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from qddot.algebra.expressions.angles import Angle
from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.exact.turned_angles import angle_of
from qddot.teach.check.reading.syntax import Derivative, Name, Node, Reference, Tree, children, walk

MOST_DEFINITIONS = 2_000


class Definitions:
    """These are the definitions that expressions use, in the order in which they can be computed.

    trees: their trees by name; angles: their values as angles, None for those that are not angles
    derived: those that occur only in derivatives, as d_11 in ∂d_11/∂q_2
    """

    def __init__(self, nodes: Iterable[Node], define: Callable[[str], Tree]) -> None:
        nodes, by_name = list(nodes), dict[str, Tree]()
        used: dict[str, set[str]] = {}
        waiting = sorted({key for node in nodes for key in names_used(node)})
        while waiting:
            key = waiting.pop()
            if key in by_name:
                continue
            by_name[key] = define(key)
            used[key] = set(names_used(by_name[key].node))
            waiting += sorted(used[key] - set(by_name))
            if len(by_name) > MOST_DEFINITIONS:
                raise ExpressionError("definitions-too-many", most=MOST_DEFINITIONS)
        every = [*nodes, *(each.node for each in by_name.values())]
        self.derived = set(by_name) - {key for node in every for key in names_used(node, derived=False)}
        self.by_name = {key: by_name[key] for key in _ordered(by_name, used)}
        self.trees: Mapping[str, Node] = {key: each.node for key, each in self.by_name.items()}
        self.angles: dict[str, Angle | None] = {}
        for key, each in self.by_name.items():
            self.angles[key] = angle_of(each.node, self.angles)


def _ordered(by_name: Mapping[str, Tree], used: Mapping[str, set[str]]) -> list[str]:
    try:
        return list(TopologicalSorter(used).static_order())
    except CycleError as error:
        first = error.args[1][0]
        where = by_name[first].written.where(by_name[first].node.span[0])
        cycle = " → ".join(error.args[1])
        raise ExpressionError("definition-uses-itself", where=where, cycle=cycle) from None


def names_used(node: Node, *, derived: bool = True) -> Iterator[str]:
    """Yields the names in a tree that the answer defines. derived: whether to include names inside derivatives"""
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
