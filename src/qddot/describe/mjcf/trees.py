"""Reads trees of MJCF, in which joints follow others where equalities say so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from qddot.describe.joint_equalities import applied
from qddot.describe.mjcf.actuators import with_motors
from qddot.describe.mjcf.mjcf_reader import Compiled, Reader, compiled
from qddot.describe.mjcf.relations import kind, relations
from qddot.describe.xml import Element
from qddot.errors import FormatError, QddotError
from qddot.model.model import Model

LOOPS = {"connect", "weld"}  # kinds of equalities that close loops


def read(path: Path, root: Element) -> Model:
    """Returns the model of an MJCF file whose root element is `root`.

    If all active equalities are of joints, joints follow others or stand still. If one is of another kind, or if those
    of joints cannot hold in a tree, all equalities are left out, with a note.
    raises NotInstalledError: MuJoCo is not installed
    raises FormatError: MuJoCo rejects the file, or it refers to files outside its folder
    """
    kinds: set[str] = set()  # of the active equalities
    model = compiled(path, root, partial(_with_relations, kinds))
    try:
        tree = with_motors(_model(model), model.driven)
        return replace(tree, leaves_loops_out=True) if kinds & LOOPS else tree
    except QddotError as error:
        raise error.at(str(path)) from None


def _with_relations(kinds: set[str], spec: Any, _: Any) -> list[str]:
    """Removes sites, inactive equalities, and the others unless all are of joints; returns a note of the active ones.

    kinds: is filled with those of the active ones
    """
    active = [equality for equality in spec.equalities if equality.active]
    kinds.update(kind(equality) for equality in active)
    are_of_joints = kinds <= {"joint"}
    for element in [*spec.equalities, *spec.sites]:
        if not are_of_joints or element not in active:
            spec.delete(element)
    if are_of_joints:
        return []
    return [f"{_not_read(len(active))}{'; qddot.load_closed_chain reads them' if kinds & LOOPS else ''}"]


def _not_read(count: int) -> str:
    return f"equalities are not read ({count} in the file)"


def _model(made: Compiled) -> Model:
    """Returns the tree; a note says why equalities of joints that contradict it are left out."""
    reader = Reader(made.arrays, made.mujoco, made.notes)
    tree = reader.model(made.spec.modelname)
    if not made.spec.equalities:
        return tree
    try:
        bodies, notes = applied(tree.bodies, list(relations(made, reader)))
    except FormatError as error:
        return replace(tree, notes=(*tree.notes, f"{_not_read(len(made.spec.equalities))}: {error}"))
    return replace(tree, bodies=tuple(bodies), coordinates=(), notes=(*tree.notes, *notes))
