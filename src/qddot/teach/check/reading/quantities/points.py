"""Compares intermediate positions and velocities of links and of the tip with the exact ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import QddotError
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.exact.comparing import are_equal
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.letters import LETTERS, candidates

TIP = r"[prxyzP]?(?:tip|tool|ee|EE|TCP|tcp|hand|endeffector|effector)\d*|tippos|position|pos"
POSITION = re.compile(
    r"(?:h|x|y|z|p|px|py|pz|xe|ye|ze|xc|yc|zc|xp|yp|zp|xm|ym|zm|xcart|r|rc|pc|pe|X|Y|o|oe|re|P)\d*|"
    rf"[prxyzP](?:P|E|T|A|B)\d*|{TIP}"
)
RATE_OR_INVERSE = re.compile(r"^(?:d|dot)|\d*(?:dot|d|inv)$")  # dM, M22dot
OF_TIP = re.compile(TIP)
AXIS = re.compile(r"([xyz])([A-Za-z]*\d*)")
ALONG = re.compile(r"v[xyz][A-Za-z]?\d?")
PLACE = re.compile(r"(\D+)([123])")
SPEED = re.compile(r"(?:v|vc|V|vC|vG|vp|vm)[a-z]?\d*")
SPIN = re.compile(r"(?:omega|Omega|w|om)[a-z]?\d*(?:hoch)?\d*")
Quotient = Sequence[Polynomial]


class PointMatch(NamedTuple):
    """This is a claim that agrees with exact coordinates, which are entries of a quantity, or with a speed.

    sentence: how it is read; quantity, places: those of the entries
    """

    sentence: str
    quantity: str = ""
    places: tuple[tuple[int, ...], ...] = ()


def agrees_with(left: Left, values: Sequence[Quotient], eq: Quantities, ring: Ring) -> PointMatch | None:
    """Returns the exact coordinates or the speed that values agree with, or None."""
    if any(value[1] != 1 for value in values):
        return None
    if left.squared and len(values) == 1:
        squares = _squared_speeds if SPEED.fullmatch(left.key) else _squared_distances
        same = (what for what, square in squares(eq, ring) if not values[0][0] - square)
        return next((PointMatch(f"{left.text} is read as the square of {what}") for what in same), None)
    if len(values) in (2, 3) and (what := _velocity([value[0] for value in values], eq, ring)):
        return PointMatch(f"{left.text} is read as the velocity of {what}")
    if SPIN.fullmatch(left.key) and (name := _spin([value[0] for value in values], eq, ring)):
        return PointMatch(f"{left.text} is read as the angular velocity of {name}")
    if ALONG.fullmatch(left.key) and len(values) == 1 and (what := point_at_speed(left, values[0][0], eq, ring)[0]):
        return PointMatch(f"{left.text} is read as {what}")
    if left.key.startswith("p") and len(values) == 1 and (name := _momentum(values[0][0], eq, ring)):
        return PointMatch(f"{left.text} is read as the momentum of {name}")
    if not POSITION.fullmatch(left.key):
        return None
    for what, quantity, coordinates in _positions(eq, ring):
        same_places = [_place_of(value[0], _on_axis(left, coordinates)) for value in values]
        places = tuple(place for place in same_places if place is not None)
        if len(places) == len(values) and list(places) == sorted(set(places)):
            return PointMatch(f"{left.text} is read as a position of {what}", quantity, places)
    return _in_part(left, values, eq, ring)


def _spin(values: Sequence[Polynomial], eq: Quantities, ring: Ring) -> str:
    """Returns the link whose angular velocity, along the base's axes or its own, has these values.

    One value is its component along any axis; the axes of the link may have other names and directions.
    """
    exact, rates = eq.in_joint_angles, [ring.rate(name) for name in eq.velocities]
    jacobians, poses = exact.array("J_c"), exact.array("T")
    for k, body in enumerate(eq.model.bodies):
        base = [
            sum((ring.convert(jacobians[k, i, j].entries[0]) * rate for j, rate in enumerate(rates)), ring.zero)
            for i in range(3, 6)
        ]
        own = [sum((ring.convert(poses[k, i, j].entries[0]) * base[i] for i in range(3)), ring.zero) for j in range(3)]
        if len(values) == 1 and any(entry and not values[0] - entry for entry in (*base, *own)):
            return body.name
        if len(values) == 3 and (are_equal(values, base) or _same_axes(values, own)):
            return body.name
    return ""


def _velocity(values: Sequence[Polynomial], eq: Quantities, ring: Ring) -> str:
    """Returns the point whose velocity has these components; components that are zero may be left out."""
    for what, _, position in (
        _positions(eq, ring) if all(any(g.kind == "qd" for g in v.generators()) for v in values if v) else ()
    ):
        rates = [ring.convert(ring.time_derivative(coordinate)) for _, coordinate in position]
        rates = rates if len(values) == len(rates) else [rate for rate in rates if rate]
        if any(rates) and are_equal(values, rates):
            return what
    return ""


def by_length(left: Left, values: Sequence[Quotient], eq: Quantities, ring: Ring) -> PointMatch | None:
    """Returns the velocity that is as long as a vector along axes that turn with the arm, such as e_r."""
    if not SPEED.fullmatch(left.key) or any(value[1] != 1 for value in values):
        return None
    square = sum((value[0] * value[0] for value in values), ring.zero)
    same = (what for what, other in _squared_speeds(eq, ring) if other and not square - other)
    return next((PointMatch(f"{left.text} is read as a velocity with the length of {what}") for what in same), None)


def _same_axes(values: Sequence[Polynomial], own: Sequence[Polynomial]) -> bool:
    """Returns whether two vectors have the same components up to the order and the directions of the axes."""
    return any(
        all(not value - own[k] or not value + own[k] for value, k in zip(values, order, strict=True))
        for order in permutations(range(3))
    )


def _momentum(value: Polynomial, eq: Quantities, ring: Ring) -> str:
    """Returns the joint whose momentum, a row of M times the rates, is this value, or ""."""
    M, names = eq.in_joint_angles.M, eq.velocities
    for k, name in enumerate(names):
        row = sum((ring.convert(M[k, j].entries[0]) * ring.rate(other) for j, other in enumerate(names)), ring.zero)
        if row and not value - row:
            return name
    return ""


def _in_part(left: Left, values: Sequence[Quotient], eq: Quantities, ring: Ring) -> PointMatch | None:
    """Returns the position that shares at least one coordinate with a column of two or three values, or None."""
    if len(values) not in (2, 3):
        return None
    for what, quantity, coordinates in _positions(eq, ring):
        own = [(place, entry) for place, entry in coordinates if entry] if len(values) == 2 else coordinates
        pairs = list(zip(values, own, strict=False))
        if len(own) == len(values) and any(entry and not value[0] - entry for value, (_, entry) in pairs):
            return PointMatch(
                f"{left.text} is read as the position of {what}", quantity, tuple(place for place, _ in own)
            )
    return None


def beside(left: Left, points: Mapping[str, PointMatch]) -> PointMatch | None:
    """Returns what y means if x is known to be a coordinate of a point: the coordinate of the same point along y."""
    match = AXIS.fullmatch(left.key)
    for axis in "xyz" if match else "":
        point = points.get(f"{axis}{match[2]}") if match else None
        place = point.places[0] if point and len(point.places) == 1 else ()
        index = "xyz".index(axis)
        if point and match and index in place:
            k = place.index(index)
            other = (*place[:k], "xyz".index(match[1]), *place[k + 1 :])
            return PointMatch(point.sentence.replace(axis, match[1], 1), point.quantity, (other,))
    return _in_column(left, points)


def _in_column(left: Left, points: Mapping[str, PointMatch]) -> PointMatch | None:
    """Returns the coordinate that tip3 means if tip1 is known to be the first one of a point."""
    match = PLACE.fullmatch(left.key)
    for k in range(3) if match else ():
        point = points.get(f"{match[1]}{k + 1}") if match else None
        place = point.places[0] if point and len(point.places) == 1 else ()
        axis = 1 if point and point.quantity == "p_c" else len(place) - 2
        if point and match and place and place[axis] == k:
            other = (*place[:axis], int(match[2]) - 1, *place[axis + 1 :])
            return PointMatch(point.sentence.replace(f"{match[1]}{k + 1}", left.text), point.quantity, (other,))
    return None


def point_at_speed(left: Left, value: Polynomial, eq: Quantities, ring: Ring) -> tuple[str, bool]:
    """Returns the point whose velocity along the axis of a name has this value, or "", and whether it is the tool."""
    axis = re.match(r"[prvx-z]?([xyz])", left.key)
    if axis is None:
        jacobian, rates = eq.in_joint_angles.J_tool, [ring.rate(name) for name in eq.velocities]
        for i in range(3, 6):
            turning = sum((ring.convert(jacobian[i, j].entries[0]) * rate for j, rate in enumerate(rates)), ring.zero)
            if turning and not value - turning:
                return "an angular velocity of the tool", False
        return "", False
    for what, _, position in _positions(eq, ring):
        own = position["xyz".index(axis[1])][1]
        coordinates = [own] if own else [coordinate for _, coordinate in position]  # y of an arm in the plane x, z
        if any(not value - ring.convert(ring.time_derivative(coordinate)) for coordinate in coordinates):
            return f"a velocity of {what}", bool(own) and what == "the tool"
    return "", False


def is_about_quantity(left: Left) -> bool:
    """Returns whether a name may be that of a quantity or the tip, or contain one, as M22dot does; d_1 may not."""
    is_letter = any(LETTERS.get(head) for head in (left.head, RATE_OR_INVERSE.sub("", left.head)))
    is_name = is_letter or OF_TIP.fullmatch(left.key) is not None
    return is_name and (bool(candidates(left)) or not left.indices)


def is_position(left: Left) -> bool:
    """Returns whether a name may be that of a position; r and r_1 are those of distances, too."""
    return POSITION.fullmatch(left.key) is not None and re.fullmatch(r"rc?\d*", left.key) is None


def axis_of_tool(left: Left) -> int | None:
    """Returns the axis of a name for a coordinate of the tool: p_x, y_e, x_tip, tip3."""
    match = re.fullmatch(r"(?:p|P|tip|tool)([xyz123])|([xyz])(?:e|ee|E|tip|tool|end|tcp|TCP)", left.key)
    return "xyz123".index(match[1] or match[2]) % 3 if match else None


def row_of_jacobian(left: Left) -> int | None:
    """Returns the row of the tool's Jacobian for the rate of a name: x, y, z, x_e, y_tip."""
    match = re.fullmatch(r"[pr]?([xyz])(?:e|ee|E|tip|tool|T|P)?", left.key)
    return "xyz".index(match[1]) if match else None


