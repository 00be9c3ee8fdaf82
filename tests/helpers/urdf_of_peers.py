"""Robots in URDF that Pinocchio's authors collected, as a peer can read them."""

from __future__ import annotations

import re
from pathlib import Path

import pinocchio as pin

from qddot.algebra.expressions.parser import angle
from qddot.formats.shared.rotations import snapped

FOLDER = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"


def with_all_digits(text: str) -> str:
    """The file with the angles that are read as multiples of 15° written with all their digits."""

    def written(match: re.Match[str]) -> str:
        return f'rpy="{" ".join(repr(snapped(angle(part))[0].value({})) for part in match[1].split())}"'

    return re.sub(r'rpy="([-+.e\d\s]*)"', written, text)
