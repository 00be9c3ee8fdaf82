"""Finds the units of the constants in an arm's equations.

A constant has the unit that makes every term of an equation a torque or a force: each entry of M, Γ, G has its
unit, and the other factors of a term have units, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qddot.algebra.expressions.names import rate_name
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.tree import Circular, Named, Quotient, Root, Sign, Sum, Symbol
from qddot.robot.units import LENGTH, NONE, TIME, Unit, entry_unit, unit_of, way

COEFFICIENTS = ("M", "christoffel", "G", "springs", "friction")  # quantities whose units follow from the joints


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
        of_rate = way(turns).times(TIME, -1)
        units |= {name: of_rate} if name in quasi else {name: way(turns), rate_name(name): of_rate}
    for freedoms in model.freedoms:
        units |= dict.fromkeys(freedoms.place, LENGTH) | dict.fromkeys(freedoms.quaternion, NONE)
    return units


def _within(total: Sum, unit: Unit, declared: Mapping[str, Unit]) -> Iterator[tuple[str, Unit]]:
    """Yields symbols with the units that give every term of a sum its unit, with one unknown factor in each term."""
    for product in total.products:
        rest, unknown = unit, []
        if any(isinstance(base, Quotient) for base, _ in product.factors):
            continue
        for base, exponent in product.factors:
            if isinstance(base, Symbol) and base.text in declared:
                rest = rest.times(declared[base.text], -exponent)
            elif isinstance(base, Symbol | Sum):
                unknown.append((base, exponent))
            else:
                assert isinstance(base, Circular | Named | Sign | Root)
        if len(unknown) == 1 and unknown[0][1] == 1:
            base = unknown[0][0]
            yield from [(base.text, rest)] if isinstance(base, Symbol) else _within(base, rest, declared)
