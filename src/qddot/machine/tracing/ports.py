"""Lists the arrays that functions of a system take and return: their shapes, units and meanings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from qddot.robot import units

if TYPE_CHECKING:
    from qddot.physics.systems import System

WRENCHES = "wrenches"


class PortRecord(NamedTuple):
    """This is an input or output of functions.

    axes: the length of each axis, a number or the name of one of the system's sizes; "" where options decide it
    """

    name: str
    axes: tuple[int | str, ...]
    unit: str
    meaning: str

    def shape(self, of: System) -> tuple[int, ...]:
        """Returns the shape for a system."""
        return tuple(of.sizes[axis] if isinstance(axis, str) else axis for axis in self.axes)


def of_joints(name: str, axis: str, meaning: str, of: str = "") -> PortRecord:
    """Returns a port with an entry for each joint or rate; of: the name of the values whose unit it has"""
    return PortRecord(name, (axis,), units.either(of or name), meaning)


def port(name: str, meaning: str, *axes: int | str, unit: str = "") -> PortRecord:
    """Returns a port of any other shape; its unit is not given where entries differ in it."""
    return PortRecord(name, axes, unit, meaning)


INPUTS: Mapping[str, PortRecord] = {
    each.name: each
    for each in (
        of_joints("q", "positions", "the coordinates of all joints"),
        of_joints("qd", "velocities", "the velocities of all joints"),
        of_joints("qdd", "velocities", "the accelerations of all joints"),
        of_joints("tau", "velocities", "the torques and forces in all joints"),
        of_joints("u", "rates", "the rates of the independent coordinates", "qd"),
        of_joints("ud", "rates", "the accelerations of the independent coordinates", "qdd"),
        of_joints("qd_r", "rates", "the rates of a reference motion", "qd"),
        of_joints("qdd_r", "rates", "the accelerations of a reference motion", "qdd"),
        port(WRENCHES, "the external force and moment on each body, in its axes", "bodies", 6, unit="N, N m"),
    )
}
STATE = (INPUTS["q"], INPUTS["qd"])
REFERENCE = (*STATE, INPUTS["qd_r"], INPUTS["qdd_r"])
MOTION, DRIVEN = (*STATE, INPUTS["qdd"]), (*STATE, INPUTS["tau"])
