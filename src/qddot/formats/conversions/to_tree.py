"""Converts any arm to a tree whose links' frames are at their joints, as in URDF."""

from __future__ import annotations

from dataclasses import replace

from qddot.algebra.spatial import Pose
from qddot.base.words.message import say
from qddot.formats.conversions.geometry import Constants
from qddot.formats.conversions.merging import own_notes
from qddot.formats.conversions.verify import converted
from qddot.robot.bodies import BASE
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model


def tree(model: Model) -> Model:
    """Returns the arm with every link's frame at its joint; inertias, children and the tool refer to these frames."""
    return converted(model, _converted)


def _converted(model: Model, exact: bool) -> Model:
    refuse_several(model, say("a-table-of-links"))
    k = Constants(model, exact)
    offsets = {BASE: Pose.identity()} | {body.name: k.pose(body.joint.offset) for body in model.bodies}
    bodies = []
    for body in model.bodies:
        placement = offsets[body.joint.parent] @ k.pose(body.joint.placement)
        joint = replace(body.joint, placement=k.standing(placement), offset=Pose.identity())
        inertia, com = k.inertia(body.inertia, body.com, offsets[body.name])
        shapes = body.shapes and body.shapes.placed(body.joint.offset)
        bodies.append(replace(body, joint=joint, inertia=inertia, com=com, shapes=shapes))
    tool = k.standing(offsets[model.tool_body] @ k.pose(model.tool))
    return replace(model, notes=own_notes(model), bodies=tuple(bodies), tool=tool)
