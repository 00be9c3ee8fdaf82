"""Computes the centre of mass of all links, and their momentum about it for each rate.

Source: Orin, Goswami & Lee, "Centroidal dynamics of a humanoid robot", Autonomous Robots 35, 2013, §§4 and 5: the
momentum of a rate is that of the composite body that its joint carries.
"""

from __future__ import annotations

from typing import Any

from qddot.algebra.spatial import Force, Vec3, summed
from qddot.physics.algorithms.kinematics import poses
from qddot.physics.mechanism import Mechanism


def first_moment(mechanism: Mechanism) -> tuple[Any, Vec3]:
    """Returns the mass m of all links, and Σ m_i p_c,i about the base's origin, along the base's axes."""
    roots = [link for link in mechanism.links if link.parent is None]
    bodies = [link.X.inertia_to_parent(mechanism.composite_inertias[link.index]) for link in roots]
    moments = [Vec3.zero(), *(body.h for body in bodies)]
    return summed(body.m for body in bodies), Vec3(*map(summed, zip(*moments, strict=True)))


def momenta(mechanism: Mechanism, about: Vec3) -> list[Force]:
    """Returns for each rate the linear (f) and the angular (n) momentum of all links, along the base's axes.

    about: the point of the angular momentum, in the base frame
    """
    T, total = poses(mechanism), mechanism.composite_inertias
    columns = [Force(Vec3.zero(), Vec3.zero()) for _ in range(mechanism.n)]
    for j, link in mechanism.moving:
        own, R = total[link.index].momentum(link.column(j)), T[link.index].R
        f = R.apply(own.f)
        columns[j] = columns[j] + Force(R.apply(own.n) + (T[link.index].p - about).cross(f), f)
    return columns
