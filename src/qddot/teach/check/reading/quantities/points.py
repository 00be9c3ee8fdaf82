"""Compares positions of links and of the tip with the exact ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import ExpressionError, QddotError
from qddot.base.words.message import Message, say
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.letters import LETTERS, candidates

TIP = r"[prxyzP]?(?:tip|tool|ee|EE|TCP|tcp|hand|endeffector|effector)\d*|tippos|position|pos"
POSITION = re.compile(
    r"(?:h|x|y|z|p|px|py|pz|xe|ye|ze|xc|yc|zc|xp|yp|zp|xm|ym|zm|xcart|r|rc|pc|pe|X|Y|o|oe|re|P)\d*|"
    rf"[prxyzP](?:P|E|T|A|B)\d*|{TIP}"
)
RATE_OR_INVERSE = re.compile(r"^(?:d|dot)|\d*(?:dot|d|inv)$")  # dM, M22dot
OF_TIP = re.compile(TIP)
AXIS = re.compile(r"(?P<axis>[xyz])[A-Za-z]*\d*")
PLACE = re.compile(r"\D+(?P<axis>[123])")
Quotient = Sequence[Polynomial]


class PointMatch(NamedTuple):
    """This is a claim that agrees with exact coordinates, which are entries of a quantity.

    what: the point; quantity, places: those of the entries
    """

    what: Message
    quantity: str
    places: tuple[tuple[int, ...], ...]

    @property
    def axis(self) -> int | None:
        """Returns the axis of the base along which it is the only coordinate, or None."""
        place = self.places[0] if len(self.places) == 1 else ()
        return place[len(place) - 1 if self.quantity == "p_c" else len(place) - 2] if place else None


class Points:
    """This holds together the coordinates of one point, x and y or tip1 and tip2, and their rates, by their names."""

    def __init__(self) -> None:
        self._possible: dict[tuple[str, str], set[Message]] = {}

    def add(self, kind: str, left: Left, points: Collection[Message], where: str) -> set[Message]:
        """Returns those of the possible points of a coordinate, or of its rate, that the others beside it allow.

        raises ExpressionError: it belongs to another point than they
        """
        match = AXIS.fullmatch(left.key) or PLACE.fullmatch(left.key)
        if match is None or not points:
            return set(points)
        start, end = match.span("axis")
        beside = f"{left.key[:start]}[{'xyz' if match['axis'] in 'xyz' else '123'}]{left.key[end:]}"
        allowed = self._possible.get((kind, beside), set(points)) & set(points)
        if not allowed:
            raise ExpressionError("other-point-coordinates", where=where, name=left.text)
        self._possible[kind, beside] = allowed
        return allowed


def agreeing(left: Left, values: Sequence[Quotient], eq: Quantities, ring: Ring) -> list[PointMatch]:
    """Returns the exact coordinates of all points that values agree with."""
    if any(value[1] != 1 for value in values) or not POSITION.fullmatch(left.key):
        return []
    matches = []
    for what, quantity, coordinates in positions(eq, ring):
        same_places = [_place_of(value[0], _on_axis(left, coordinates)) for value in values]
        places = tuple(place for place in same_places if place is not None)
        if len(places) == len(values) and list(places) == sorted(set(places)):
            matches.append(PointMatch(what, quantity, places))
    part = None if matches else _in_part(left, values, eq, ring)
    return [part] if part else matches


def _in_part(left: Left, values: Sequence[Quotient], eq: Quantities, ring: Ring) -> PointMatch | None:
    """Returns the position that shares at least one coordinate with a column of two or three values, or None."""
    if len(values) not in (2, 3):
        return None
    for what, quantity, coordinates in positions(eq, ring):
        own = [(place, entry) for place, entry in coordinates if entry] if len(values) == 2 else coordinates
        pairs = list(zip(values, own, strict=False))
        if len(own) == len(values) and any(entry and not value[0] - entry for value, (_, entry) in pairs):
            return PointMatch(what, quantity, tuple(place for place, _ in own))
    return None


def beside(left: Left, points: Mapping[str, PointMatch]) -> PointMatch | None:
    """Returns what y or tip3 means if x or tip1 is known to be a coordinate of a point: one of the same point."""
    for name, axes in ((AXIS, "xyz"), (PLACE, "123")):
        match = name.fullmatch(left.key)
        start, end = match.span("axis") if match else (0, 0)
        for k, axis in enumerate(axes if match else ""):
            point = points.get(left.key[:start] + axis + left.key[end:])
            place = point.places[0] if point and len(point.places) == 1 else ()
            at = len(place) - 1 if point and point.quantity == "p_c" else len(place) - 2
            if point and place and place[at] == k:
                other = (*place[:at], axes.index(left.key[start:end]), *place[at + 1 :])
                return point._replace(places=(other,))
    return None


def is_about_quantity(left: Left) -> bool:
    """Returns whether a name may be that of a quantity or the tip, or contain one, as M22dot does; d_1 may not."""
    is_letter = any(LETTERS.get(head) for head in (left.head, RATE_OR_INVERSE.sub("", left.head)))
    is_name = is_letter or OF_TIP.fullmatch(left.key) is not None
    return is_name and (bool(candidates(left)) or not left.indices)


def is_position(left: Left) -> bool:
    """Returns whether a name may be that of a position; r and r_1 are those of distances, too."""
    return POSITION.fullmatch(left.key) is not None and re.fullmatch(r"rc?\d*", left.key) is None


def axis_of(left: Left) -> int | None:
    """Returns the axis of a name for a coordinate of any point: y1, tip3."""
    match = AXIS.fullmatch(left.key) or PLACE.fullmatch(left.key)
    return "xyz123".index(match["axis"]) % 3 if match else None


def points_at_speed(left: Left, value: Polynomial, eq: Quantities, ring: Ring) -> list[Message]:
    """Returns the points whose velocities along the axis of a name have this value."""
    axis = AXIS.fullmatch(left.key)
    return [
        what
        for what, _, coordinates in (positions(eq, ring) if axis else ())
        if any(
            not value - ring.convert(ring.time_derivative(coordinate)) for _, coordinate in _on_axis(left, coordinates)
        )
    ]


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
    own = [coordinates["xyz".index(axis["axis"])]] if axis else []
    return own if own and own[0][1] else coordinates


def _place_of(value: Polynomial, coordinates: Coordinates) -> tuple[int, ...] | None:
    return next((place for place, entry in coordinates if not value - entry), None)


def positions(eq: Quantities, ring: Ring) -> Iterator[tuple[Message, str, Coordinates]]:
    """Yields the coordinates of the tool, of all centres of mass and of the origins of frames, with their places."""
    exact = eq.in_joint_angles
    kinds = list[tuple[Message, str, list[tuple[int, ...]]]]()
    kinds.append((say("point-tool"), "T_tool", [(i, 3) for i in range(3)]))
    for k, body in enumerate(eq.model.bodies):
        kinds.append((say("point-centre-of-mass", link=body.name), "p_c", [(k, i) for i in range(3)]))
        kinds.append((say("point-frame", link=body.name), "T", [(k, i, 3) for i in range(3)]))
    for what, quantity, places in kinds:
        try:
            array = exact.array(quantity)
            coordinates = [(place, ring.convert(array[place].entries[0])) for place in places]
        except QddotError:  # a centre of mass with symbols that the equations lack
            continue
        yield what, quantity, coordinates
