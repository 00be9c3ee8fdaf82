"""Checks the arm that a law is for: whether it is one, and whether its joints have the motors that the law needs."""

from __future__ import annotations

from typing import Any

from qddot.base.errors import SimulationError, few, shortened
from qddot.machine.numeric.arm import NumericArm
from qddot.machine.numeric.numeric_system import NumericSystem


def checked_arm(arm: Any) -> NumericArm:
    """Returns an arm. raises SimulationError: anything else"""
    if not isinstance(arm, NumericArm):
        raise SimulationError("law-without-arm", arm=shortened(arm))
    return arm


def checked_system(arm: Any) -> NumericSystem:
    """Returns an arm or a closed chain. raises SimulationError: anything else"""
    if not isinstance(arm, NumericSystem):
        raise SimulationError("law-without-arm", arm=shortened(arm))
    return arm


def driven_arm(arm: Any) -> NumericArm:
    """Returns an arm in which all joints have motors. raises SimulationError: it is not an arm, or a joint has none"""
    passive = checked_arm(arm).model.passive
    if passive:
        raise SimulationError("law-needs-motors", where=arm.name, passive=few(passive))
    return arm  # type: ignore[no-any-return]
