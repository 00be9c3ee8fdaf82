"""The arms that ship with qddot, each loaded once: those of the literature, and real ones from their makers' files."""

from __future__ import annotations

from functools import cache

import qddot

FREE = ("quadrotor_arm", "satellite_arm", "simple_humanoid", "solo12")  # on free bases
ZOO = [name for name in qddot.zoo() if name not in FREE]
REAL = ("franka_panda", "ur5", "ur10", "kinova_6dof", "xarm7", "baxter")  # from their makers' files, in numbers


@cache
def robot(name: str) -> qddot.Robot:
    return qddot.load(name)


LINKS = [name for name in ZOO if robot(name).model.explicit is None and name not in REAL]
