"""Lists the formats in which a model can be written; each entry of FORMATS is a choice of `qddot convert`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from qddot.base.errors import FormatError
from qddot.formats import urdf
from qddot.formats.conversions import to_dh, to_screws, to_tree
from qddot.formats.toml import robot_file
from qddot.robot.model import Model


@dataclass(frozen=True)
class Format:
    """A format has a file suffix and a function that writes a model.

    suffix: the end of file names; text: writes a model of the same arm, or raises QddotError if the format cannot
        express it
    """

    suffix: str
    text: Callable[[Model], str]


FORMATS: Mapping[str, Format] = {
    "dh": Format(".toml", lambda model: robot_file.dumps(to_dh.standard(model), "dh")),
    "mdh": Format(".toml", lambda model: robot_file.dumps(to_dh.modified(model), "mdh")),
    "screws": Format(".toml", lambda model: robot_file.dumps(to_screws.space(model), "screws")),
    "body_screws": Format(".toml", lambda model: robot_file.dumps(to_screws.body(model), "body_screws")),
    "tree": Format(".toml", lambda model: robot_file.dumps(to_tree.tree(model), "tree")),
    "urdf": Format(".urdf", urdf.dumps),
}


def in_its_frames(model: Model) -> str:
    """Returns a model as the text of a robot file, by DH rows if its frames follow a DH convention, else as a tree."""
    for convention in () if model.freedoms else ("dh", "mdh"):
        with suppress(FormatError):
            return robot_file.dumps(model, convention)
    return robot_file.dumps(model)
