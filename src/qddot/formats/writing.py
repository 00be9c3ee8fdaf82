"""Writes a model as a robot file in a convention, or in that of its frames."""

from __future__ import annotations

from contextlib import suppress

from qddot.base.errors import FormatError
from qddot.formats.conversions import to_dh, to_screws, to_tree
from qddot.formats.toml import robot_file
from qddot.robot.model import Model

CONVERTED = {
    "dh": to_dh.standard,
    "mdh": to_dh.modified,
    "screws": to_screws.space,
    "body_screws": to_screws.body,
    "tree": to_tree.tree,
}


def in_convention(model: Model, convention: str) -> str:
    """Returns a model as the text of a robot file in a convention. raises QddotError: it cannot express the arm"""
    return robot_file.dumps(CONVERTED[convention](model), convention)


def in_its_frames(model: Model) -> str:
    """Returns a model as the text of a robot file, by DH rows if its frames follow a DH convention, else as a tree."""
    for convention in () if model.freedoms else ("dh", "mdh"):
        with suppress(FormatError):
            return robot_file.dumps(model, convention)
    return robot_file.dumps(model)
