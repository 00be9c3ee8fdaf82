"""Finds the base pose, joint zeros and joint directions with which one arm's joints coincide with another's.

It goes link by link from the base outward and keeps a few hypotheses: how the base was displaced, which joints have
another zero or the opposite direction. A joint that has another place on its link is corrected and
noted, so that one difference does not hide the following ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import product
from math import pi

import numpy as np

from qddot.base.records import record
from qddot.inspect.comparison.held_frames import points_on, rods
from qddot.inspect.comparison.places import Array, Place, across, angle_about, feet
from qddot.inspect.comparison.zero_pose import MovingJoint, PosedBody, ZeroPose, united

EXACT, ROUNDED = 1e-8, 2e-3  # of an angle, or of a distance over the arm's length
# differences of a joint's line that may come from rounded numbers: 1.57 for π/2, four digits of a length
ROUNDED_TURN, ROUNDED_GAP = (1e-3, 1e-4)
LEAST_TURN = 2e-4  # rad; less is rounding of an angle
BEAM = 10
BASE, ZERO, REVERSED, ELSEWHERE, ROUNDING, BODY, TOOL = 1.1, 1.0, 1.0, 8.0, 0.6, 1.4, 0.3  # the cost of each difference
TILTED, LIMITS = 0.9, 0.5  # the costs of a gravity other than A's, and of limits far from A's
FAR = 0.7  # rad between the middles of two limits


@record(eq=False)
class Fit:
    """A fit says by which displacement and coordinate a joint of B and its link coincide with A's.

    shift and sign: those in q_B = sign (q_A + shift); place: the displacement of the link
    misfit: the displacement, relative to the link that carries the joint, from its line in A to its line in B; None
    where both lines agree
    """

    shift: float
    sign: int
    place: Place
    misfit: Place | None


@record(eq=False)
class Alignment:
    """An alignment has the displacement from B's base to A's, the cost of all differences, and a fit of each joint."""

    base: Place
    cost: float
    fits: Mapping[int, Fit] = field(default_factory=dict)


def aligned(a: ZeroPose, b: ZeroPose) -> Alignment:
    """Returns the cheapest alignment of B with A."""
    states = [Alignment(base, cost) for base, cost in _bases(a, b)]
    for k in a.inward_first:
        successors = [after for state in states for after in _next(a, b, k, state)]
        states = sorted(successors, key=lambda state: state.cost)[:BEAM]
    return states[0]


def _bases(a: ZeroPose, b: ZeroPose) -> Iterator[tuple[Place, float]]:
    """Yields displacements of B's base with their costs: none, by the first two lines, or by only the first axis."""
    yield Place.identity(), 0.0
    first = a.inward_first[0]
    one, other = a.nodes[first], b.nodes[first]
    others = [k for k in a.inward_first[1:] if _tells(one, a.nodes[k]) and _tells(other, b.nodes[k])]
    crossing = [k for k in others if abs(one.axis @ a.nodes[k].axis) < 0.999]
    seconds = list(dict.fromkeys([*others[:1], *crossing[:1]]))  # a parallel line determines no height
    for sign in (1, -1):
        least = Place.between(sign * other.axis, one.axis, other.point)
        shift = across(one.point - other.point, one.axis) if one.kind.is_revolute else np.zeros(3)
        least = Place(np.eye(3), shift) @ least
        places = [least]
        for second, flip in product(seconds, (1, -1)):
            x, y = a.nodes[second], b.nodes[second]
            F, G = _frame(one, x, 1, 1), _frame(other, y, sign, flip)
            full = F @ G.inverse()
            slide = (full.point(other.point) - least.point(other.point)) @ one.axis * one.axis
            places += [full, Place(np.eye(3), slide) @ least]
        for place in places:
            off = float(np.abs(place.R - np.eye(3)).max())
            if EXACT < off < LEAST_TURN:
                continue  # rounding of the first joints' angles
            turned, moved = off > EXACT, np.abs(place.p).max() > EXACT * a.length
            if turned or moved:
                tilted = np.abs(place.R @ b.gravity - a.gravity).max() > ROUNDED * max(np.abs(a.gravity).max(), 1e-9)
                yield place, BASE + 0.2 * bool(turned and moved) + TILTED * bool(tilted)


def _tells(one: MovingJoint, other: MovingJoint) -> bool:
    """Returns whether two lines determine a frame; one line, or two equal ones, do not."""
    return feet(one.axis, one.point, other.axis, other.point) is not None or bool(
        one.kind.is_revolute
        and other.kind.is_revolute
        and np.linalg.norm(across(other.point - one.point, one.axis)) > 1e-6
    )


