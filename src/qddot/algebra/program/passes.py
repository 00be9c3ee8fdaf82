"""Defines passes, which take the nodes and results of a program and return fewer or cheaper nodes."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.program.program import Node, operation


def live(nodes: Sequence[Node], results: Sequence[int]) -> tuple[list[Node], list[int]]:
    """Returns the nodes that the results need, in their order, and the results' new places."""
    is_live = bytearray(len(nodes))
    for result in results:
        is_live[result] = True
    for place in range(len(nodes) - 1, -1, -1):
        if is_live[place]:
            for argument in nodes[place].args:
                is_live[argument] = True
    new = [0] * len(nodes)
    nodes_left: list[Node] = []
    for place, node in enumerate(nodes):
        if is_live[place]:
            new[place] = len(nodes_left)
            nodes_left.append(
                operation(node.op, tuple([new[argument] for argument in node.args])) if node.args else node
            )
    return nodes_left, [new[place] for place in results]
