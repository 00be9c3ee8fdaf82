"""Splits an arm into what makes terms of its equations: masses that are moved, bodies that are turned, and effects.

A link with a centre of mass is a point mass there, and a tensor about it, as in Koenig's theorem. One that is described
by its first moment has a point mass at its origin, that moment, and a tensor about the origin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qddot.algebra.spatial import Inertia, SymmetricMatrix3, Vec3
from qddot.base.records import record
from qddot.exact.equations.quantities import Quantities
from qddot.physics.mechanism import Link
from qddot.physics.of_model import dynamics_of

MASS, MOMENT, TENSOR = "mass", "moment", "tensor"


@record()
class Cause:
    """This is one cause of terms.

    body: place of the link in the model's bodies
    kind: "mass", "moment" or "tensor" of the link; "armature", "springs" or "friction" of its joint
    inertia: what the link has by this cause alone, in polynomials
    point: the centre of mass, or the origin, in the link's frame; about_centre: which of the two it is
    """

    body: int
    kind: str
    inertia: Inertia
    point: Vec3 = Vec3.zero()
    about_centre: bool = True

    @property
    def is_effect(self) -> bool:
        """Returns whether it acts in the joint."""
        return self.kind not in (MASS, MOMENT, TENSOR)


def causes_of(eq: Quantities) -> Iterator[Cause]:
    """Yields the causes in an arm, link by link; their equations add up to those of the arm."""
    for link, body in zip(eq.dynamics.mechanism.links, eq.model.bodies, strict=True):
        if body.inertia != Inertia.zero():
            yield from _of_link(link)
        parts = dict.fromkeys(effect.part for effect in body.joint.effects)
        yield from (Cause(link.index, part, Inertia.zero()) for part in parts)


def _of_link(link: Link) -> Iterator[Cause]:
    inertia, none, origin = link.inertia, SymmetricMatrix3.diagonal(0, 0, 0), Vec3.zero()
    com = link.com or (origin if all(entry == 0 for entry in inertia.h) else None)
    if com is not None:
        yield Cause(link.index, MASS, Inertia.point(inertia.m, com), com)
        yield Cause(link.index, TENSOR, Inertia(0, origin, inertia.central_tensor(com)), com)
        return
    yield Cause(link.index, MASS, Inertia(inertia.m, origin, none), origin, False)
    yield Cause(link.index, MOMENT, Inertia(0, inertia.h, none), origin, False)
    yield Cause(link.index, TENSOR, Inertia(0, origin, inertia.I), origin, False)


def equations_of(eq: Quantities, cause: Cause) -> Quantities:
    """Returns the equations of an arm in which one cause alone acts."""
    plain = eq.dynamics.mechanism
    links = tuple(
        replace(link, inertia=cause.inertia if link.index == cause.body else Inertia.zero()) for link in plain.links
    )
    places = plain.links[cause.body].places
    effects = tuple(each for each in plain.effects if each.effect.part == cause.kind and each.dof in places)
    mechanism = replace(plain, links=links, acting=lambda: effects)
    return Quantities(eq.model, ring=eq.ring, dynamics=dynamics_of(eq.model, eq.ring, lambda: mechanism))
