"""Computes kinetic and potential energy, and momentum."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.spatial import Force, Inertia, Number, Twist, Vec3, divided, inner, summed
from qddot.physics.algorithms.kinematics import poses
from qddot.physics.mechanism import Link, Mechanism


def kinetic_energy(mechanism: Mechanism) -> Number:
    """Returns K = ½ Σ Vᵀ 𝒢 V of the bodies along their own axes, without armature [J]."""
    return divided(sum(mechanism.twice_kinetic_energies), 2)  # type: ignore[no-any-return]


def kinetic_energy_in_base(mechanism: Mechanism) -> Number:
    """Returns the bodies' K along the base's axes: ½ Σ (m v² + 2 v · ω × R h + ωᵀ R I Rᵀ ω) [J]."""
    total: Number = 0
    for link, V, T in zip(mechanism.links, mechanism.twists, poses(mechanism), strict=True):
        w, v, h = T.R.apply(V.w), T.R.apply(V.v), T.R.apply(link.inertia.h)
        turned = T.R.T.apply(w)
        spin = turned.dot(link.inertia.I.apply(turned))
        total = total + v.dot(v) * link.inertia.m + v.dot(w.cross(h)) * 2 + spin
    return divided(total, 2)  # type: ignore[no-any-return]


def wrench_by_products(body: Inertia, V: Twist, dV: Twist) -> Force:
    """Returns F = 𝒢 V̇ − ad_Vᵀ 𝒢 V as 𝒢 V̇ − Σ V_i V_j ad_iᵀ 𝒢 e_j, for numbers whose products are long.

    Here e_j is the j-th unit twist; each product V_i V_j is computed once.
    """
    total, rates = body.momentum(dV), tuple(V)
    units = [Twist(Vec3(*row[:3]), Vec3(*row[3:])) for row in ([int(i == j) for j in range(6)] for i in range(6))]
    for i, one in enumerate(units):
        for j, other in enumerate(units[: i + 1]):
            pair = one.cross_force(body.momentum(other))
            if i != j:
                pair = pair + other.cross_force(body.momentum(one))
            if not any((*pair.n, *pair.f)):
                continue
            product = rates[i] * rates[j]
            total = total + Force(pair.n * product, pair.f * product)
    return total


def power(mechanism: Mechanism, V: Sequence[Twist], F: Sequence[Force]) -> Number:
    """Returns Σ V · F of twists and wrenches in the links' frames [W].

    Each product is taken in the frame halfway to the base, where both of its factors are shortest.
    """
    powers = []
    for link in mechanism.links:
        twist, wrench, at = V[link.index], F[link.index], link
        for _ in _beyond_half(mechanism, link):
            twist, wrench = at.X.pose().adjoint(twist), at.X.to_parent(wrench)
            at = mechanism.links[at.parent or 0]
        powers.append(twist.dot(wrench))
    return summed(powers)  # type: ignore[no-any-return]


def _beyond_half(mechanism: Mechanism, link: Link) -> tuple[int, ...]:
    """Returns the outer half of a link's path; joints that share a coordinate, whose turns cancel, are not counted."""
    path = mechanism.paths[link.index]
    coordinates: list[int | None] = [k for k, _ in mechanism.moving_path(link.index)]
    counted = [k for k in path if coordinates.count(mechanism.links[k].dof) < 2]
    beyond = counted[len(counted) // 2 + 1 :]
    return path[path.index(beyond[0]) :] if beyond else ()


def potential_energy(mechanism: Mechanism) -> Number:
    """Returns P = −Σ m gᵀ p_c of the bodies, zero at the world's origin, without springs [J]."""
    total: Number = 0
    for link, T in zip(mechanism.links, poses(mechanism), strict=True):
        moment: Vec3 = T.R.apply(link.inertia.h) + T.p * link.inertia.m
        total = total - mechanism.gravity.dot(moment)
    return total


def momentum(M: list[list[Number]], qd: tuple[Number, ...]) -> list[Number]:
    """Returns p = M q̇ [kg·m²/s or kg·m/s]."""
    return [inner(row, qd) for row in M]


def parameter_energies(mechanism: Mechanism) -> list[list[tuple[Number, Number]]]:
    """Returns (K, P) of every body for a unit of each of its ten inertial parameters, in the order of the regressor.

    K + P = Σ (k + p) π, where a rotor's energy is that of its axial moment aᵀ I a, computed along the bodies' own axes.
    Source: Gautier & Khalil, "Direct calculation of minimum
    set of inertial parameters of serial robots", IEEE T-RA 6, 1990, §III.
    """
    down: list[tuple[Number, Vec3]] = []  # −g · origin, and gravity along the body's axes
    pairs = []
    for link, V in zip(mechanism.links, mechanism.twists, strict=True):
        height, g = (0, mechanism.gravity) if link.parent is None else down[link.parent]
        here = link.X.R.T.apply(g)
        height = height - g.dot(link.X.p) - here.dot(link.X.r)
        down.append((height, here))
        V, height, here = link.kind.own_motion(link.axis, V, height, here)
        w, moment = V.w, V.v.cross(V.w)
        kinetic = [
            divided(V.v.dot(V.v), 2),
            *moment,
            divided(w.x * w.x, 2),
            w.x * w.y,
            w.x * w.z,
            divided(w.y * w.y, 2),
            w.y * w.z,
            divided(w.z * w.z, 2),
        ]
        potential = [height, *(-here), 0, 0, 0, 0, 0, 0]
        pairs.append(list(zip(kinetic, potential, strict=True)))
    return pairs
