"""Merges bodies on fixed joints into the bodies that carry them; the motion does not change."""

from __future__ import annotations

from dataclasses import replace

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Inertia, Pose, Vec3
from qddot.formats.conversions.geometry import Constants
from qddot.formats.conversions.verify import checked_torques, converted
from qddot.robot.bodies import BASE, Body
from qddot.robot.model import Model
from qddot.robot.notes import note
from qddot.robot.validity import check_inertia


def merged(model: Model) -> Model:
    """Returns the model without fixed joints; notes say into which link each body was merged."""
    if all(body.joint.moves for body in model.bodies):
        return model
    return converted(model, _merged, checked_torques)


def _merged(model: Model, exact: bool) -> Model:
    k = Constants(model, exact)
    bodies: dict[str, Body] = {}
    places: dict[str, tuple[str, Pose]] = {BASE: (BASE, Pose.identity())}
    notes = []
    for body in model.bodies:
        carrier, place = places[body.joint.parent]
        stands = expressed(k, place @ body.joint.placement)
        if body.joint.moves:
            bodies[body.name] = replace(body, joint=replace(body.joint, parent=carrier, placement=stands))
            places[body.name] = (body.name, Pose.identity())
            continue
        places[body.name] = (carrier, expressed(k, stands @ body.joint.offset))
        if carrier == BASE:
            notes.append(note("fixed-link-left-out", name=repr(body.name)))
        else:
            bodies[carrier] = _joined(k, bodies[carrier], body, places[body.name][1])
            notes.append(note("fixed-link-merged", name=repr(body.name), carrier=repr(carrier)))
    carrier, place = places[model.tool_body]
    if carrier == BASE:
        carrier, place = next(iter(bodies)), Pose.identity()
        notes.append(note("fixed-tool-left-out"))
    tool = expressed(k, place @ model.tool)
    return replace(
        model,
        bodies=tuple(bodies.values()),
        tool=tool,
        tool_body=carrier,
        notes=(*own_notes(model), *notes),
        from_urdf=False,  # the order of joints there depends on fixed ones, too
    )


def own_notes(model: Model) -> tuple[str, ...]:
    """Returns the notes of a model without those about inertia, which Model adds itself."""
    own = check_inertia(model.bodies, model.defaults())
    return tuple(each for each in model.notes if each not in own)


def expressed(k: Constants, pose: Pose) -> Pose:
    """Returns a product of poses in normal form."""
    return k.standing(k.tidy(k.pose(pose)))


def _joined(k: Constants, carrier: Body, part: Body, place: Pose) -> Body:
    moved, centre = k.inertia(part.inertia, part.com, k.pose(place))
    inertia = (carrier.inertia.map(k.of) + moved.map(k.of)).map(k.expression)
    return replace(
        carrier,
        inertia=inertia,
        com=_centre(inertia, (carrier.inertia, carrier.com), (moved, centre)),
        partial_inertia=carrier.partial_inertia or part.partial_inertia,
        tolerated=carrier.tolerated or part.tolerated,
        volume=None,
    )


def _centre(whole: Inertia, *parts: tuple[Inertia, Vec3 | None]) -> Vec3 | None:
    """Returns the centre of mass of joined bodies: that of the only one with mass, h / m if m is a number, or None."""
    heavy = [centre for inertia, centre in parts if inertia.m != 0]
    if len(heavy) < 2:
        return heavy[0] if heavy else parts[0][1]
    m = whole.m.rational if isinstance(whole.m, Expression) else whole.m
    if not m:
        return None
    return whole.h.map(lambda entry: (Expression.constant(0) + entry) / m)
