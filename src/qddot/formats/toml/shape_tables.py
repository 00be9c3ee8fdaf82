"""Reads and writes the `inertia` of a link that is given by shapes: {shape, sizes, axis, at, rpy, density …}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, check_one_of, did_you_mean, located, shortened
from qddot.base.words.message import say
from qddot.formats.rows.dh import text
from qddot.formats.shared.rotations import placed
from qddot.robot.placements import listed
from qddot.robot.shapes.kinds import KINDS
from qddot.robot.shapes.made import made
from qddot.robot.shapes.uniform import Part, Shapes

PLACE_KEYS = ("at", "rpy", "rotation")
KEYS = ("shape", "axis", *PLACE_KEYS, "mass", "density")


def shapes(table: Mapping[str, Any], notes: list[str]) -> Shapes:
    """Returns the shapes of a table {shape, …} or {shapes = [{shape, …}, …], density}; notes of changes are added.

    raises QddotError: a shape, a key or a size is wrong
    """
    if "shapes" not in table:
        return _shape(table, notes)
    for key in table:
        if key not in ("shapes", "density"):
            raise FormatError("key-beside-shapes", key=shortened(str(key)))
    parts: list[Shapes] = []
    for number, each in enumerate(listed(table["shapes"], "shapes"), 1):
        with located(f"shape {number}"):
            if not isinstance(each, Mapping):
                raise FormatError("shape-not-table", shape=shortened(each))
            common = {} if "density" not in table or "mass" in each else {"density": table["density"]}
            parts.append(_shape({**common, **each}, notes))
    if not parts:
        raise FormatError("shapes-empty")
    return Shapes(tuple(part for each in parts for part in each.parts))


def _shape(table: Mapping[str, Any], notes: list[str]) -> Shapes:
    """Returns the shape of one table."""
    check_one_of(table.get("shape"), KINDS, say("shape-is"), FormatError)
    kind = KINDS[table["shape"]]
    allowed = (*KEYS, *kind.sizes)
    for key in table:
        if key not in allowed:
            raise FormatError(
                "shape-key-unknown", key=shortened(str(key)), noun=kind.noun, remedy=did_you_mean(key, allowed)
            )
    sizes = {name: table[name] for name in kind.sizes if name in table}
    placement, changes = placed({key: table[key] for key in PLACE_KEYS if key in table}, "at")
    notes += changes
    return made(kind, sizes, placement, table.get("axis"), table.get("mass"), table.get("density"))


def shape_table(of: Shapes, com: Vec3 | None) -> dict[str, Any]:
    """Returns the table of shapes, without what follows from the link's mass, and from its `com`."""
    if len(of.parts) > 1:
        return {"shapes": [{**_table(part), **_mass(part)} for part in of.parts]}
    (part,) = of.parts
    is_at_com = part.placement.p == com and part.central.com == com
    shown = _table(part) if not is_at_com else _table(part, at=False)
    return {**shown, **({"density": text(part.density)} if part.density is not None else {})}


def _mass(part: Part) -> dict[str, str]:
    return {name: text(value) for name in ("mass", "density") if (value := getattr(part, name)) is not None}


def _table(part: Part, at: bool = True) -> dict[str, Any]:
    """Returns the kind, the sizes and the place of a part."""
    table: dict[str, Any] = {"shape": part.name}
    table |= {name: text(size) for name, size in part.named_sizes.items()}
    table |= {"axis": part.axis} if part.axis != part.kind.axis else {}
    place: Pose = part.placement
    table |= {"at": [text(entry) for entry in place.p]} if at and place.p != Vec3.zero() else {}
    if place.R != Rotation.identity():
        table["rotation"] = [[text(entry) for entry in row] for row in place.R]
    return table
