"""Draws planar linkages at random, on random bases that move, and writes them as MJCF, which MuJoCo reads too.

A linkage is a graph: its links are nodes, and its joints edges. The place of each pin in the plane is drawn, and the
lengths of the links follow, so that all loops are closed where all coordinates are zero. A random tree of joints is
kept; the other joints close loops, by one `connect` (a ball) or two (a hinge). All numbers are short decimals, so that
what is parallel is exactly so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

GROUND = 0
RING = ((0, 1), (1, 2), (2, 3), (3, 0))
GRAPHS = {
    "four-bar": RING,
    "slider-crank": RING,
    "five-bar": ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)),
    "Watt's six-bar": (*RING, (2, 4), (4, 5), (5, 3)),
    "Stephenson's six-bar": (*RING, (1, 4), (4, 5), (5, 3)),
    "six-bar with a slide": (*RING, (2, 4), (4, 5), (5, 3)),
}
BASES = {
    "a swing axis": ("hinge",),
    "two turning joints": ("hinge", "hinge"),
    "a slide": ("slide",),
    "a ball": ("ball",),
    "a free body": ("free",),
}
DIRECTIONS = ((1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5)))
TURNS = [tuple(Fraction(part, 10) for part in quat) for quat in ((10, 0, 0, 0), (8, 0, 0, 6), (6, 0, 0, -8))]
HALVES = [  # the twelve turns of a tetrahedron, which permute the axes
    *np.eye(4, dtype=int),
    *(np.array([1, x, y, z]) * Fraction(1, 2) for x in (1, -1) for y in (1, -1) for z in (1, -1)),
]
REGULAR = 0.05  # the least singular value of the conditions [m], where all coordinates are zero
Numbers = Sequence[Any]


class Body(NamedTuple):
    """parent: a body's number, or None; xyz and quat: the frame in the parent's; axis: of the joint, in the frame"""

    parent: int | None
    xyz: Numbers
    quat: Numbers
    joint: str
    axis: Numbers
    mass: Any
    com: Numbers
    inertia: Numbers  # xx, yy, zz, xy, xz, yz about the centre of mass
    damping: Any
    armature: Any


class Pin(NamedTuple):
    """Closes a loop. anchors: one point or two on the hinge's axis, in the first body's frame"""

    first: int
    second: int
    anchors: Sequence[Numbers]


class Linkage(NamedTuple):
    """mobility: of base and linkage, by the graph"""

    name: str
    bodies: Sequence[Body]
    pins: Sequence[Pin]
    gravity: Numbers
    mobility: int

    def mjcf(self) -> str:
        inside = [""] * len(self.bodies)
        for k in range(len(self.bodies) - 1, -1, -1):
            body = self.bodies[k]
            text = f'<body name="b{k}" pos="{written(body.xyz)}" quat="{written(body.quat)}">{joint(body)}'
            text += f'<inertial pos="{written(body.com)}" mass="{written([body.mass])}" '
            text += f'fullinertia="{written(body.inertia)}"/>{inside[k]}</body>'
            if body.parent is not None:
                inside[body.parent] = text + inside[body.parent]
        ends = [
            f'body1="b{pin.first}" body2="b{pin.second}" anchor="{written(at)}"'
            for pin in self.pins
            for at in pin.anchors
        ]
        equalities = "".join(f"<connect {each}/>" for each in ends)
        head = f'<mujoco><compiler angle="radian"/><option gravity="{written(self.gravity)}"/><worldbody>'
        return f"{head}{text}</worldbody><equality>{equalities}</equality></mujoco>"


def written(numbers: Numbers) -> str:
    """Decimals; all denominators divide a power of ten."""
    texts = []
    for number in numbers:
        whole = Fraction(number) * 10**12
        assert whole.denominator == 1
        texts.append(f"{int(whole) / 10**12:.12f}".rstrip("0").rstrip("."))
    return " ".join(texts)


def joint(body: Body) -> str:
    if body.joint in ("fixed", "free"):
        return "<freejoint/>" if body.joint == "free" else ""
    axis = "" if body.joint == "ball" else f'axis="{written(body.axis)}" '
    return (
        f'<joint type="{body.joint}" {axis}damping="{written([body.damping])}" armature="{written([body.armature])}"/>'
    )


def product(p: Numbers, q: Numbers) -> list[Any]:
    """That of two quaternions (w, x, y, z)."""
    w, x, y, z = p
    rows = ((w, -x, -y, -z), (x, w, -z, y), (y, z, w, -x), (z, -y, x, w))
    return [sum(a * b for a, b in zip(row, q, strict=True)) for row in rows]


def turned_back(q: Numbers, v: Numbers) -> list[Any]:
    """A vector along the axes of a frame whose quaternion is q."""
    return product(product(conjugate(q), [0, *v]), q)[1:]


def conjugate(q: Numbers) -> list[Any]:
    return [q[0], *(-part for part in q[1:])]


class Draw:
    """Draws decimals."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def decimal(self, low: float, high: float) -> Fraction:
        return Fraction(int(self.random.integers(round(1000 * low), round(1000 * high))), 1000)

    def decimals(self, count: int, size: float = 0.3) -> list[Fraction]:
        return [self.decimal(-size, size) for _ in range(count)]

    def one(self, of: Sequence[Any]) -> Any:
        return of[int(self.random.integers(len(of)))]

    def direction(self) -> list[Fraction]:
        """One of any length: MuJoCo divides by it."""
        while True:
            axis = self.decimals(3, 1)
            if sum(part * part for part in axis) > Fraction(1, 10):
                return axis

    def body(self, parent: int | None, xyz: Numbers, quat: Numbers, kind: str, axis: Numbers) -> Body:
        """A link with a random inertia: that of point masses, so that the triangle inequality holds."""
        points = [self.decimals(3, 0.2) for _ in range(4)]
        xx, yy, zz = (sum(p[i] ** 2 + p[j] ** 2 for p in points) for i, j in ((1, 2), (0, 2), (0, 1)))
        xy, xz, yz = (-sum(p[i] * p[j] for p in points) for i, j in ((0, 1), (0, 2), (1, 2)))
        inertia = [xx, yy, zz, xy, xz, yz]
        dissipation = self.decimal(0, 0.5), self.decimal(0, 0.2)
        return Body(parent, xyz, quat, kind, axis, self.decimal(0.2, 3), self.decimals(3), inertia, *dissipation)


