"""Builds the same arm with fewer numbers: frames at the joints, slid along their axes, and inertia regrouped.

Torques, M, h and G do not change; poses of the links' own frames and the wrenches in the joints do, so that only
functions that need neither may use such a mechanism.

The part of a link's inertia that its joint does not feel, as its kind says, is moved to the parent. Source: Gautier &
Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", IEEE T-RA 6, 1990.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from qddot.algebra.spatial import Inertia, Pose, Vec3
from qddot.physics.mechanism import Link, Mechanism
from qddot.robot.joints.revolute import structural


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
        if link.kind.is_revolute:
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
        felt, moved = link.kind.split(link.axis, link.inertia.map(structural))
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
        if is_free and link.kind.is_revolute and weightless and body.I.has_one_entry():
            links[link.index] = link.moved(link.kind.home)
    return replace(mechanism, links=tuple(links))


def _moving(mechanism: Mechanism, links: Sequence[Link]) -> Mechanism:
    """Returns the mechanism with other links, none of which has the tool."""
    return replace(mechanism, links=tuple(links), tool_link=0, tool=Pose.identity())