def _frame(one: MovingJoint, other: MovingJoint, sign: int, flip: int) -> Place:
    """Returns the frame with z along one line, x along the common normal to the other, and its origin at the foot.

    For lines of sliding joints and parallel lines x is perpendicular to the first line.
    """
    z = sign * one.axis
    nearest = (
        feet(one.axis, one.point, other.axis, other.point) if one.kind.is_revolute and other.kind.is_revolute else None
    )
    if nearest is None:
        gap, foot = across(other.point - one.point, z), one.point
        x = across(other.axis, z) if np.linalg.norm(across(other.axis, z)) > 1e-3 else gap
    else:
        x, foot = np.cross(z, other.axis), nearest[0]
    x = flip * x / np.linalg.norm(x)
    return Place(np.array([x, np.cross(z, x), z]).T, foot)


def _next(a: ZeroPose, b: ZeroPose, k: int, state: Alignment) -> Iterator[Alignment]:
    """Yields the alignments that also cover joint k, one for each choice of its zero and its direction."""
    one, other = a.nodes[k], b.nodes[k]
    X = state.base if one.parent is None else state.fits[one.parent].place
    d, x = X.R @ other.axis, X.point(other.point)
    sign = 1 if d @ one.axis >= 0 else -1
    shift = across(one.point - x, one.axis) if one.kind.is_revolute else np.zeros(3)
    turn, gap = float(np.linalg.norm(sign * d - one.axis)), float(np.linalg.norm(shift)) / a.length
    cost, misfit = state.cost + REVERSED * (sign < 0), None
    if max(turn, gap) > EXACT or one.kind.is_revolute != other.kind.is_revolute or one.parent != other.parent:
        cost += ROUNDING if turn < ROUNDED_TURN and gap < ROUNDED_GAP else ELSEWHERE
        onto = Place(np.eye(3), shift) @ Place.between(sign * d, one.axis, x)
        X, misfit = onto @ X, onto.inverse()
    for amount in _amounts(a, b, k, X):
        moved = (
            Place.about(one.axis, one.point, amount) if one.kind.is_revolute else Place(np.eye(3), amount * one.axis)
        )
        place = (moved @ X) if amount else X
        extra = ZERO * bool(amount) + _unlike(a, b, k, place) + LIMITS * _far(a, b, k, sign, amount)
        yield Alignment(state.base, cost + extra, {**state.fits, k: Fit(amount, sign, place, misfit)})


def _amounts(a: ZeroPose, b: ZeroPose, k: int, X: Place) -> list[float]:
    """Returns the possible shifts of joint k's zero, from its children, its body and the tool."""
    one, amounts = a.nodes[k], [0.0]
    u = one.axis
    least = 1e-4 * a.length
    bodies = [(one.total, b.nodes[k].total), (_own(one), _own(b.nodes[k]))]
    points = [(x.c, X.point(y.c)) for x, y in bodies if x.m and y.m]
    directions = []
    for j, child in enumerate(a.nodes):
        if child.parent == k == b.nodes[j].parent:
            d, x = X.R @ b.nodes[j].axis, X.point(b.nodes[j].point)
            directions.append((child.axis, d))
            if child.kind.is_revolute:
                nearest = [feet(u, one.point, e, y) or (one.point, y) for e, y in ((child.axis, child.point), (d, x))]
                points.append((nearest[0][1], nearest[1][1]))
    if a.tool_node == k == b.tool_node:
        points.append((a.tool.p, X.point(b.tool.p)))
        directions.append((a.tool.R[:, 0], X.R @ b.tool.R[:, 0]))
    points += [(p, X.point(q)) for p, q in points_on(k, a.held, b.held)]
    if not one.kind.is_revolute:
        amounts += [float((p - q) @ u) for p, q in points]
        return [amount for n, amount in enumerate(amounts) if not n or abs(amount) > 1e-6 * a.length]
    for p, q in directions:
        angle = angle_about(u, q, p, 1e-3)
        amounts += [] if angle is None or abs(angle) < LEAST_TURN else [angle, angle - pi if angle > 0 else angle + pi]
    for p, q in points:
        angle = angle_about(u, q - one.point, p - one.point, least)
        amounts += [] if angle is None else [angle]
    amounts += [-angle for angle in amounts if abs(abs(angle) - pi) < EXACT]  # the limits decide between half turns
    distinct: list[float] = []
    for angle in amounts:
        if all(abs(angle - other) > EXACT for other in distinct) and (not angle or abs(angle) > LEAST_TURN):
            distinct.append(angle)
    return distinct


def _unlike(a: ZeroPose, b: ZeroPose, k: int, place: Place) -> float:
    """Returns the cost of differences in the body of link k, in the tool on it, or in points of it that loops hold."""
    pairs = [(a.nodes[k].total, b.nodes[k].total), (_own(a.nodes[k]), _own(b.nodes[k]))]
    cost = min((_apart(one, other, place, a.length) for one, other in pairs if one.m and other.m), default=0.0)
    points = points_on(k, a.held, b.held)
    if a.tool_node == k == b.tool_node:
        cost += TOOL * bool(np.abs(a.tool.R - place.R @ b.tool.R).max() > ROUNDED)
        points.append((a.tool.p, b.tool.p))
    return cost + sum(TOOL * bool(np.abs(p - place.point(q)).max() > ROUNDED * a.length) for p, q in points)


