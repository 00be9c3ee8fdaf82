"""Reads trees of MJCF, in which joints follow others, or stand still, where equalities say so.

Source: MuJoCo's XML reference.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError, located
from qddot.base.words.message import Told
from qddot.formats.mjcf.actuators import with_motors
from qddot.formats.mjcf.equalities import is_of_joints, kind, label, relations
from qddot.formats.mjcf.mjcf_reader import Compiled, Reader, compiled
from qddot.formats.shared.joint_equalities import applied
from qddot.formats.xml.elements import Element
from qddot.robot.left_out import LOOPS, LeftOut, left_out
from qddot.robot.model import Model
from qddot.robot.notes import noted

CLOSING = ("connect", "weld")  # kinds of equalities


def read(path: Path, root: Element) -> Model:
    """Returns the model of an MJCF file whose root element is `root`.

    If all active equalities are of joints or of fixed tendons, joints follow others or stand still. If one is of
    another kind, or if they cannot hold in a tree, all equalities are left out, which the model says.
    raises NotInstalledError: MuJoCo is not installed
    raises FormatError: MuJoCo rejects the file, or it refers to files outside its folder
    """
    model = compiled(path, root, _with_relations)
    with located(str(path)):
        tree = _model(model)
        return replace(tree, left_out=(*model.left_out, *tree.left_out))


def _with_relations(spec: Any) -> tuple[list[str], list[LeftOut]]:
    """Removes sites, inactive equalities, and the others unless all relate joints; returns the active ones removed."""
    unread = list[LeftOut]()
    active = [equality for equality in spec.equalities if equality.active]
    are_of_joints = all(is_of_joints(equality, spec) for equality in active)
    if not are_of_joints:
        unread += left_out(LOOPS, (label(each) for each in active if kind(each) in CLOSING))
        unread += left_out("equalities", (label(each) for each in active if kind(each) not in CLOSING))
    for element in [*spec.equalities, *spec.sites]:
        if not are_of_joints or element not in active:
            spec.delete(element)
    return [], unread


def _model(made: Compiled) -> Model:
    """Returns the tree; equalities of joints that contradict it are left out, with the reason."""
    reader = Reader(made.arrays, made.mujoco, made.notes, made.motors)
    tree = reader.model(made.spec.modelname)
    if not made.spec.equalities:
        return with_motors(tree, made.motors.driven, {})
    try:
        bodies, notes, leaders = applied(tree.bodies, list(relations(made, reader)))
    except FormatError as error:
        tree = replace(tree, left_out=tuple(left_out("equalities", [noted(error.where, Told(error.message))])))
        return with_motors(tree, made.motors.driven, {})
    tree = replace(tree, bodies=tuple(bodies), coordinates=(), notes=(*tree.notes, *notes))
    return with_motors(tree, made.motors.driven, leaders)
