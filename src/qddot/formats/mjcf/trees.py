"""Reads trees of MJCF, in which joints follow others where equalities say so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError, QddotError
from qddot.formats.mjcf.actuators import with_motors
from qddot.formats.mjcf.mjcf_reader import Compiled, Reader, compiled
from qddot.formats.mjcf.relations import kind, label, relations
from qddot.formats.shared.joint_equalities import applied
from qddot.formats.xml.elements import Element
from qddot.robot.left_out import LOOPS, LeftOut, left_out
from qddot.robot.model import Model

CLOSING, OF_JOINTS = ("connect", "weld"), "joint"  # kinds of equalities


def read(path: Path, root: Element) -> Model:
    """Returns the model of an MJCF file whose root element is `root`.

    If all active equalities are of joints, joints follow others or stand still. If one is of another kind, or if those
    of joints cannot hold in a tree, all equalities are left out, which the model says.
    raises NotInstalledError: MuJoCo is not installed
    raises FormatError: MuJoCo rejects the file, or it refers to files outside its folder
    """
    unread: list[LeftOut] = []
    model = compiled(path, root, partial(_with_relations, unread))
    try:
        tree = with_motors(_model(model), model.driven)
        return replace(tree, left_out=(*unread, *model.left_out, *tree.left_out))
    except QddotError as error:
        raise error.at(str(path)) from None


def _with_relations(unread: list[LeftOut], spec: Any, _: Any) -> list[str]:
    """Removes sites, inactive equalities, and the others unless all are of joints.

    unread: gets the active ones that are removed
    """
    active = [equality for equality in spec.equalities if equality.active]
    are_of_joints = all(kind(equality) == OF_JOINTS for equality in active)
    if not are_of_joints:
        unread += left_out(LOOPS, (label(each) for each in active if kind(each) in CLOSING))
        unread += left_out("equalities", (label(each) for each in active if kind(each) not in CLOSING))
    for element in [*spec.equalities, *spec.sites]:
        if not are_of_joints or element not in active:
            spec.delete(element)
    return []


def _model(made: Compiled) -> Model:
    """Returns the tree; equalities of joints that contradict it are left out, with the reason."""
    reader = Reader(made.arrays, made.mujoco, made.notes)
    tree = reader.model(made.spec.modelname)
    if not made.spec.equalities:
        return tree
    try:
        bodies, notes = applied(tree.bodies, list(relations(made, reader)))
    except FormatError as error:
        return replace(tree, left_out=tuple(left_out("equalities", [f"{error.where}: {error.found}"])))
    return replace(tree, bodies=tuple(bodies), coordinates=(), notes=(*tree.notes, *notes))
