"""Describes any arm by its joints' screws at q = 0; only products are needed, so that short numbers stay exact.

Space screws are given in the base frame, body screws in the tool's frame at q = 0. Source: Lynch & Park 2017, §4.1.
"""

from __future__ import annotations

from dataclasses import replace

from qddot.algebra.spatial import Pose, Vec3
from qddot.base.words.message import say
from qddot.formats.conversions.chains import Placed, placed
from qddot.formats.conversions.geometry import Constants, InexactError
from qddot.formats.conversions.merging import merged, own_notes
from qddot.formats.conversions.verify import converted
from qddot.robot.bodies import BASE, Body
from qddot.robot.joints.refused import refuse_other_kinds
from qddot.robot.model import Model

MOST_TERMS_SEEN = 6  # characters of an entry of the tool's rotation, which multiplies every joint's frame twice


def space(model: Model) -> Model:
    """Returns the arm with every joint's frame parallel to the base's at q = 0; links keep their frames."""
    return converted(merged(model), lambda whole, exact: _converted(whole, exact, in_tool=False))


def body(model: Model) -> Model:
    """Returns the arm with every joint's frame parallel to the tool's at q = 0; links keep their frames."""
    return converted(merged(model), lambda whole, exact: _converted(whole, exact, in_tool=True))


def _converted(model: Model, exact: bool, in_tool: bool) -> Model:
    refuse_other_kinds(model, say("a-table-of-screws"))
    k = Constants(model, exact)
    parts = placed(model, k)
    homes = {BASE: Pose.identity()} | {name: _orthonormal(k, part.frame) for name, part in parts.items()}
    carrier = homes[model.tool_body]
    tool = _orthonormal(k, carrier @ k.pose(model.tool))
    seen_from = tool if in_tool else Pose.identity()
    if exact and any(len(k.ring.convert(entry)) > MOST_TERMS_SEEN for row in seen_from.R for entry in row):
        raise InexactError
    bodies = tuple(_body(k, part, seen_from, homes) for part in parts.values())
    return replace(model, notes=own_notes(model), bodies=bodies, tool=k.entire(carrier.inverse() @ tool))


def _orthonormal(k: Constants, frame: Pose) -> Pose:
    return Pose(k.rotation(frame.R).map(k.of), k.tidy(frame.p))


def _body(k: Constants, part: Placed, seen_from: Pose, homes: dict[str, Pose]) -> Body:
    """Returns the body on a joint frame parallel to `seen_from`, at the point of the joint axis nearest its origin."""
    own, home = part.body.joint, homes[part.body.name]
    back = seen_from.inverse()
    axis = k.direction(k.tidy(back.R.apply(part.axis)))
    u, through = axis.map(k.of), back.apply(part.joint.p)
    nearest = u.cross(through.cross(u)) if own.kind.is_revolute else Vec3.zero()
    stands = Pose(seen_from.R, k.tidy(seen_from.apply(nearest)))
    joint = replace(
        own,
        type=own.kind.types[0],
        axis=axis,
        placement=k.entire(homes[own.parent].inverse() @ stands),
        offset=k.entire(stands.inverse() @ home),
    )
    return replace(part.body, joint=joint)
