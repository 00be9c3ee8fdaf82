"""Finds the units of an arm's values: those of its joints, and of the constants in its equations.

A constant has the unit that makes every term of an equation a torque or a force: each entry of M, Γ, G has its
unit, and the other factors of a term have units, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from qddot.algebra.expressions.names import rate_name
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.tree import Circular, Root, Sign, Sum, Symbol
from qddot.robot.bodies import Joint
from qddot.robot.effects import Armature, Coulomb, Effect, Spring, Viscous
from qddot.robot.model import Model

PART = re.compile(r"([A-Za-zµ°]+)(?:\^?(-?\d+|[²³]))?")
RAISED = {"²": 2, "³": 3}
POWERS = {1: "", 2: "²", 3: "³", 4: "⁴"}
COEFFICIENTS = ("M", "christoffel", "G", "springs", "friction")  # quantities whose units follow from the joints


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


def of_coordinates(model: Model, rates: int = 0) -> list[str]:
    """Returns the units of the entries of q, of q̇ or of q̈; the numbers of a quaternion have none."""
    if not rates:
        return [unit for body in model.moving() for unit in body.joint.units]
    return [("rad" if turns else "m") + ("/s", "/s²")[rates - 1] for turns in model.turning]


def of_torques(model: Model) -> list[str]:
    """Returns N m for each angular velocity, and N for each linear one."""
    return [_torque(turns).written() for turns in model.turning]


def _torque(turns: bool) -> Unit:
    return TORQUE if turns else FORCE


def _way(turns: bool) -> Unit:
    return NONE if turns else LENGTH


def of_effect(joint: Joint, effect: Effect) -> tuple[str, ...]:
    """Returns the units of the numbers that an effect in a joint has."""
    turns = any(joint.turning)
    torque, way = _torque(turns).written(), "rad" if turns else "m"
    return {
        Armature: ("kg m²" if turns else "kg",),
        Viscous: (f"{torque} s/{way}",),
        Coulomb: (torque,),
        Spring: (f"{torque}/{way}", way),
    }[type(effect)]


def entry_unit(model: Model, name: str, place: tuple[int, ...]) -> Unit:
    """Returns the unit of an entry of M, Γ, C, B or C2, or of torques: of G, h, τ, springs and friction."""
    row, *others = (model.turning[k] for k in place)
    if name == "C2":  # one index stands for two
        others *= 2
    times = 1 if name == "C" else 2  # C multiplies only rates
    unit = _torque(row).times(TIME, times if others else 0)
    for turns in others:
        unit = unit.times(_way(turns), -1)
    return unit


def of_constants(short: Textbook) -> dict[str, str]:
    """Returns the units of the constants in the short form, as far as they follow from the entries they are in."""
    declared = _declared(short)
    units: dict[str, Unit] = {}
    for name in COEFFICIENTS:
        array = short.array(name)
        for _, place, entry in array.labelled():
            if entry:
                units |= dict(_within(array.written(entry), entry_unit(short.eq.model, name, place), declared | units))
    return {name: unit.written() for name, unit in units.items() if name in short.constants}


def _declared(short: Textbook) -> dict[str, Unit]:
    """Returns the units of the coordinates with their rates, and of the symbols that have one."""
    model = short.eq.model
    units = {name: unit for name, each in model.symbols.items() if (unit := unit_of(each.unit)) is not None}
    quasi = {name for freedoms in model.freedoms for name in freedoms.velocities}
    for name, turns in zip(model.coordinates, model.turning, strict=True):
        of_rate = _way(turns).times(TIME, -1)
        units |= {name: of_rate} if name in quasi else {name: _way(turns), rate_name(name): of_rate}
    for freedoms in model.freedoms:
        units |= dict.fromkeys(freedoms.place, LENGTH) | dict.fromkeys(freedoms.quaternion, NONE)
    return units


def _within(total: Sum, unit: Unit, declared: Mapping[str, Unit]) -> Iterator[tuple[str, Unit]]:
    """Yields symbols with the units that give every term of a sum its unit, with one unknown factor in each term."""
    for product in total.products:
        rest, unknown = unit, []
        for base, exponent in product.factors:
            if isinstance(base, Symbol) and base.text in declared:
                rest = rest.times(declared[base.text], -exponent)
            elif isinstance(base, Symbol | Sum):
                unknown.append((base, exponent))
            else:
                assert isinstance(base, Circular | Sign | Root)
        if len(unknown) == 1 and unknown[0][1] == 1:
            base = unknown[0][0]
            yield from [(base.text, rest)] if isinstance(base, Symbol) else _within(base, rest, declared)
