"""Reads trees of MJCF, in which joints follow others, or stand still, where equalities say so.

Source: MuJoCo's XML reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError, located
from qddot.base.words.message import Told
from qddot.formats.mjcf.actuators import with_motors
from qddot.formats.mjcf.mjcf_reader import Compiled, Reader, compiled, fraction
from qddot.formats.shared.joint_equalities import Affine, applied
from qddot.formats.xml.elements import Element
from qddot.robot.left_out import LOOPS, LeftOut, left_out
from qddot.robot.model import Model
from qddot.robot.notes import noted

CLOSING, OF_JOINTS = ("connect", "weld"), "joint"  # kinds of equalities


def read(path: Path, root: Element) -> Model:
    """Returns the model of an MJCF file whose root element is `root`.

    If all active equalities are of joints, joints follow others or stand still. If one is of another kind, or if those
    of joints cannot hold in a tree, all equalities are left out, which the model says.
    raises NotInstalledError: MuJoCo is not installed
    raises FormatError: MuJoCo rejects the file, or it refers to files outside its folder
    """
    model = compiled(path, root, _with_relations)
    with located(str(path)):
        tree = with_motors(_model(model), model.driven)
        return replace(tree, left_out=(*model.left_out, *tree.left_out))


def _with_relations(spec: Any) -> tuple[list[str], list[LeftOut]]:
    """Removes sites, inactive equalities, and the others unless all are of joints; returns the active ones removed."""
    unread = list[LeftOut]()
    active = [equality for equality in spec.equalities if equality.active]
    are_of_joints = all(kind(equality) == OF_JOINTS for equality in active)
    if not are_of_joints:
        unread += left_out(LOOPS, (label(each) for each in active if kind(each) in CLOSING))
        unread += left_out("equalities", (label(each) for each in active if kind(each) not in CLOSING))
    for element in [*spec.equalities, *spec.sites]:
        if not are_of_joints or element not in active:
            spec.delete(element)
    return [], unread


def _model(made: Compiled) -> Model:
    """Returns the tree; equalities of joints that contradict it are left out, with the reason."""
    reader = Reader(made.arrays, made.mujoco, made.notes)
    tree = reader.model(made.spec.modelname)
    if not made.spec.equalities:
        return tree
    try:
        bodies, notes = applied(tree.bodies, list(relations(made, reader)))
    except FormatError as error:
        return replace(tree, left_out=tuple(left_out("equalities", [noted(error.where, Told(error.message))])))
    return replace(tree, bodies=tuple(bodies), coordinates=(), notes=(*tree.notes, *notes))


def relations(made: Compiled, reader: Reader) -> Iterator[Affine]:
    """Yields the equalities of joints: q1 − r1 = c0 + c1 (q2 − r2), with their values r in the initial
    configuration.
    """
    m, carriers = made.arrays, reader.carriers
    for equality in made.spec.equalities:
        if kind(equality) != "joint":
            continue
        one, other = int(m.eq_obj1id[equality.id]), int(m.eq_obj2id[equality.id])
        coefficients = [fraction(part) for part in m.eq_data[equality.id][:5]]
        if other >= 0 and any(coefficients[2:]):
            raise FormatError("equality-not-linear", where=label(equality))
        value = fraction(m.qpos0[m.jnt_qposadr[one]]) + coefficients[0]
        if other < 0 or not coefficients[1]:
            yield Affine(carriers[one], None, coefficients[0] * 0, value, label(equality))
            continue
        offset = value - coefficients[1] * fraction(m.qpos0[m.jnt_qposadr[other]])
        yield Affine(carriers[one], carriers[other], coefficients[1], offset, label(equality))


def is_curved(equality: Any) -> bool:
    """Returns whether an equality of two joints is a polynomial that is not linear."""
    return kind(equality) == "joint" and bool(equality.name2) and any(equality.data[2:5])


def kind(equality: Any) -> str:
    """Returns connect, weld, joint, tendon …"""
    return str(equality.type.name).removeprefix("mjEQ_").lower()


def label(equality: Any) -> str:
    """Returns a name for errors, such as line 41 <connect 'tip'>."""
    name = f" {equality.name!r}" if equality.name else ""
    return f"{equality.info} <{kind(equality)}{name}>".strip()
