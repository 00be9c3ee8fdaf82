"""Computes the mass matrix and gravity by composite bodies: each joint moves all links that it carries.

Source: Walker & Orin, 1982; Featherstone 2008, §6.2.
"""

from __future__ import annotations

from qddot.dynamics.mechanism import Mechanism
from qddot.spatial import Force, Inertia, Number, Vec3


def composite_inertias(arm: Mechanism) -> list[Inertia]:
    """Returns, for every link, the inertia of it and of all links that it carries, at its own origin."""
    total = [link.inertia for link in arm.links]
    for link in reversed(arm.links):
        if link.parent is not None:
            total[link.parent] = total[link.parent] + link.X.inertia_to_parent(total[link.index])
    return total


def mass_matrix(arm: Mechanism) -> list[list[Number]]:
    """Returns M(q), n × n, without the joints' armature: M_ij = S_i · (composite momentum of S_j)."""
    inertia = composite_inertias(arm)
    M: list[list[Number]] = [[0] * arm.n for _ in range(arm.n)]
    for j, joint in arm.moving:
        for link, F in arm.inward(joint, inertia[joint.index].momentum(joint.S)):
            if (i := link.dof) is not None:
                # two joints of one coordinate add both M_ij and M_ji to M_ii
                part = link.S.dot(F) * 2 if i == j and link is not joint else link.S.dot(F)
                M[i][j] = M[j][i] = M[i][j] + part
    return M


def gravity_torques(arm: Mechanism) -> list[Number]:
    """Returns G(q), n torques: minus the composite weight along each joint's axis.

    Gravity is turned into every link's axes, so that the expressions stay short.
    """
    inertia = composite_inertias(arm)
    g: list[Vec3] = []
    for link in arm.links:
        g.append(link.X.R.T.apply(arm.gravity if link.parent is None else g[link.parent]))
    torques: list[Number] = [0] * arm.n
    for j, joint in arm.moving:
        body = inertia[joint.index]
        weight = Force(body.h.cross(g[joint.index]), g[joint.index] * body.m)
        torques[j] = torques[j] - joint.S.dot(weight)
    return torques
