"""Lists the formats in which a model can be written; a new entry in FORMATS is a new choice of `qddot convert`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from qddot.describe import robot_file, urdf
from qddot.describe.conversions import to_dh, to_screws, to_tree
from qddot.errors import FormatError
from qddot.model.model import Model


@dataclass(frozen=True)
class Format:
    """This is a format that files are written in.

    suffix: how their names end; text: writes a model that describes the same arm. raises QddotError: the format cannot
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
    """Returns a model as the text of a robot file: in rows where its frames are those of rows, else as a tree."""
    for convention in ("dh", "mdh"):
        with suppress(FormatError):
            return robot_file.dumps(model, convention)
    return robot_file.dumps(model)
