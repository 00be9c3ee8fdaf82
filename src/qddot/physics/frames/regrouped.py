"""Builds the same arm with fewer numbers: frames at the joints, slid along their axes, and inertia regrouped.

Torques, M, h and G do not change; poses of the links' own frames and the wrenches in the joints do, so that only
functions that need neither may use such a mechanism.

The part of a link's inertia that its joint does not feel is moved to the parent. A revolute joint does not feel the
mass, the first moment along its axis u, or a tensor t (1 − u uᵀ): the parent sees no change when the joint turns. A
prismatic joint does not feel the tensor of a link without mass and first moment. Sources: Gautier &
Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", IEEE T-RA 6, 1990.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from qddot.algebra.freedoms import SPHERICAL
from qddot.algebra.spatial import Inertia, Pose, SymmetricMatrix3, Vec3
from qddot.physics.mechanism import Link, Mechanism


def regrouped(mechanism: Mechanism, slid: bool, pushed: Collection[int] = ()) -> Mechanism:
    """Returns the arm with frames at its joints and the fewest inertial numbers.

    slid: whether frames also move along turning axes; pushed: the links on which external wrenches act, whose frames
    have to turn with them
    """
    shifted = at_joints(mechanism)
    return unturned(unfelt_moved_inward(slide(shifted) if slid else shifted), pushed)


def at_joints(mechanism: Mechanism) -> Mechanism:
    """Returns the arm with every link's frame at its joint, and with placements and inertias changed accordingly."""
    links: list[Link] = []
    for link in mechanism.links:
        above = Pose.identity() if link.parent is None else mechanism.links[link.parent].offset
        inertia = link.inertia.placed(link.offset)
        links.append(replace(link, placement=above @ link.placement, offset=Pose.identity(), inertia=inertia, com=None))
    return replace(_moving(mechanism, links), frames=tuple(link.offset for link in mechanism.links))


def slide(mechanism: Mechanism) -> Mechanism:
    """Returns the arm with every frame on a turning joint moved along its axis to where its placement is shortest."""
    links = list(mechanism.links)
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
    before = [mechanism.frame(link.index) for link in links]
    frames = tuple(Pose(T.R, T.p - moved) for T, moved in zip(before, along, strict=True))
    return replace(_moving(mechanism, links), frames=frames)


def unfelt_moved_inward(mechanism: Mechanism) -> Mechanism:
    """Returns the arm with unfelt inertia moved to the parent, from the tips inward; the base drops it."""
    links = list(mechanism.links)
    for k in reversed(range(len(links))):
        link = links[k]
        felt, moved = _split(link)
        links[k] = replace(link, inertia=felt)
        if link.parent is not None:
            parent = links[link.parent]
            shifted = moved.placed(link.placement)
            links[link.parent] = replace(parent, inertia=parent.inertia + shifted)
    return _moving(mechanism, links)


def unturned(mechanism: Mechanism, pushed: Collection[int] = ()) -> Mechanism:
    """Returns the arm with massless last links held at 0 if they are symmetric about their axes; no torque changes."""
    links = list(mechanism.links)
    for link in mechanism.links:
        body = link.inertia
        weightless = (body.m, *body.h) == (0, 0, 0, 0)
        tip = not any(
            mechanism.carries(link.index, other.index)
            for other in mechanism.links
            if other is not link and other.inertia != Inertia.zero()
        )
        is_free = tip and not any(mechanism.carries(link.index, k) for k in pushed)
        if is_free and link.turns and weightless and body.I.has_one_entry():
            links[link.index] = link.moved((1, 0), 0)
    return replace(mechanism, links=tuple(links))


def _split(link: Link) -> tuple[Inertia, Inertia]:
    """Returns the part of a link's inertia that its joint feels, and the rest, in the link's frame at the joint."""
    body = link.inertia.map(_structural)
    if link.dof is None:
        return Inertia.zero(), body
    if link.several:
        # a ball does not feel a mass at its centre
        felt = Inertia(0, body.h, body.I) if link.several == SPHERICAL else body
        return felt, Inertia(body.m if link.several == SPHERICAL else 0, Vec3.zero(), Inertia.zero().I)
    if not link.turns:
        nothing = SymmetricMatrix3.diagonal(0, 0, 0)
        return Inertia(body.m, body.h, nothing), Inertia(0, Vec3.zero(), body.I)
    place = link.axis.unit_place()
    if place is None:
        return body, Inertia.zero()
    I, h = body.I, body.h
    x, y, z = (int(k == place) for k in range(3))
    along, across = Vec3(h.x * x, h.y * y, h.z * z), Vec3(h.x * (1 - x), h.y * (1 - y), h.z * (1 - z))
    t, moments = _transverse(body, place)
    tensor = SymmetricMatrix3(moments[0], I.xy, I.xz, moments[1], I.yz, moments[2])
    moved = SymmetricMatrix3.diagonal(t * (1 - x), t * (1 - y), t * (1 - z))
    return Inertia(0, across, tensor), Inertia(body.m, along, moved)


def _transverse(body: Inertia, place: int) -> tuple[Any, list[Any]]:
    """Returns t of the tensor t (1 − u uᵀ) that moves to the parent, and the three moments that stay.

    A body that is symmetric about the axis keeps only its axial moment. Otherwise t = ∫ (u · r)² dm, the
    second moment along the axis, so that the axial moment is the sum of the other two.
    """
    I = body.I
    moments: list[Any] = [I.xx, I.yy, I.zz]
    a, b = place - 1, place - 2
    products = (I.xy, I.xz, I.yz, tuple(body.h)[a], tuple(body.h)[b])
    if all(entry == 0 for entry in (_structural(moments[a] - moments[b]), *products)):
        t, moments[a], moments[b] = moments[a], 0, 0
    else:
        t = body.second_moments()[place]
        moments[a], moments[b] = moments[a] - t, moments[b] - t
        moments[place] = moments[a] + moments[b]
    return t, moments


def _structural(entry: Any) -> Any:
    """Returns the integer 0 for a constant node that is zero, and any other entry unchanged."""
    return 0 if getattr(entry, "constant", entry) == 0 else entry


def _moving(mechanism: Mechanism, links: Sequence[Link]) -> Mechanism:
    """Returns the mechanism with other links, none of which has the tool."""
    return replace(mechanism, links=tuple(links), tool_link=0, tool=Pose.identity())
