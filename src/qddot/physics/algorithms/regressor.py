"""Computes the regressor: torques are linear in the inertial parameters, τ = Y(q, q̇, q̈) π.

Columns for each body: m, mx, my, mz (first moments), Ixx, Ixy, Ixz, Iyy, Iyz, Izz (about the frame's
origin). Source: Atkeson, An, Hollerbach, "Estimation of inertial parameters of manipulator loads and
links", IJRR 5, 1986.
"""

from __future__ import annotations

from typing import Any

from qddot.algebra.spatial import Inertia, Number, unit_inertia
from qddot.physics.algorithms.newton_euler import inertial_wrench, outward
from qddot.physics.mechanism import Link, Mechanism

PARAMETERS = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")


def felt(link: Link, k: int) -> Inertia:
    """Returns the inertia that a unit of a link's parameter k adds: of a rotor's tensor its axial moment aᵀ I a."""
    return link.kind.own_inertia(link.axis, unit_inertia(k))


def parameters(mechanism: Mechanism) -> list[Any]:
    """Returns π of the bodies, in the order of the regressor's columns."""
    return [x for link in mechanism.links for x in (link.inertia.m, *link.inertia.h, *link.inertia.I)]


def regressor(mechanism: Mechanism) -> list[list[Number]]:
    """Returns Y, n × 10·bodies; a column has the torques for a unit of one parameter, carried along the path."""
    motion = outward(mechanism)
    Y: list[list[Number]] = [[0] * (len(PARAMETERS) * len(mechanism.links)) for _ in range(mechanism.n)]
    for link in mechanism.links:
        for k in range(len(PARAMETERS)):
            column = len(PARAMETERS) * link.index + k
            for carrier, F in mechanism.inward(link, inertial_wrench(felt(link, k), motion[link.index])):
                for place in carrier.places:
                    Y[place][column] = Y[place][column] + carrier.column(place).dot(F)
    return Y
