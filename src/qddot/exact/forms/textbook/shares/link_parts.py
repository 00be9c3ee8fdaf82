"""Splits the equations into the contributions of parts of the arm: each link's inertia, and effects in the joints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.algebra.spatial import Inertia
from qddot.exact.equations.quantities import Quantities
from qddot.robot.bodies import Body
from qddot.robot.model import Model

LINK = "link"


class ArmPart(NamedTuple):
    """This is a part of an arm that contributes to the equations: a link's inertia or an effect in its joint.

    body: place of the link in the model's bodies
    source: "link" for its mass, first moment and tensor; "armature", "springs" or "friction" for an effect in its joint
    """

    body: int
    source: str


def parts_of(model: Model) -> Iterator[ArmPart]:
    """Yields the parts of an arm, link by link."""
    for k, body in enumerate(model.bodies):
        if body.inertia != Inertia.zero():
            yield ArmPart(k, LINK)
        yield from dict.fromkeys(ArmPart(k, effect.part) for effect in body.joint.effects)


def equations_of(model: Model, part: ArmPart, ring: Ring) -> Quantities:
    """Returns the equations of an arm in which only one part has inertia, weight or torque."""
    bodies = tuple(_with_only(body, part.source if k == part.body else "") for k, body in enumerate(model.bodies))
    return Quantities(replace(model, bodies=bodies), ring=ring)


def _with_only(body: Body, source: str) -> Body:
    """Returns a body with only the part of this source, or with none."""
    joint = replace(body.joint, effects=tuple(e for e in body.joint.effects if e.part == source))
    return replace(body, joint=joint) if source == LINK else Body(body.name, joint)
