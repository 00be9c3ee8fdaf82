"""Lists causes of differences between links: confused tensors, centres of mass and frames, each with its correction."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from qddot.algebra.spatial import SymmetricMatrix3, Vec3
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.formats.confusions.of_bodies import (
    NO_PRODUCTS,
    OTHER_AXES,
    PERMUTED,
    SIGN_OF_PRODUCTS,
    TIMES_MASS,
    Mass,
    over_mass,
)
from qddot.inspect.comparison.findings import in_a, in_b
from qddot.inspect.comparison.places import Array, Place
from qddot.inspect.comparison.zero_pose import MovingJoint, PosedBody, ZeroPose, matrix, symmetric
from qddot.robot.notes import note

CLOSE = 1e-7  # of the largest entry: closer numbers are equal


@record(eq=False)
class Link:
    """This is a link in both arms, B's aligned with A's, and the frames in which its numbers may be expressed."""

    k: int
    a: MovingJoint
    b: MovingJoint
    frames: tuple[tuple[str, Place], ...]
    size: float


@record()
class Cause:
    """A cause is a confusion that changes the numbers of a link.

    name: short and stable; text: the sentence that says how B differs
    change: a function that corrects numbers along a part's axes; it returns None where the cause does not apply
    """

    name: str
    text: str
    change: Callable[[Link, PosedBody, Array], Array | None]


def links(a: ZeroPose, b: ZeroPose) -> list[Link]:
    causes = []
    for k, (one, other) in enumerate(zip(a.nodes, b.nodes, strict=True)):
        above = Place.identity() if other.parent is None else b.nodes[other.parent].frame
        below = next((node.frame for node in b.nodes if node.parent == k), None)
        named = [("along the frame of A's link", one.frame), ("in the parent's frame", above)]
        named += [("in the next link's frame", below)] if below is not None else []
        named += [("in the base's frame", Place.identity())]
        causes.append(Link(k, one, other, tuple(named), a.length))
    return causes


def _same(link: Link, part: PosedBody, values: Array) -> Array | None:
    return values


def _in_frame(which: int) -> Callable[[Link, PosedBody, Array], Array | None]:
    """Returns a change that reads the same numbers in another frame."""

    def change(link: Link, part: PosedBody, values: Array) -> Array | None:
        if which >= len(link.frames) or part is not link.b.parts[0]:
            return None
        there = part.frame.inverse() @ link.frames[which][1]
        if values.ndim == 1:
            return there.point(values)
        return there.R @ values @ there.R.T

    return change


def _tensor(change: Callable[[SymmetricMatrix3], SymmetricMatrix3]) -> Callable[[Link, PosedBody, Array], Array]:
    """Returns a change of an array of floats, made from a change of numbers of any kind."""
    return lambda link, part, I: matrix(change(symmetric(I)))


def _centre(change: Callable[[Vec3], Vec3]) -> Callable[[Link, PosedBody, Array], Array]:
    return lambda link, part, c: np.array(tuple(change(Vec3(*c.tolist()))), dtype=float)


def _over_mass(link: Link, part: PosedBody, I: Array) -> Array | None:
    """Returns the tensor over the mass, or None where both differ by one factor, as in a body that is only heavier."""
    grown = link.b.total.m * link.a.total.I
    if np.abs(link.a.total.m * link.b.total.I - grown).max() <= CLOSE * np.abs(grown).max():
        return None
    return matrix(over_mass(Mass(part.m, Vec3.zero(), symmetric(I))).I)


def _with_products(link: Link, part: PosedBody, I: Array) -> Array | None:
    """Returns the tensor with A's products of inertia where B has none."""
    if len(link.b.parts) > 1 or np.abs(I - np.diag(np.diag(I))).max() > CLOSE * np.abs(I).max():
        return None
    R = part.frame.R
    other = R.T @ link.a.total.I @ R
    return np.diag(np.diag(I)) + other - np.diag(np.diag(other))


FRAMES = (say("frame-of-parent"), say("frame-of-next-link"), say("frame-of-base"))


def _in_frames(name: str, same: str, read: str) -> Iterator[Cause]:
    """Yields a cause for equal numbers in other frames, then one for each frame in which B's numbers are A's."""
    yield Cause(name, note(same), _in_frame(0))
    yield from (Cause(name, note(read, frame=frame), _in_frame(n)) for n, frame in enumerate(FRAMES, 1))


TENSORS = [
    Cause("", "", _same),
    *(Cause(each.name, in_b(each), _tensor(each.undone)) for each in (SIGN_OF_PRODUCTS, *PERMUTED)),
    Cause(NO_PRODUCTS.name, in_b(NO_PRODUCTS), _with_products),
    Cause(NO_PRODUCTS.name, in_a(NO_PRODUCTS), _tensor(NO_PRODUCTS.change)),
    Cause(TIMES_MASS.name, in_b(TIMES_MASS), _over_mass),
    *_in_frames("inertia in another frame", "tensor-along-other-axes", "tensor-read-along"),
]
CENTRES = [
    *_in_frames("centre of mass in another frame", "centre-in-other-frames", "centre-read-in"),
    *(Cause(each.name, in_b(each), _centre(each.undone)) for each in OTHER_AXES),
]
