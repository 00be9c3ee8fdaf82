"""The same arm with fewer numbers: frames at the joints, slid along their axes, inertia regrouped.

Every torque, M, h and G stay what they are; poses of the links' own frames and the wrenches in the joints
do not, so that only functions without them may use such a mechanism.

What a joint cannot feel of its link is moved to the link's parent. A revolute joint does not feel the mass,
the first moment along its axis u, nor a tensor t (1 − u uᵀ): nothing changes about the parent when the joint
turns. A prismatic joint does not feel the tensor of a link without mass and first moment. Sources: Gautier &
Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", IEEE T-RA 6, 1990.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from qddot.model.mechanism import Link, Mechanism, joint_motion
from qddot.spatial import Inertia, Pose, Rotation, SymmetricMatrix3, Vec3


def regrouped(arm: Mechanism, slid: bool) -> Mechanism:
    """Frames at the joints (`slid`: moved along turning axes, too) and base parameters as inertias."""
    shifted = at_joints(arm)
    return base_parameters(slide(shifted) if slid else shifted)


def at_joints(arm: Mechanism) -> Mechanism:
    """Every link's frame moved to its joint's: the offsets go to the children and the inertias."""
    links: list[Link] = []
    for link in arm.links:
        above = Pose.identity() if link.parent is None else arm.links[link.parent].offset
        inertia = link.inertia.rotated(link.offset.R).shifted(link.offset.p)
        links.append(replace(link, placement=above @ link.placement, offset=Pose.identity(), inertia=inertia, com=None))
    return _moving(arm, links)


def slide(arm: Mechanism) -> Mechanism:
    """Every frame on a turning joint moved along its axis to where its placement is shortest."""
    links = list(arm.links)
    along = [Vec3.zero()] * len(links)
    for link in links:
        placement = link.placement
        if link.parent is not None:
            placement = Pose(placement.R, placement.p - along[link.parent])
        if link.turns and link.dof is not None:
            u = placement.R.apply(link.axis)
            part = placement.p.dot(u)
            placement = Pose(placement.R, placement.p - u * part)
            along[link.index] = link.axis * -part
        inertia = link.inertia.shifted(-along[link.index])
        links[link.index] = replace(link, placement=placement, inertia=inertia)
    return _moving(arm, links)


def base_parameters(arm: Mechanism) -> Mechanism:
    """From the tips inward, move what each joint does not feel to the parent; drop it at the base."""
    links = list(arm.links)
    for k in reversed(range(len(links))):
        link = links[k]
        kept, moved = _split(link)
        links[k] = replace(link, inertia=kept)
        if link.parent is not None:
            parent = links[link.parent]
            shifted = moved.rotated(link.placement.R).shifted(link.placement.p)
            links[link.parent] = replace(parent, inertia=parent.inertia + shifted)
    return _moving(arm, links)


def _split(link: Link) -> tuple[Inertia, Inertia]:
    """What the joint feels of a link's inertia, and the rest, in the link's frame at the joint."""
    body = link.inertia
    nothing = SymmetricMatrix3.diagonal(0, 0, 0)
    if link.dof is None:
        return Inertia.zero(), body
    if not link.turns:
        return Inertia(body.m, body.h, nothing), Inertia(0, Vec3.zero(), body.I)
    place = _axis_place(link.axis)
    if place is None:
        return body, Inertia.zero()
    I, (hx, hy, hz) = body.I, body.h
    x, y, z = (int(k == place) for k in range(3))
    h = Vec3(hx * x, hy * y, hz * z)
    # the transverse moment that vanishes: the one after the axis in the order z, x, y
    t = (I.zz, I.xx, I.yy)[place]
    transverse = SymmetricMatrix3.diagonal(t * (1 - x), t * (1 - y), t * (1 - z))
    kept = SymmetricMatrix3(
        0 if place == 1 else (I.xx if x else I.xx - t),
        I.xy,
        I.xz,
        0 if place == 2 else (I.yy if y else I.yy - t),
        I.yz,
        0 if place == 0 else (I.zz if z else I.zz - t),
    )
    rest = Vec3(hx * (1 - x), hy * (1 - y), hz * (1 - z))
    return Inertia(0, rest, kept), Inertia(body.m, h, transverse)


def _axis_place(axis: Vec3) -> int | None:
    """0, 1 or 2 where the axis is ±x, ±y or ±z."""
    entries = list(axis)
    for place, sign in product(range(3), (1, -1)):
        if entries == [sign * (k == place) for k in range(3)]:
            return place
    return None


def _moving(arm: Mechanism, links: Sequence[Link]) -> Mechanism:
    """The mechanism with each link's motion made anew from its placement, axis and offset."""
    remade = []
    for link in links:
        X, S = joint_motion(link.placement, link.axis, link.offset, link.dof, link.turns, arm.q, arm.circular)
        remade.append(replace(link, X=X, S=S))
    return replace(arm, links=tuple(remade), tool_link=0, tool=Pose(Rotation.identity(), Vec3.zero()))
