"""A pass takes the nodes and results of a program, and returns fewer or cheaper nodes."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.program.program import Node


def live(nodes: Sequence[Node], results: Sequence[int]) -> tuple[list[Node], list[int]]:
    """Returns the nodes that the results need, in their order, and the results' new places."""
    needed = set(results)
    for place in range(len(nodes) - 1, -1, -1):
        if place in needed:
            needed.update(nodes[place].args)
    new: dict[int, int] = {}
    kept: list[Node] = []
    for place, node in enumerate(nodes):
        if place in needed:
            new[place] = len(kept)
            kept.append(Node(node.op, tuple([new[argument] for argument in node.args])) if node.args else node)
    return kept, [new[place] for place in results]
