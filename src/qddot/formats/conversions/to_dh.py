"""Converts any chain to a Denavit–Hartenberg table, standard or modified.

Both follow from the common normals of neighbouring axes. The x axis of frame i lies along the normal between the axes
of joints i and i + 1. Its origin is on the second of them (standard, z along joint i + 1) or on the first (modified, z
along joint i). Sources: Siciliano et al. 2009, §2.8.2; Craig 2005, §3.4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Pose
from qddot.base.words.message import Listed, say
from qddot.formats.conversions.chains import Chain, Placed, check_chain
from qddot.formats.conversions.geometry import Constants
from qddot.formats.conversions.merging import merged, own_notes
from qddot.formats.conversions.normals import Axis
from qddot.formats.conversions.verify import converted
from qddot.formats.rows.dh import Row
from qddot.formats.rows.dh_table import table_of
from qddot.formats.shared.rotations import snapped
from qddot.robot.bodies import Body
from qddot.robot.joints.refused import refuse_other_kinds
from qddot.robot.model import Model
from qddot.robot.notes import note
from qddot.robot.placements import simplified


def standard(model: Model) -> Model:
    """Returns the chain in frames of standard rows T = Rz(θ) Tz(d) Tx(a) Rx(α), with a base placement if needed."""
    return _converted(model, "dh")


def modified(model: Model) -> Model:
    """Returns the chain in frames of modified rows T = Rx(α) Tx(a) Rz(θ) Tz(d), with a base placement if needed."""
    return _converted(model, "mdh")


def _converted(model: Model, convention: str) -> Model:
    refuse_other_kinds(model, say("a-table-of-rows"))
    whole = merged(model)
    check_chain(whole, convention)
    if table_of(whole, convention) is not None:
        return whole
    return converted(whole, lambda model, exact: _in_table(Chain.of(model, exact), convention))


def _in_table(chain: Chain, convention: str) -> Model:
    """Returns the model in the frames of a table."""
    k, model = chain.k, chain.model
    frames = chain.standard_frames() if convention == "dh" else chain.modified_frames()
    neighbours = zip(chain.parts, chain.axes, frames, frames[1:], strict=False)
    rows = [_row(k, *neighbour, convention) for neighbour in neighbours]
    base = _expressed(k, frames[0])
    placed_rows = list(zip(chain.parts, rows, frames[1:], strict=True))
    carrier = next(frame for part, _, frame in placed_rows if part.body.name == model.tool_body)
    tool = _expressed(k, k.tidy(carrier.inverse() @ chain.tool))
    bodies = [_body(k, *placed_row, convention) for placed_row in placed_rows]
    first = bodies[0].joint
    bodies[0] = replace(bodies[0], joint=replace(first, placement=simplified(base @ first.placement)))
    return replace(model, bodies=tuple(bodies), tool=tool, notes=(*own_notes(model), *_notes(model)))


def _row(k: Constants, part: Placed, axis: Axis, before: Pose, after: Pose, convention: str) -> Row:
    """Returns the row between two frames, with d and a as polynomials of the ring.

    θ and d are measured about and along z, α and a about and along x. These are z of the frame before and x of the
    frame after (standard), or x of the frame before and z of the frame after (modified).
    """
    old, new, step = before.R.T, after.R.T, after.p - before.p
    x, z = (new.x, old.z) if convention == "dh" else (old.x, new.z)
    theta = k.angle(old.x.dot(new.x), old.x.cross(new.x).dot(z))
    alpha = k.angle(old.z.dot(new.z), old.z.cross(new.z).dot(x))
    d: Any = step.dot(z)
    a: Any = step.dot(x)
    return Row(snapped(theta)[0], d, a, snapped(alpha)[0], part.body.joint.coordinate, axis.free, axis.sign)


def _body(k: Constants, part: Placed, row: Row, frame: Pose, convention: str) -> Body:
    """Returns the body on the joint of its row, with its inertia in its new frame."""
    body = part.body
    d, a = (expression(k.expression(length)) for length in (row.d, row.a))
    stand = row._replace(d=d, a=a).geometry(convention)
    joint = replace(body.joint, type=stand.type, axis=stand.axis, placement=stand.placement, offset=stand.offset)
    moved = k.tidy(frame.inverse() @ part.frame)
    inertia, com = k.inertia(body.inertia, body.com, moved)
    shapes = body.shapes and body.shapes.placed(_expressed(k, moved))
    return replace(body, joint=joint, inertia=inertia, com=com, shapes=shapes)


def _expressed(k: Constants, pose: Pose) -> Pose:
    return Pose(k.rotation(pose.R), pose.p.map(k.expression))


def _notes(model: Model) -> list[str]:
    symbols = sorted(set().union(*(part.symbols() for part in model.geometry())))
    return [note("decided-for-general-values", names=Listed(symbols))] if symbols else []
