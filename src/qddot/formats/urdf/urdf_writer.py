"""Writes a model as URDF: its tree, inertias, limits, damping and friction, with the symbols' values.

URDF puts a link's frame at its joint and assumes gravity of a standard strength along −z of the root link. Another
strength, armature, springs and joints without motors are written as comments, which other programs ignore. Links'
frames are moved to their joints; if gravity has another direction, the arm is mounted on a rotated link.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import count
from typing import Any
from xml.etree.ElementTree import Comment, Element, SubElement, indent, tostring

from qddot.algebra.expressions.expression import evaluator
from qddot.algebra.expressions.in_fractions import Fractions, digits
from qddot.algebra.freedoms import FREE, SPHERICAL
from qddot.algebra.spatial import Inertia, Pose, Vec3
from qddot.base.errors import FormatError, few
from qddot.base.html import comment
from qddot.base.words.message import say
from qddot.formats.shared.rotations import from_quaternion
from qddot.formats.urdf.comments import DRIVEN, DYNAMICS, MARK, STANDARD
from qddot.physics.of_model import check_form
from qddot.robot.axes import nearest_rational
from qddot.robot.bodies import BASE, OF_MOTORS, Body, Joint
from qddot.robot.closed_model import ClosedModel
from qddot.robot.left_out import sentences
from qddot.robot.model import Model

TILTED, TOOL = "tilted_base", "tool"
FLOATING, ROBOT_FILE = "floating", say("write-robot-file")
UNLIMITED = "1e9"  # of effort and speed, which URDF requires with every limit, where the model does not have them
DIGITS = 30  # decimals up to this length are written exactly
UPRIGHT = 1e-12  # cos(pitch) below which roll and yaw cannot be distinguished


def dumps(model: Model | ClosedModel) -> str:
    """Returns the model as the text of a URDF file.

    raises EvaluationError: the model has energies in place of links
    raises FormatError: a symbol has no value, the equations are given entry by entry, a joint is spherical, a name is
        not possible in XML, or the model has loops or wheels
    """
    check_form(model.tree if isinstance(model, ClosedModel) else model, "URDF")
    if isinstance(model, ClosedModel):
        lost = few([each.name for each in model.closures])
        raise FormatError("urdf-of-loops", where=model.name, lost=lost, remedy=ROBOT_FILE)
    if model.explicit is not None:
        raise FormatError("urdf-of-equations", where=model.name, remedy=ROBOT_FILE)
    root = Element("robot", name=_plain(model.name))
    values = evaluator(_numbers(model))
    above = {BASE: Pose.identity()}
    SubElement(root, "link", name=BASE)
    names = {BASE, *(body.name for body in model.bodies)}
    gravity = model.gravity.map(values)
    top = _tilted(root, gravity, names)
    root.extend(Comment(f" {comment(line)} ") for line in sentences(model.left_out))
    if _strength(gravity) != STANDARD:
        _say(root, f"gravity 0 0 {_printed(-_strength(gravity))}")
    bodies = _in_order(model)
    above.update({body.name: body.joint.offset.map(values) for body in bodies})
    for body in bodies:
        _link(root, body.name, body.inertia.map(values).placed(above[body.name]))
    joints = set[str]()
    called = {body.name: _free(_joint_name(body), joints) for body in bodies}
    leaders = {body.joint.coordinate: called[body.name] for body in model.moving()}
    for body in bodies:
        parent = top if body.joint.parent == BASE else body.joint.parent
        placement = above[body.joint.parent] @ body.joint.placement.map(values)
        element = _joint(root, called[body.name], body.joint, (parent, body.name), placement, values)
        flags = [int(name not in model.passive) for name in body.joint.velocities] if body.joint.leads else []
        if 0 in flags:
            _say(element, f"{DRIVEN} {' '.join(map(str, flags))}")
        if body.joint.ratio is not None:
            multiplier = _printed(values(body.joint.ratio))
            SubElement(element, "mimic", joint=leaders[body.joint.coordinate], multiplier=multiplier)
    tool = above[model.tool_body] @ model.tool.map(values)
    if tool != Pose.identity() or bodies[-1].name != model.tool_body or bodies != model.bodies:
        name = _free(TOOL, names)
        SubElement(root, "link", name=name)
        _frame(_connected(root, _free(f"{name}_joint", joints), "fixed", (model.tool_body, name)), tool)
    indent(root)
    return '<?xml version="1.0"?>\n' + tostring(root, encoding="unicode") + "\n"


def _say(element: Element, text: str) -> None:
    """Adds a comment that qddot's reader reads back and other programs ignore."""
    element.append(Comment(f" {MARK} {text} "))


def _strength(gravity: Vec3) -> Fraction:
    """Returns the magnitude of gravity, exactly if it is along an axis."""
    parts: list[Any] = [part for part in gravity if part]
    if len(parts) < 2:
        return sum((Fraction(abs(part)) for part in parts), Fraction(0))
    return digits(math.sqrt(sum(part * part for part in parts)))


def _numbers(model: Model) -> Fractions:
    """Returns the values of a model's symbols, since URDF has no symbols."""

    def value(name: str) -> Fraction:
        value = model.symbols[name].value if name in model.symbols else None
        if value is None:
            raise FormatError("value-needed-by-urdf", where=model.name, name=name)
        number: Any = value.evaluate(numbers)
        return Fraction(number)

    numbers = Fractions(value)
    return numbers


def _free(name: str, names: set[str]) -> str:
    """Returns a name that is not in `names`, if necessary with a number appended, and adds it to `names`."""
    numbered = (f"{name}_{k}" for k in count(2))
    name = name if name not in names else next(n for n in numbered if n not in names)
    names.add(name)
    return name