Coordinates = list[tuple[tuple[int, ...], Polynomial]]


def _on_axis(left: Left, coordinates: Coordinates) -> Coordinates:
    """Returns the coordinate along the axis of a name such as y1, or all coordinates if that one is always zero."""
    axis = AXIS.fullmatch(left.key)
    own = [coordinates["xyz".index(axis[1])]] if axis else []
    return own if own and own[0][1] else coordinates


def _place_of(value: Polynomial, coordinates: Coordinates) -> tuple[int, ...] | None:
    return next((place for place, entry in coordinates if not value - entry), None)


def _squared_speeds(eq: Quantities, ring: Ring) -> Iterator[tuple[str, Polynomial]]:
    """Yields the squared speeds of all centres of mass, frames, and of the tool."""
    for what, _, position in _positions(eq, ring):
        rates = [ring.convert(ring.time_derivative(coordinate)) for _, coordinate in position]
        square = ring.convert(rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2])
        yield f"the speed of {what}", square


def _squared_distances(eq: Quantities, ring: Ring) -> Iterator[tuple[str, Polynomial]]:
    """Yields the squared distances of all centres of mass, frames, and of the tool, from the base."""
    for what, _, position in _positions(eq, ring):
        yield f"the distance of {what} from the base", sum((x * x for _, x in position), ring.zero)


def _positions(eq: Quantities, ring: Ring) -> Iterator[tuple[str, str, Coordinates]]:
    """Yields the coordinates of the tool, of all centres of mass and of the origins of frames, with their places."""
    exact = eq.in_joint_angles
    kinds: list[tuple[str, str, list[tuple[int, ...]]]] = [("the tool", "T_tool", [(i, 3) for i in range(3)])]
    for k, body in enumerate(eq.model.bodies):
        kinds.append((f"the centre of mass of {body.name}", "p_c", [(k, i) for i in range(3)]))
        kinds.append((f"the frame of {body.name}", "T", [(k, i, 3) for i in range(3)]))
    for what, quantity, places in kinds:
        try:
            array = exact.array(quantity)
            coordinates = [(place, ring.convert(array[place].entries[0])) for place in places]
        except QddotError:  # a centre of mass with symbols that the equations lack
            continue
        yield what, quantity, coordinates
