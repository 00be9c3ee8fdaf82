"""Has the units of an arm's values: of its coordinates, torques and effects, and of the entries of its equations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from qddot.robot.bodies import Joint
from qddot.robot.effects.effect import Effect
from qddot.robot.model import Model

PART = re.compile(r"([A-Za-zµ°]+)(?:\^?(-?\d+|[²³]))?")
RAISED = {"²": 2, "³": 3}
POWERS = {1: "", 2: "²", 3: "³", 4: "⁴"}
# of a joint that turns, and of one that slides
JOINT_VALUES = {"q": ("rad", "m"), "qd": ("rad/s", "m/s"), "qdd": ("rad/s^2", "m/s^2"), "tau": ("N m", "N")}
ENERGIES = ("K", "P", "L")


class Unit(NamedTuple):
    """A unit is a product of powers of the kilogram, the metre and the second; an angle in radians has none."""

    kg: int = 0
    m: int = 0
    s: int = 0

    def times(self, other: Unit, power: int = 1) -> Unit:
        """Returns the product of a unit and a power of another one."""
        return Unit(*(one + power * two for one, two in zip(self, other, strict=True)))

    def written(self) -> str:
        """Returns the unit as it is printed, such as kg m² or N m; nothing for a plain number."""
        if self in NAMES:
            return NAMES[self]
        above, below = (
            " ".join(f"{name}{POWERS.get(abs(power), f'^{abs(power)}')}" for name, power in parts)
            for parts in (self._powers(1), self._powers(-1))
        )
        return f"{above or 1}/{below}" if below else above

    def _powers(self, sign: int) -> list[tuple[str, int]]:
        return [(name, power) for name, power in zip(("kg", "m", "s"), self, strict=True) if power * sign > 0]


NONE, MASS, LENGTH, TIME = Unit(), Unit(kg=1), Unit(m=1), Unit(s=1)
FORCE, TORQUE = Unit(1, 1, -2), Unit(1, 2, -2)
NAMES = {FORCE: "N", TORQUE: "N m", Unit(1, 0, -2): "N/m", NONE: ""}
KNOWN = {"kg": MASS, "m": LENGTH, "s": TIME, "N": FORCE, "Nm": TORQUE, "J": TORQUE, "rad": NONE}


def unit_of(text: str) -> Unit | None:
    """Returns the unit that a text such as kg m^2 or N/m names, or None if it is none of these."""
    total, power = NONE, 1
    for part in re.split(r"(/)|[\s*·]+", text.strip()):
        if part == "/":
            power = -1
        elif part and part != "1":
            match = PART.fullmatch(part)
            if match is None or match[1] not in KNOWN:
                return None
            total = total.times(KNOWN[match[1]], power * (RAISED.get(match[2]) or int(match[2] or 1)))
    return total if text.strip() else None


def either(name: str, turning: Iterable[bool] = (True, False)) -> str:
    """Returns the units of one of JOINT_VALUES as data and programs name them, such as rad or m."""
    kinds = set(turning)
    return " or ".join(unit for unit, turns in zip(JOINT_VALUES[name], (True, False), strict=True) if turns in kinds)


def of_coordinates(model: Model, rates: int = 0) -> list[str]:
    """Returns the units of the entries of q, of q̇ or of q̈; the numbers of a quaternion have none."""
    if not rates:
        return [unit for body in model.moving() for unit in body.joint.kind.units]
    return [either(("qd", "qdd")[rates - 1], [turns]).replace("^2", "²") for turns in model.turning]


def of_torques(model: Model) -> list[str]:
    """Returns N m for each angular velocity, and N for each linear one."""
    return [either("tau", [turns]) for turns in model.turning]


def _torque(turns: bool) -> Unit:
    return TORQUE if turns else FORCE


def way(turns: bool) -> Unit:
    """Returns the unit of a coordinate."""
    return NONE if turns else LENGTH


def of_effect(joint: Joint, effect: Effect) -> tuple[str, ...]:
    """Returns the units of the numbers that an effect in a joint has."""
    turning, sliding = effect.units
    return turning if any(joint.kind.angular) else sliding


def entry_unit(model: Model, name: str, place: tuple[int, ...]) -> Unit:
    """Returns the unit of an entry of M, Γ, C, B or C2, of torques (G, h, τ, springs, friction), or of an energy."""
    if name in ENERGIES:
        return TORQUE
    row, *others = (model.turning[k] for k in place)
    if name == "C2":  # one index stands for two
        others *= 2
    times = 1 if name == "C" else 2  # C multiplies only rates
    unit = _torque(row).times(TIME, times if others else 0)
    for turns in others:
        unit = unit.times(way(turns), -1)
    return unit


def written_unit(model: Model, name: str, place: tuple[int, ...]) -> str:
    """Returns the unit of an entry as it is printed: that of an energy is J."""
    return "J" if name in ENERGIES else entry_unit(model, name, place).written()
