"""Computes the mass matrix and gravity by composite bodies: each joint moves all links that it carries.

Source: Walker & Orin, 1982; Featherstone 2008, §6.2.
"""

from __future__ import annotations

from qddot.algebra.spatial import Force, Number, Vec3
from qddot.physics.mechanism import Mechanism


def mass_matrix(mechanism: Mechanism) -> list[list[Number]]:
    """Returns M(q), n × n, without the joints' armature: M_ij = S_i · (composite momentum of S_j)."""
    inertia = mechanism.composite_inertias
    M: list[list[Number]] = [[0] * mechanism.n for _ in range(mechanism.n)]
    for j, joint in mechanism.moving:
        for link, F in mechanism.inward(joint, inertia[joint.index].momentum(joint.column(j))):
            for i in link.places:
                if link is joint and i > j:
                    continue  # each pair of velocities of one joint counts once
                S = link.column(i)
                # two joints of one coordinate add both M_ij and M_ji to M_ii
                part = S.dot(F) * 2 if i == j and link is not joint else S.dot(F)
                M[i][j] = M[j][i] = M[i][j] + part
    return M


def wrenches(mechanism: Mechanism) -> list[list[Force]]:
    """Returns, by links k and n, the wrench on the composite body of link n for a unit acceleration of its joint, at k.

    It is I_n Φ_n, transformed to link k; links that do not carry n have none.
    """
    nothing = Force(Vec3.zero(), Vec3.zero())
    inertia = mechanism.composite_inertias
    F = [[nothing] * len(mechanism.links) for _ in mechanism.links]
    for _, joint in mechanism.moving:
        for link, wrench in mechanism.inward(joint, inertia[joint.index].momentum(joint.S)):
            F[link.index][joint.index] = wrench
    return F


def gravity_in_links(mechanism: Mechanism) -> list[Vec3]:
    """Returns the acceleration of gravity along every link's axes, along which expressions with it stay short."""
    g: list[Vec3] = []
    for link in mechanism.links:
        g.append(link.X.R.T.apply(mechanism.gravity if link.parent is None else g[link.parent]))
    return g


def weights(mechanism: Mechanism) -> list[Force]:
    """Returns the weight of every composite body, at its link's origin and along its axes."""
    pairs = zip(mechanism.composite_inertias, gravity_in_links(mechanism), strict=True)
    return [Force(body.h.cross(g), g * body.m) for body, g in pairs]


def gravity_torques(mechanism: Mechanism) -> list[Number]:
    """Returns G(q), n torques: minus the composite weight along each joint's axis."""
    W = weights(mechanism)
    torques: list[Number] = [0] * mechanism.n
    for j, joint in mechanism.moving:
        torques[j] = torques[j] - joint.column(j).dot(W[joint.index])
    return torques
