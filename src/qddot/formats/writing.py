"""Writes a model as a robot file in a convention, or in that of its frames."""

from __future__ import annotations

from contextlib import suppress

from qddot.base.errors import FormatError
from qddot.base.words.message import say
from qddot.formats.conversions import beside_rotors, to_dh, to_screws, to_tree
from qddot.formats.conversions.loops import in_frames
from qddot.formats.toml import loop_tables, robot_file
from qddot.physics.of_model import check_form
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model

CONVERTED = {
    "dh": to_dh.standard,
    "mdh": to_dh.modified,
    "screws": to_screws.space,
    "body_screws": to_screws.body,
    "tree": to_tree.tree,
}


def converted(model: Model | ClosedModel, convention: str) -> Model | ClosedModel:
    """Returns an arm or a closed chain in a convention. raises QddotError: it cannot express the arm"""
    check_form(model.tree if isinstance(model, ClosedModel) else model, say("another-convention"))
    convert = CONVERTED[convention]
    return in_frames(model, convert) if isinstance(model, ClosedModel) else beside_rotors.converted(model, convert)


def dumps(model: Model | ClosedModel, convention: str) -> str:
    """Returns a model as the text of a robot file. raises FormatError: its frames do not follow the convention"""
    if isinstance(model, ClosedModel):
        return loop_tables.dumps(model, convention)
    return robot_file.dumps(model, convention)


def in_convention(model: Model | ClosedModel, convention: str) -> str:
    """Returns a model as the text of a robot file in a convention. raises QddotError: it cannot express the arm"""
    return dumps(converted(model, convention), convention)


def in_its_frames(model: Model) -> str:
    """Returns a model as the text of a robot file, by DH rows if its frames follow a DH convention, else as a tree."""
    for convention in () if model.freedoms else ("dh", "mdh"):
        with suppress(FormatError):
            return robot_file.dumps(model, convention)
    return robot_file.dumps(model)
