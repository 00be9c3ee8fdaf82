"""The formats that a model can be written in: an entry in FORMATS makes a new one known to the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from qddot.describe import robot_file
from qddot.model.model import Model


class Writer(Protocol):
    """A writer makes the text of a file that describes the same arm."""

    def __call__(self, model: Model, /) -> str:
        """Returns the text; raises QddotError where the format cannot say the model."""
        ...


@dataclass(frozen=True)
class Format:
    """A format that files are written in, and the suffix of their names."""

    suffix: str
    text: Writer


def _standard_rows(model: Model) -> str:
    from qddot.describe.conversions import to_dh

    return robot_file.dumps(to_dh.standard(model), "dh")


def _modified_rows(model: Model) -> str:
    from qddot.describe.conversions import to_dh

    return robot_file.dumps(to_dh.modified(model), "mdh")


def _space_screws(model: Model) -> str:
    from qddot.describe.conversions import to_screws

    return robot_file.dumps(to_screws.space(model), "screws")


def _body_screws(model: Model) -> str:
    from qddot.describe.conversions import to_screws

    return robot_file.dumps(to_screws.body(model), "body_screws")


def _tree(model: Model) -> str:
    from qddot.describe.conversions import to_tree

    return robot_file.dumps(to_tree.tree(model), "tree")


def _urdf(model: Model) -> str:
    from qddot.describe import urdf

    return urdf.dumps(model)


FORMATS: Mapping[str, Format] = {
    "dh": Format(".toml", _standard_rows),
    "mdh": Format(".toml", _modified_rows),
    "screws": Format(".toml", _space_screws),
    "body_screws": Format(".toml", _body_screws),
    "tree": Format(".toml", _tree),
    "urdf": Format(".urdf", _urdf),
}