def _own(node: MovingJoint) -> PosedBody:
    """Returns the link's own body, without bodies that are fixed to it."""
    return united(node.parts[:1])


def _apart(one: PosedBody, other: PosedBody, place: Place, length: float) -> float:
    gap = float(np.linalg.norm(one.c - place.point(other.c))) / length
    change = np.abs(_direction(one.I) - place.R @ _direction(other.I) @ place.R.T).max()
    return BODY * (gap > ROUNDED) + 0.01 * (gap > EXACT) + TOOL * bool(change > ROUNDED)


def _far(a: ZeroPose, b: ZeroPose, k: int, sign: int, shift: float) -> bool:
    """Returns whether the middle of the joint's limits in B is far from that in A, in A's coordinate."""
    one = a.nodes[k]
    ours, theirs = a.limits[one.dof], b.limits[one.dof]
    if not ours or not theirs or not one.kind.is_revolute or one.ratio is not None:
        return False
    return abs(sum(ours) / 2 - sign * sum(theirs) / 2 + shift) > FAR


def _direction(I: Array) -> Array:
    size = float(np.abs(I).max())
    return I / size if size else I


def applied(b: ZeroPose, alignment: Alignment, gravity: Array) -> ZeroPose:
    """Returns B with its joints and links at the places of the alignment, in A's coordinates."""
    nodes = [node.moved(alignment.fits[k].place, alignment.fits[k].sign) for k, node in enumerate(b.nodes)]
    effects, limits = {name: values.copy() for name, values in b.effects.items()}, list(b.limits)
    for k, node in enumerate(b.nodes):
        if node.ratio is None:
            i, shift, sign = node.dof, alignment.fits[k].shift, alignment.fits[k].sign
            if effects["spring stiffness"][i]:
                effects["spring rest"][i] = sign * effects["spring rest"][i] - shift
            limits[i] = tuple(sorted(sign * end - shift for end in limits[i]))

    def moved(node: int | None, frame: Place) -> Place:
        return (alignment.base if node is None else alignment.fits[node].place) @ frame

    return replace(
        b,
        nodes=tuple(nodes),
        effects=effects,
        limits=tuple(limits),
        gravity=gravity,
        tool=moved(b.tool_node, b.tool),
        held=tuple(each.moved(moved) for each in b.held),
    )


def scaled(b: ZeroPose, factor: float, bodies: bool) -> ZeroPose:
    """Returns B with all lengths multiplied, those of centres of mass only if `bodies`; tensors stay."""

    def part_scaled(part: PosedBody) -> PosedBody:
        frame = part.frame.scaled(factor)
        c = part.c * factor if bodies else part.c
        return PosedBody.of(part.name, frame, part.m, c, part.I) if part.m else replace(part, frame=frame)

    nodes = [
        replace(node, point=node.point * factor, parts=tuple(part_scaled(part) for part in node.parts))
        for node in b.nodes
    ]
    held = tuple(
        replace(each.moved(lambda _, frame: frame.scaled(factor)), length=each.length and each.length * factor)
        for each in b.held
    )
    return replace(b, nodes=tuple(nodes), tool=b.tool.scaled(factor), held=held)


def length_ratios(a: ZeroPose, b: ZeroPose) -> list[float]:
    """Returns the ratio of A's lengths to B's, if most have the same one and it is not 1.

    The lengths depend neither on joints' zeros nor on bases.
    """
    lengths = [*zip(_distances(a), _distances(b), strict=True), *rods(a.held, b.held)]
    ratios = sorted(x / y for x, y in lengths if x > 1e-6 and y > 1e-6)
    if not ratios:
        return []
    middle = ratios[len(ratios) // 2]
    agreeing = sum(abs(ratio / middle - 1) < ROUNDED for ratio in ratios)
    return [middle] if abs(middle - 1) > ROUNDED and 2 * agreeing > len(ratios) else []


def _distances(arm: ZeroPose) -> list[float]:
    """Returns the distances between joints' lines, and along each line between the normals on both sides."""
    distances: list[float] = []
    for node in arm.nodes:
        above = None if node.parent is None else arm.nodes[node.parent]
        if above is None or not (node.kind.is_revolute and above.kind.is_revolute):
            distances += [0.0, 0.0]
            continue
        nearest = feet(above.axis, above.point, node.axis, node.point)
        gap = across(node.point - above.point, above.axis) if nearest is None else nearest[1] - nearest[0]
        before = None if above.parent is None else arm.nodes[above.parent]
        entry = None if before is None else feet(before.axis, before.point, above.axis, above.point)
        along = 0.0 if entry is None or nearest is None else float(np.linalg.norm(nearest[0] - entry[1]))
        distances += [float(np.linalg.norm(gap)), along]
    return distances
