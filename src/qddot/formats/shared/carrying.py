"""Hangs links on joints: each joint carries its child, or its parent where the tree only hangs together so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Carrier(NamedTuple):
    """A carrier is what carries a link: a joint, the link at its other end, and whether the ends are exchanged.

    The carried link is the joint's child, or its parent if they are exchanged.
    """

    joint: str
    link: str
    exchanged: bool = False


def carriers(
    links: Iterable[str], joints: Mapping[str, tuple[str, str]], ground: str
) -> tuple[dict[str, Carrier], list[str]]:
    """Returns by link what carries it, and the joints that close loops.

    A joint carries its child unless an earlier one does, or the child is the ground, or carries the parent. If such a
    joint is all that connects two trees, it carries that of its parent, with ends exchanged up to the root of that
    tree; but a tree on the ground, and of others that of the first link, keeps its root.

    links: in the order of the file; joints: the parent and the child of each, two different links or the ground
    """
    carried: dict[str, Carrier] = {}
    left = []
    for name, (parent, child) in joints.items():
        if child == ground or child in carried or _root(parent, carried) == child:
            left.append(name)
        else:
            carried[child] = Carrier(name, parent)
    places = {link: k for k, link in enumerate((ground, *links))}
    loops = []
    for name in left:
        parent, child = joints[name]
        of_parent, of_child = _root(parent, carried), _root(child, carried)
        if of_parent == of_child:
            loops.append(name)
        elif places[of_parent] > places[of_child]:
            _turn_round(parent, carried)
            carried[parent] = Carrier(name, child, exchanged=True)
        else:
            _turn_round(child, carried)
            carried[child] = Carrier(name, parent)
    return carried, loops


def _root(link: str, carried: Mapping[str, Carrier]) -> str:
    """Returns the link, or the ground, that carries a link directly or through others and is carried by none."""
    while link in carried:
        link = carried[link].link
    return link


def _turn_round(link: str, carried: dict[str, Carrier]) -> None:
    """Makes a link the root of its tree: the joints from it to the root carry their other ends."""
    carrier = carried.pop(link, None)
    while carrier is not None:
        above = carried.pop(carrier.link, None)
        carried[carrier.link] = Carrier(carrier.joint, link, not carrier.exchanged)
        link, carrier = carrier.link, above
