"""Gives the data of an arm for a 3-D view, in floats: its links with their joints, centres of mass and ellipsoids.

The view moves the arm itself: a body's frame is at `placement · motion(q) · offset` in that of its parent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.spatial import Pose, Vec3, point_tensor, principal
from qddot.base.words.message import say
from qddot.robot.bodies import BASE, Body
from qddot.robot.joints.refused import refuse_other_kinds
from qddot.robot.model import Model

Vector = list[float]


def drawn_arm(model: Model, rods: Iterable[tuple[str, str]] = ()) -> dict[str, Any]:
    """Returns the arm as plain data; a symbol without a value counts as 1, and is named in `assumed`.

    rods: the pairs of links between whose origins a rod closes a loop
    """
    refuse_other_kinds(model, say("a-view-in-3d"))
    defaults = model.defaults()
    assumed = [name for name in model.symbols if name not in defaults]
    values = {**dict.fromkeys(assumed, 1.0), **defaults}
    order = {body.name: k for k, body in enumerate(model.bodies)}
    return {
        "coordinates": [_coordinate(model, name, values) for name in model.coordinates],
        "links": [_link(model, body, order, values) for body in model.bodies],
        "tool": {"link": order[model.tool_body], "pose": _pose(model.tool, values)},
        "gravity": [_float(entry, values) for entry in model.gravity],
        "assumed": assumed,
        "rods": [[order.get(name, -1) for name in links] for links in rods],
    }


def _coordinate(model: Model, name: str, values: Mapping[str, float]) -> dict[str, Any]:
    joint = next(body.joint for body in model.bodies if body.joint.leads and body.joint.coordinate == name)
    limits = None if joint.limits is None else [limit.value(values) for limit in joint.limits]
    return {"name": name, "rate": rate_name(name), "turns": joint.kind.is_angle, "limits": limits}


def _link(model: Model, body: Body, order: Mapping[str, int], values: Mapping[str, float]) -> dict[str, Any]:
    joint = body.joint
    centre, ellipsoid = _inertia(body, values)
    return {
        "name": body.name,
        "parent": -1 if joint.parent == BASE else order[joint.parent],
        "type": "fixed" if not joint.moves else "turns" if joint.kind.is_revolute else "slides",
        "coordinate": model.coordinates.index(joint.coordinate) if joint.moves and joint.coordinate else None,
        "ratio": 1.0 if joint.ratio is None else _float(Expression.constant(0) + joint.ratio, values),
        "placement": _pose(joint.placement, values),
        "axis": [_float(entry, values) for entry in joint.axis],
        "offset": _pose(joint.offset, values),
        "mass": _float(body.inertia.m, values),
        "centre": centre,
        "ellipsoid": ellipsoid,
    }


def _pose(pose: Pose, values: Mapping[str, float]) -> Vector:
    """Returns the sixteen entries of a pose's matrix, row by row."""
    rows = [[*row, x] for row, x in zip(pose.R, pose.p, strict=True)]
    return [_float(entry, values) for row in [*rows, [0, 0, 0, 1]] for entry in row]


def _float(entry: Any, values: Mapping[str, float]) -> float:
    return entry.value(values) if isinstance(entry, Expression) else float(entry)


def _inertia(body: Body, values: Mapping[str, float]) -> tuple[Vector | None, dict[str, Vector] | None]:
    """Returns the centre of mass, and the ellipsoid of constant density with the body's inertia; each may be None.

    ellipsoid: its radii [m], and its axes as the columns of a matrix, nine entries row by row
    """
    m = _float(body.inertia.m, values)
    if body.com is None and m <= 0:
        return None, None
    first = [_float(entry, values) for entry in body.inertia.h]
    c = [_float(entry, values) for entry in body.com] if body.com is not None else [entry / m for entry in first]
    if m <= 0 or body.partial_inertia:
        return c, None
    about_origin = body.inertia.I.map(lambda entry: _float(entry, values))
    moments, axes = principal(about_origin - point_tensor(Vec3(*c)).map(lambda entry: m * entry))
    total = sum(moments)
    radii = [math.sqrt(max(0.0, 2.5 * (total - 2 * moment) / m)) for moment in moments]
    return c, {"radii": radii, "axes": [entry for row in axes for entry in row]}
