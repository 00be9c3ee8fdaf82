"""Inverse dynamics by Newton's and Euler's equations: outward for motion, inward for force.

Sources: Luh, Walker, Paul, "On-line computational scheme for mechanical manipulators", 1980; Craig,
*Introduction to Robotics*, 2005, §6.5; the products of ω are shared as in Balafoutis & Patel, 1991.
"""

from __future__ import annotations

from dataclasses import dataclass

from qddot.model.mechanism import Link, Mechanism
from qddot.spatial import Force, Inertia, Matrix3, Number, Vec3, skew


@dataclass(frozen=True, slots=True)
class LinkMotion:
    """Outward: ω, ω̇, a of the body's origin, and U = [ω̇] + [ω][ω], along the body's axes."""

    w: Vec3
    dw: Vec3
    a: Vec3
    U: Matrix3


@dataclass(frozen=True, slots=True)
class Recursion:
    """What both passes found for every link, along the body's axes and at the body's origin.

    inertial: the wrench that moves the body (N about the origin, F); reaction: the wrench that the
    parent exerts on the body through the joint; tau: the share of it along each joint's axis.
    """

    motion: list[LinkMotion]
    inertial: list[Force]
    reaction: list[Force]
    tau: list[Number]


def inverse_dynamics(arm: Mechanism) -> Recursion:
    """τ for the coordinates, rates and accelerations of `arm`; friction, springs and rotors apart."""
    motion = outward(arm)
    inertial = [inertial_wrench(link.inertia, state) for link, state in zip(arm.links, motion, strict=True)]
    reaction = inward(arm, inertial)
    return Recursion(motion, inertial, reaction, joint_torques(arm, reaction))


def angular_field(w: Vec3, dw: Vec3) -> Matrix3:
    """U = [ω̇] + [ω][ω]: a point at r from the origin has the acceleration a + U r."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    square = Matrix3(Vec3(-(yy + zz), xy, xz), Vec3(xy, -(xx + zz), yz), Vec3(xz, yz, -(xx + yy)))
    return skew(dw) + square


def outward(arm: Mechanism) -> list[LinkMotion]:
    """ω, ω̇ and a of every link, from the base outward."""
    # an upward acceleration of the base stands for gravity
    still = Vec3.zero()
    base = LinkMotion(still, still, -arm.gravity, angular_field(still, still))
    found: list[LinkMotion] = []
    for link in arm.links:
        found.append(_next(arm, link, base if link.parent is None else found[link.parent]))
    return found


def _next(arm: Mechanism, link: Link, above: LinkMotion) -> LinkMotion:
    """Across one joint: to its point, into the body's axes, the joint's own motion, to the origin."""
    X, back = link.X, link.X.R.T
    w, dw = back.apply(above.w), back.apply(above.dw)
    a = back.apply(above.a + above.U @ X.p)
    if link.dof is not None:
        rate, acceleration = arm.qd[link.dof], arm.qdd[link.dof]
        if link.turns:
            z = link.S.w
            dw = dw + w.cross(z * rate) + z * acceleration
            w = w + z * rate
        else:
            z = link.S.v
            a = a + z * acceleration + w.cross(z * rate) * 2
    U = angular_field(w, dw)
    return LinkMotion(w, dw, a + U @ X.r, U)


def inertial_wrench(body: Inertia, state: LinkMotion) -> Force:
    """F = ∫ r̈ dm = m a + U h and N = ∫ r × r̈ dm = I ω̇ + ω × I ω + h × a, about the origin."""
    I, U, w, dw = body.I, state.U, state.w, state.dw
    N = Vec3(
        I.xx * dw.x + (I.zz - I.yy) * (w.y * w.z) + I.xz * U.y.x - I.xy * U.z.x + I.yz * (U.y.y - U.z.z),
        I.yy * dw.y + (I.xx - I.zz) * (w.x * w.z) + I.xy * U.z.y - I.yz * U.x.y + I.xz * (U.z.z - U.x.x),
        I.zz * dw.z + (I.yy - I.xx) * (w.x * w.y) + I.yz * U.x.z - I.xz * U.y.z + I.xy * (U.x.x - U.y.y),
    )
    return Force(N + body.h.cross(state.a), state.a * body.m + U @ body.h)


def inward(arm: Mechanism, inertial: list[Force]) -> list[Force]:
    """The wrench through each joint: the body's own and those of its children."""
    reaction = list(inertial)
    for link in reversed(arm.links):
        if link.parent is not None:
            reaction[link.parent] = reaction[link.parent] + link.X.to_parent(reaction[link.index])
    return reaction


def joint_torques(arm: Mechanism, reaction: list[Force]) -> list[Number]:
    """τ_j = S_j · reaction_j."""
    return [link.S.dot(reaction[link.index]) for link in arm.joints]
