"""Reads the `joint` table of a robot file if the joint is helical or has several degrees of freedom."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from qddot.algebra.spatial import Vec3
from qddot.base.errors import FormatError, shortened
from qddot.formats.shared import compound_joints
from qddot.formats.shared.compound_joints import COORDINATES, Freedom
from qddot.formats.toml.link_table import EFFECT_KEYS, effects, of_motor, text_in
from qddot.robot.axes import nearly_unit
from qddot.robot.bodies import Body
from qddot.robot.notes import noted
from qddot.robot.placements import listed, vector

PLACE_KEYS = ("name", "type", "xyz", "rpy", "rotation")
KEYS = {
    "helical": (*PLACE_KEYS, "axis", "pitch", "coordinate", *EFFECT_KEYS),
    "universal": (*PLACE_KEYS, "axes", "coordinates", *EFFECT_KEYS),
    "cylindrical": (*PLACE_KEYS, "axis", "coordinates", *EFFECT_KEYS),
    "planar": (*PLACE_KEYS, "axis", "coordinates", *EFFECT_KEYS),
}


def bodies(body: Body, joint: Mapping[str, Any], names_in_use: Collection[str], notes: list[str]) -> list[Body]:
    """Returns the body on its joint, preceded by the massless bodies that the joint needs.

    body: its joint has the placement; joint: the table, whose keys are among KEYS; names_in_use: those of links;
    notes: a list to which notes of changes are added
    """
    kind = str(joint["type"])
    body = replace(body, joint=replace(body.joint, name=text_in(joint, "name")))
    axis, change = nearly_unit(vector(joint.get("axis", (0, 0, 1)), "axis"))
    notes += [noted(f"link {body.name!r}", change)] if change else []
    if kind == "helical":
        if "pitch" not in joint:
            raise FormatError("helical-without-pitch")
        return compound_joints.helical(body, axis, joint["pitch"], _freedom(joint), names_in_use)
    freedoms = _freedoms(joint, len(COORDINATES[kind]))
    if kind == "universal":
        return compound_joints.universal(body, _axes(joint), freedoms, names_in_use)
    if kind == "cylindrical":
        return compound_joints.cylindrical(body, axis, freedoms, names_in_use)
    on_plane, change = compound_joints.planar(body, axis, freedoms, names_in_use)
    notes += [noted(f"link {body.name!r}", change)] if change else []
    return on_plane


def _axes(joint: Mapping[str, Any]) -> list[Vec3]:
    axes = listed(joint.get("axes", ()), "axes")
    if len(axes) != 2:
        raise FormatError("axes-not-two", axes=shortened(axes))
    return [vector(axis, "axes") for axis in axes]


def _freedom(table: Mapping[str, Any]) -> Freedom:
    name = text_in(table, "coordinate") or None
    return Freedom(name, table.get("limits"), tuple(effects(table)), **of_motor(table))


def _freedoms(joint: Mapping[str, Any], count: int) -> list[Freedom]:
    """Returns the degrees of freedom of a joint whose effects and limits are lists, with an entry for each coordinate.

    In these lists an empty list or table means that a coordinate has no limits, no limits of its motor or no spring.
    """
    tables: list[dict[str, Any]] = [{} for _ in range(count)]
    for key in ("coordinates", *EFFECT_KEYS):
        if key not in joint:
            continue
        values = joint[key]
        if not isinstance(values, list | tuple) or len(values) != count:
            raise FormatError("list-of-wrong-length", key=key, values=shortened(values), count=count)
        for table, value in zip(tables, values, strict=True):
            if value not in ([], {}):
                table["coordinate" if key == "coordinates" else key] = value
    return [_freedom(table) for table in tables]
