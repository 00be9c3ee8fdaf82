"""Reads robot files even where they have content that is not modelled, and counts what the robots then lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import qddot
from qddot.base.errors import number_of
from qddot.robot.left_out import NAMES

OF_POLYNOMIAL = "actuator_dampingpoly"
OF_MUJOCO = (  # what models of MuJoCo have beside it, and what NAMES leave out
    *("tendon_stiffnesspoly", "tendon_dampingpoly", OF_POLYNOMIAL),
    *("jnt_stiffnesspoly", "dof_dampingpoly", "body_gravcomp"),
)
OF_TENDONS = ("tendon_stiffness", "tendon_damping", "tendon_armature", "tendon_frictionloss")
OF_ACTUATORS = ("actuator_armature", "actuator_damping")
JOINTS, TENDON = (0, 1), 3  # MuJoCo's numbers of transmissions by a joint and by a tendon
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
    slack = model.tendon_lengthspring[:, 0] != model.tendon_lengthspring[:, 1]
    alone = model.tendon_num == 1  # on one joint, where what it does is read
    _clear(model, OF_TENDONS, ~alone | slack)
    _clear(model, OF_ACTUATORS, [not _acts_on_one(model, k, alone) for k in range(model.nu)])
    _clear(model, OF_MUJOCO, slice(None))
    model.jnt_stiffness[model.jnt_type <= BALL] = 0
    model.opt.density = model.opt.viscosity = 0


def _clear(model: Any, names: Iterable[str], which: Any) -> None:
    for name in names:
        if hasattr(model, name):  # older versions lack some
            getattr(model, name)[which] = 0


def _acts_on_one(model: Any, k: int, alone: Any) -> bool:
    """Returns whether actuator k acts on one hinge or slide, and its damping is no polynomial."""
    target = model.actuator_trnid[k, 0]
    of_joint = model.actuator_trntype[k] in JOINTS and model.jnt_type[target] > BALL
    of_tendon = model.actuator_trntype[k] == TENDON and alone[target]
    return bool((of_joint or of_tendon) and not any(getattr(model, OF_POLYNOMIAL, {k: ()})[k]))
