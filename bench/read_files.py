"""Reads robot files even where they have content that is not modelled, and counts what the robots then lack."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import qddot
from qddot.base.errors import number_of
from qddot.robot.left_out import NAMES

OF_MUJOCO = (  # what models of MuJoCo have beside it, and what NAMES leave out
    *("tendon_stiffness", "tendon_stiffnesspoly", "tendon_damping", "tendon_dampingpoly", "tendon_armature"),
    *("tendon_frictionloss", "actuator_armature", "actuator_damping", "actuator_dampingpoly"),
    *("jnt_stiffnesspoly", "dof_dampingpoly", "body_gravcomp"),
)
BALL = 1  # MuJoCo's number of a ball joint; 0 is a free one


class Reading:
    """These are the files that were read; lacking: how many of the robots lack each kind of content."""

    def __init__(self) -> None:
        self.files = self.lessened = 0
        self.lacking: Counter[str] = Counter()

    def robot(self, path: str | Path, **options: Any) -> qddot.Robot:
        """Returns the robot of a file, without content that is not modelled. raises QddotError: any other refusal"""
        arm = qddot.load(path, without=NAMES, **options)
        kinds = [part.name for part in arm.model.left_out]
        self.files += 1
        self.lessened += bool(kinds)
        self.lacking.update(kinds)
        return arm

    def __str__(self) -> str:
        kinds = ", ".join(f"{name} in {count}" for name, count in self.lacking.most_common())
        return f"{number_of(self.files, 'file')} read, {self.lessened} without content" + f": {kinds}" * bool(kinds)


def lessen(model: Any) -> None:
    """Takes out of MuJoCo's model what the robots of a Reading lack; constraints are left to whoever disables them."""
    for name in OF_MUJOCO:
        if hasattr(model, name):  # older versions lack some
            getattr(model, name)[:] = 0
    model.jnt_stiffness[model.jnt_type <= BALL] = 0
    model.opt.density = model.opt.viscosity = 0