def drawn(kind: str, base: str, seed: int) -> Linkage:
    """A linkage of a kind on a base: links, pins and what carries them at random."""
    draw = Draw(seed)
    bodies: list[Body] = []
    for each in BASES[base]:
        quat = draw.decimals(4, 1)
        bodies.append(draw.body(len(bodies) - 1 if bodies else None, draw.decimals(3), quat, each, draw.direction()))
    bodies.append(draw.body(len(bodies) - 1, draw.decimals(3), draw.decimals(4, 1), "fixed", ()))
    names = draw.random.permutation(1 + max(map(max, GRAPHS[kind]))).tolist()
    edges = [(names[a], names[b]) for a, b in map(draw.random.permutation, GRAPHS[kind])]
    slides = {int(draw.random.integers(len(edges))): draw.one(DIRECTIONS)} if "slide" in kind else {}
    while True:
        places = [draw.decimals(2, 0.8) for _ in edges]
        if least_singular_value(edges, places, slides) > REGULAR:
            break
    tree = spanned(edges, slides, draw)
    pins = linked(bodies, edges, places, slides, tree, draw)
    freedoms = {"ball": 3, "free": 6}
    mobility = sum(freedoms.get(each, 1) for each in BASES[base]) + (2 if kind == "five-bar" else 1)
    gravity = [*draw.decimals(2, 4), Fraction(-9)]
    return Linkage(f"{kind} on {base}", bodies, pins, gravity, mobility)


def spanned(edges: Sequence[tuple[int, int]], slides: Any, draw: Draw) -> list[tuple[int, int, int]]:
    """A random tree of joints: (edge, link, link that it carries), from the ground on. It has all slides."""
    order = sorted(draw.random.permutation(len(edges)), key=lambda edge: edge not in slides)
    group, kept = list(range(1 + max(map(max, edges)))), []
    for edge in order:
        a, b = (group[link] for link in edges[edge])
        if a != b:
            kept.append(int(edge))
            group = [a if each == b else each for each in group]
    reached, tree = {GROUND}, []
    while kept:
        for edge in kept:
            first, second = edges[edge]
            if (first in reached) != (second in reached):
                carrier, carried = (first, second) if first in reached else (second, first)
                tree.append((edge, carrier, carried))
                reached.add(carried)
                kept.remove(edge)
                break
    return tree


def linked(
    bodies: list[Body], edges: Any, places: Any, slides: Any, tree: Sequence[tuple[int, int, int]], draw: Draw
) -> list[Pin]:
    """Adds the links of a linkage to the bodies, whose last one is its ground; returns the pins of the loops."""
    number, frame = {GROUND: len(bodies) - 1}, {GROUND: ([0, 0, 0], [1, 0, 0, 0])}
    for edge, carrier, carried in tree:
        at = [*places[edge], draw.decimal(-0.2, 0.2)]
        turn = product(draw.one(TURNS), draw.one(HALVES))
        normal = [*slides[edge], 0] if edge in slides else [0, 0, draw.one((1, -1))]
        origin, before = frame[carrier]
        xyz = turned_back(before, [a - b for a, b in zip(at, origin, strict=True)])
        kind, axis = "slide" if edge in slides else "hinge", turned_back(turn, normal)
        bodies.append(draw.body(number[carrier], xyz, product(conjugate(before), turn), kind, axis))
        number[carried], frame[carried] = len(bodies) - 1, (at, turn)
    pins, in_tree = [], {edge for edge, _, _ in tree}
    for edge, (first, second) in enumerate(edges):
        if edge not in in_tree:
            heights = [draw.decimal(-0.2, 0), draw.decimal(0.05, 0.2)][: draw.one((1, 2))]
            origin, turn = frame[first]
            points = [[a - b for a, b in zip([*places[edge], height], origin, strict=True)] for height in heights]
            pins.append(Pin(number[first], number[second], [turned_back(turn, point) for point in points]))
    return pins


def least_singular_value(edges: Sequence[tuple[int, int]], places: Any, slides: Any) -> float:
    """Of the conditions that the relative velocities in the joints add up to zero round each loop."""
    twists = [(0, *slides[k]) if k in slides else (1, y, -x) for k, (x, y) in enumerate(places)]
    ends = np.zeros((len(edges), 1 + max(map(max, edges))))
    for k, (a, b) in enumerate(edges):
        ends[k, a], ends[k, b] = -1, 1
    left, sizes, _ = np.linalg.svd(ends)
    loops = left[:, (sizes > 1e-9).sum() :].T
    conditions = np.einsum("lk,ks->lsk", loops, np.array(twists, dtype=float)).reshape(-1, len(edges))
    return float(np.linalg.svd(conditions, compute_uv=False).min())


def random_linkages(count: int, start: int = 0) -> Iterator[Linkage]:
    """All kinds on all bases in turn."""
    for seed in range(start, start + count):
        kinds, bases = list(GRAPHS), list(BASES)
        yield drawn(kinds[seed % len(kinds)], bases[seed // len(kinds) % len(bases)], seed)
