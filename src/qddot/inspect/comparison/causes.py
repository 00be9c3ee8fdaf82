"""Lists what may be confused in the numbers of a tensor or a centre of mass; every link is tried against them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from qddot.inspect.comparison.places import Array, Place
from qddot.inspect.comparison.zero_pose import Arm, Node, Part

CLOSE = 1e-7  # of the largest entry: closer numbers are equal


@dataclass(frozen=True, eq=False)
class Link:
    """This is a link in both arms, with B's aligned to A's, and the frames that numbers may be meant in."""

    k: int
    a: Node
    b: Node
    frames: tuple[tuple[str, Place], ...]
    size: float


@dataclass(frozen=True)
class Cause:
    """A cause changes numbers in a known way.

    name: short and stable; text: what B does; change: of numbers in a part's axes, None where it does not apply
    """

    name: str
    text: str
    change: Callable[[Link, Part, Array], Array | None]


def links(a: Arm, b: Arm) -> list[Link]:
    causes = []
    for k, (one, other) in enumerate(zip(a.nodes, b.nodes, strict=True)):
        above = Place.identity() if other.parent is None else b.nodes[other.parent].frame
        below = next((node.frame for node in b.nodes if node.parent == k), None)
        named = [("along the frame of A's link", one.frame), ("in the parent's frame", above)]
        named += [("in the next link's frame", below)] if below is not None else []
        named += [("in the base's frame", Place.identity())]
        causes.append(Link(k, one, other, tuple(named), a.length))
    return causes


def _same(link: Link, part: Part, values: Array) -> Array | None:
    return values


def _in_frame(which: int) -> Callable[[Link, Part, Array], Array | None]:
    """Returns a change that takes the same numbers in another frame."""

    def change(link: Link, part: Part, values: Array) -> Array | None:
        if which >= len(link.frames) or part is not link.b.parts[0]:
            return None
        there = part.frame.inverse() @ link.frames[which][1]
        if values.ndim == 1:
            return there.point(values)
        return there.R @ values @ there.R.T

    return change


def _permuted(order: tuple[int, ...], signs: tuple[int, ...] = (1, 1, 1)) -> Callable[[Link, Part, Array], Array]:
    P = np.eye(3)[list(order)] * np.array(signs)[:, None]
    return lambda link, part, values: P @ values if values.ndim == 1 else P @ values @ P.T


def _flipped(link: Link, part: Part, I: Array) -> Array:
    return 2 * np.diag(np.diag(I)) - I


def _without_products(link: Link, part: Part, I: Array) -> Array:
    return np.diag(np.diag(I))


def _with_products(link: Link, part: Part, I: Array) -> Array | None:
    """Returns the tensor with A's products of inertia where B has none."""
    if len(link.b.parts) > 1 or np.abs(I - np.diag(np.diag(I))).max() > CLOSE * np.abs(I).max():
        return None
    R = part.frame.R
    other = R.T @ link.a.total.I @ R
    return np.diag(np.diag(I)) + other - np.diag(np.diag(other))


AXES = [order for order in permutations(range(3)) if order != (0, 1, 2)]
FRAMES = ("its parent's frame", "the next link's frame", "the base's frame")
TENSORS = [
    Cause("", "", _same),
    Cause(
        "sign of products",
        "the products of inertia about the centres of mass have the other sign in B (+∫xy dm or −∫xy dm)",
        _flipped,
    ),
    *(
        Cause(
            "permuted inertia axes",
            f"the tensor's axes are exchanged: B has xx, yy, zz where A has {', '.join('xyz'[i] * 2 for i in order)}",
            _permuted(tuple(int(i) for i in np.argsort(order))),
        )
        for order in AXES
    ),
    Cause("products missing", "B has no products of inertia", _with_products),
    Cause("products missing", "A has no products of inertia", _without_products),
    Cause("inertia in another frame", "the tensor has the same numbers in both, along other axes in B", _in_frame(0)),
    *(
        Cause("inertia in another frame", f"B has A's tensor where its numbers are meant along {name}", _in_frame(n))
        for n, name in enumerate(FRAMES, 1)
    ),
]
CENTRES = [
    Cause(
        "centre of mass in another frame",
        "the centre of mass has the same numbers in both, in link frames that stand elsewhere",
        _in_frame(0),
    ),
    *(
        Cause(
            "centre of mass in another frame",
            f"B has A's centre of mass where its numbers are meant in {name}",
            _in_frame(n),
        )
        for n, name in enumerate(FRAMES, 1)
    ),
    *(
        Cause(
            "axes of the centre of mass",
            "the centre of mass has B's (x, y, z) where A has ("
            + ", ".join(("-" if s < 0 else "") + "xyz"[i] for i, s in zip(order, signs, strict=True))
            + ")",
            _permuted(tuple(int(i) for i in np.argsort(order)), tuple(int(signs[i]) for i in np.argsort(order))),
        )
        for order in permutations(range(3))
        for signs in product((1, -1), repeat=3)
        if order != (0, 1, 2) or -1 in signs
    ),
]
