"""Finds the inertia of a link that its joint does not feel: it may as well belong to the parent.

A turning joint does not feel a mass on its axis, a first moment along its axis u, or a tensor 1 − u uᵀ: for the parent
they are the same at any angle. A sliding joint does not feel the tensor of a body without mass and first
moment; a fixed joint feels nothing; a ball does not feel a mass at its centre, and a free joint feels everything.
Source: Gautier & Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", IEEE T-RA 6,
1990.
"""

from __future__ import annotations

from typing import Any

from qddot.algebra.freedoms import SPHERICAL
from qddot.algebra.spatial import Inertia, SymmetricMatrix3, Vec3
from qddot.physics.algorithms.regressor import PARAMETERS, unit_inertia
from qddot.physics.mechanism import Link

TENSOR = PARAMETERS.index("Ixx")  # where the tensor's entries begin


def unfelt(link: Link) -> list[tuple[Inertia, Inertia]]:
    """Returns a basis of the inertias that a link's joint does not feel, each in the link's and the parent's frame."""
    if link.dof is not None and link.turns:
        u, nothing = link.axis, SymmetricMatrix3.diagonal(0, 0, 0)
        across = SymmetricMatrix3(1 - u.x * u.x, -u.x * u.y, -u.x * u.z, 1 - u.y * u.y, -u.y * u.z, 1 - u.z * u.z)
        at_joint = [Inertia(1, Vec3.zero(), nothing), Inertia(0, u, nothing), Inertia(0, Vec3.zero(), across)]
        own = [each.shifted(-link.offset.p).rotated(link.offset.R.T) for each in at_joint]
    elif link.several:
        at_joint = own = [unit_inertia(0)] if link.several == SPHERICAL else []
    else:
        own = [unit_inertia(k) for k in range(0 if link.dof is None else TENSOR, len(PARAMETERS))]
        at_joint = [each.placed(link.offset) for each in own]
    above = [each.placed(link.placement) for each in at_joint]
    return list(zip(own, above, strict=True))


def entries(inertia: Inertia) -> tuple[Any, ...]:
    """Returns the ten parameters of an inertia, in the order of the regressor's columns."""
    return (inertia.m, *inertia.h, *inertia.I)