def _in_order(model: Model) -> tuple[Body, ...]:
    """Returns the bodies in an order that keeps the order of q when the file is read."""
    if tuple(body.name for body in model.bodies if body.joint.leads) == tuple(body.name for body in model.moving()):
        return model.bodies
    return (*model.moving(), *(body for body in model.bodies if not body.joint.leads))


def _joint_name(body: Body) -> str:
    own = body.joint.coordinate if body.joint.leads else ""
    return body.joint.name or own or f"{body.name}_joint"


def _plain(name: str) -> str:
    if not name.isprintable():
        raise FormatError("name-not-possible-xml", name=repr(name))
    return name


def _tilted(root: Element, gravity: Vec3, names: set[str]) -> str:
    """Returns the name of the arm's first link: the root, or one rotated so that gravity is along the root's −z."""
    strength = math.sqrt(gravity.dot(gravity))  # type: ignore[arg-type]
    if not strength or ((gravity.x, gravity.y) == (0, 0) and float(gravity.z) < 0):  # type: ignore[arg-type]
        return BASE
    x, y, z = (float(entry) / strength for entry in gravity)
    turn = (1 - z, -y, x, 0.0) if z < 1 - 1e-9 else (0.0, 1.0, 0.0, 0.0)
    R = from_quaternion(*nearest_rational(turn)).map(_fraction)
    name = _free(TILTED, names)
    SubElement(root, "link", name=name)
    _frame(_connected(root, f"{name}_joint", "fixed", (BASE, name)), Pose(R, Vec3.zero()))
    return name


def _fraction(entry: Any) -> Fraction:
    return Fraction(entry if isinstance(entry, int) else entry.rational)


def _link(root: Element, name: str, inertia: Inertia) -> None:
    link = SubElement(root, "link", name=_plain(name))
    if inertia == Inertia.zero():
        return
    m: Any = inertia.m
    com = inertia.h.map(lambda entry: entry / m if m else 0)
    central = inertia.central_tensor(com)
    inertial = SubElement(link, "inertial")
    SubElement(inertial, "origin", xyz=_row(com), rpy="0 0 0")
    SubElement(inertial, "mass", value=_printed(m))
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    SubElement(inertial, "inertia", {key: _printed(entry) for key, entry in zip(names, central, strict=True)})


def _joint(
    root: Element, name: str, joint: Joint, ends: tuple[str, str], placement: Pose, values: Callable[[Any], Any]
) -> Element:
    kind = FLOATING if joint.type == FREE else joint.type
    if joint.kind.is_revolute:
        kind = "revolute" if joint.limits else "continuous"
    if kind == SPHERICAL:
        raise FormatError("spherical-in-urdf", link=repr(ends[1]), floating=FLOATING, remedy=ROBOT_FILE)
    element = _connected(root, name, kind, ends)
    _frame(element, placement)
    if not joint.moves:
        return element
    if kind != FLOATING:
        SubElement(element, "axis", xyz=_row(joint.axis.map(values)))
    if kind not in ("continuous", FLOATING) or (joint.effort, joint.velocity) != (None, None):
        ends_of_q = zip(("lower", "upper"), joint.limits or (), strict=False)
        limits = {key: _printed(values(limit)) for key, limit in ends_of_q}
        for name in OF_MOTORS:
            value = getattr(joint, name)
            limits[name] = UNLIMITED if value is None else _printed(digits(value))
        SubElement(element, "limit", limits)
    coefficients: dict[str, Any] = {}
    for effect in joint.effects:
        if effect.second:
            raise FormatError("urdf-of-elastic", where=f"joint {joint.name or joint.coordinate!r}", remedy=ROBOT_FILE)
        numbers = list(map(values, effect.numbers.values()))
        if (key := DYNAMICS.get(effect.key)) is not None:
            coefficients[key] = coefficients.get(key, 0) + numbers[0]
        else:
            _say(element, " ".join([effect.key, *map(_printed, numbers)]))
    if coefficients:
        SubElement(element, "dynamics", {key: _printed(value) for key, value in coefficients.items()})
    return element


def _connected(root: Element, name: str, kind: str, ends: tuple[str, str]) -> Element:
    element = SubElement(root, "joint", name=_plain(name), type=kind)
    SubElement(element, "parent", link=ends[0])
    SubElement(element, "child", link=ends[1])
    return element


def _frame(element: Element, pose: Pose) -> None:
    """Writes <origin> with rpy of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    if pose == Pose.identity():
        return
    R = [[float(entry) for entry in row] for row in pose.R]
    upright = math.hypot(R[0][0], R[1][0])
    roll, yaw = math.atan2(R[2][1], R[2][2]), math.atan2(R[1][0], R[0][0])
    if upright < UPRIGHT:
        roll, yaw = math.atan2(-R[1][2], R[1][1]), 0.0
    angles = (roll, math.atan2(-R[2][0], upright), yaw)
    SubElement(element, "origin", xyz=_row(pose.p), rpy=" ".join(_printed(digits(angle)) for angle in angles))


def _row(vector: Vec3) -> str:
    return " ".join(_printed(entry) for entry in vector)


def _printed(value: Any) -> str:
    """Returns a decimal of up to DIGITS digits exactly, any other number as a float."""
    value = Fraction(value)
    with localcontext() as context:
        context.prec = DIGITS
        decimal = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(decimal) != value:
        decimal = Decimal(repr(float(value)))
    text = f"{decimal:f}"
    return text if len(text) < 2 * DIGITS else f"{decimal:e}"
