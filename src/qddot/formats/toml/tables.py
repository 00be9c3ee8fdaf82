"""Writes the placements of a model's links in each convention of the robot file."""

from __future__ import annotations

from typing import Any

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Pose, Rotation
from qddot.base.errors import FormatError
from qddot.base.words.message import say
from qddot.formats.rows.dh import text
from qddot.formats.rows.dh_table import table_of
from qddot.formats.toml.link_table import acts
from qddot.robot.bodies import BASE, Body
from qddot.robot.elastic import motors_of
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model
from qddot.robot.rotors import axial_moment, rotors_of

Table = dict[str, Any]


def tables(model: Model, convention: str) -> tuple[Table, list[Table]]:
    """Returns the [base] table of the file, and a table for each link without mass and effects.

    raises FormatError: the model's frames do not follow the convention
    """
    if convention != "tree":
        refuse_several(model, say("the-convention", convention=convention))
    if convention != "tree" and model.has_followers:
        raise FormatError("no-followers-in-convention", where=model.name, convention=convention)
    if convention in ("dh", "mdh"):
        return _rows(model, convention)
    if convention in ("screws", "body_screws"):
        return {}, _screws(model, convention == "body_screws")
    return {}, [_tree(body) for body in model.links]


def rotor_tables(model: Model) -> list[Table]:
    """Returns a table for each rotor."""
    return [
        {
            "name": body.name,
            "carrier": joint.parent,
            "xyz": [text(entry) for entry in joint.placement.p],
            "ratios": {name: text(ratio) for name, ratio in ratios.items()},
            "inertia": text(axial_moment(body)),
            "axis": [text(entry) for entry in body.joint.axis],
        }
        for body, joint, ratios in rotors_of(model.bodies)
    ]


def motor_tables(model: Model) -> list[Table]:
    """Returns a table for each motor that has a coordinate of its own."""
    return [
        {
            "name": body.name,
            "coordinate": body.joint.coordinate,
            **({} if body.joint.type == "revolute" else {"type": body.joint.type}),
            "carrier": body.joint.parent,
            "xyz": [text(entry) for entry in body.joint.placement.p],
            "axis": [text(entry) for entry in body.joint.axis],
            **acts(body.joint),
        }
        for body in motors_of(model.bodies)
    ]


def _rows(model: Model, convention: str) -> tuple[Table, list[Table]]:
    table = table_of(model, convention)
    if table is None:
        raise FormatError("frames-not-of-convention", where=model.name, convention=convention)
    base, rows = table
    return {"base": pose_table(base)} if base != Pose.identity() else {}, [{convention: row.texts()} for row in rows]


def _screws(model: Model, in_tool: bool) -> list[Table]:
    """Returns for each link the screw S = (ω, v) of its joint at q = 0, in the space or tool frame, and its frame."""
    homes, joints = {BASE: Pose.identity()}, dict[str, Pose]()
    for body in model.links:
        if not body.joint.moves:
            raise FormatError("fixed-joint-no-screw", where=f"link {body.name!r}")
        joints[body.name] = _tidy(homes[body.joint.parent] @ body.joint.placement)
        homes[body.name] = _tidy(joints[body.name] @ body.joint.offset)
    viewpoint = _tidy(homes[model.tool_body] @ model.tool).inverse() if in_tool else Pose.identity()
    tables = []
    for body in model.links:
        stands = viewpoint @ joints[body.name]
        axis = stands.R.apply(body.joint.axis)
        screw = (0, 0, 0, *axis) if body.joint.type == "prismatic" else (*axis, *stands.p.cross(axis))
        texts = [text(reduced(Expression.constant(0) + entry)) for entry in screw]
        joint = {"coordinate": body.joint.coordinate}
        home = pose_table(homes[body.name])
        tables.append({"parent": body.joint.parent, "screw": texts, "home": home, "joint": joint})
    return tables


def _tree(body: Body) -> Table:
    joint: Table = {"type": body.joint.type, **pose_table(body.joint.placement)}
    if body.joint.freedoms is not None:
        joint |= {"coordinate": body.joint.coordinate} if body.joint.coordinate else {}
    elif body.joint.moves:
        joint["axis"] = [text(entry) for entry in body.joint.axis]
        joint["coordinate"] = body.joint.coordinate
    if body.joint.ratio is not None:
        joint["ratio"] = text(body.joint.ratio)
    if body.joint.part_of:
        joint["part_of"] = body.joint.part_of
    table = {"parent": body.joint.parent, "joint": joint}
    if body.joint.offset != Pose.identity():
        table["frame"] = pose_table(body.joint.offset)
    return table


def pose_table(pose: Pose) -> Table:
    """Returns {xyz, rotation}, without the rotation if it is the identity."""
    table: Table = {"xyz": [text(entry) for entry in pose.p]}
    if pose.R != Rotation.identity():
        table["rotation"] = [[text(entry) for entry in row] for row in pose.R]
    return table


def _tidy(pose: Pose) -> Pose:
    return pose.map(lambda entry: reduced(Expression.constant(0) + entry))
