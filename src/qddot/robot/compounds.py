"""Finds the axes of compound joints: revolute and prismatic joints in a row between massless bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qddot.robot.bodies import Body


def places_in_compounds(bodies: Iterable[Body]) -> dict[str, int]:
    """Returns by the bodies' names the index, from 0, of each body's joint in its compound joint."""
    by_name, places = {body.name: body for body in bodies}, dict[str, int]()
    for name, body in by_name.items():
        kind, parent = body.joint.part_of, by_name.get(body.joint.parent)
        if kind:
            goes_on = parent is not None and parent.joint.part_of == kind and parent.inertia.m == 0
            places[name] = places.get(body.joint.parent, -1) + 1 if goes_on else 0
    return places


def within_compounds(bodies: Sequence[Body]) -> set[str]:
    """Returns the names of the massless bodies between the axes of compound joints."""
    places = places_in_compounds(bodies)
    return {body.joint.parent for body in bodies if places.get(body.name, 0) > 0}
