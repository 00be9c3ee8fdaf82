"""Computes where the links are and how they move: poses, twists, points and Jacobians.

Sources: Lynch & Park, *Modern Robotics*, 2017, chs. 4 and 5; Siciliano, Sciavicco, Villani, Oriolo,
*Robotics*, 2009, §3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.spatial import Pose, Twist, Vec3
from qddot.base.errors import ModelError
from qddot.physics.mechanism import Link, Mechanism


def poses(mechanism: Mechanism) -> list[Pose]:
    """Returns T_0i of every link, from the base frame to the body's frame."""
    T: list[Pose] = []
    for link in mechanism.links:
        step = link.X.pose()
        T.append(step if link.parent is None else T[link.parent] @ step)
    return T


def tool_pose(mechanism: Mechanism) -> Pose:
    """Returns T_0tool, from the base frame to the tool's frame."""
    return poses(mechanism)[mechanism.tool_link] @ mechanism.tool


def tool_jacobian(mechanism: Mechanism) -> list[Twist | None]:
    """Returns the geometric Jacobian of the tool's origin in world axes; its columns are those of `jacobian`."""
    return jacobian(mechanism, mechanism.tool_link, mechanism.tool.p)


def twist_rates(mechanism: Mechanism) -> list[Twist]:
    """Returns V̇_i along the body's axes, with gravity as an upward acceleration of the base.

    V̇_i = X V̇_p + S q̈ + ad_V (S q̇). Source: Lynch & Park 2017, eq. 8.51.
    """
    base = Twist(Vec3.zero(), -mechanism.gravity)
    A: list[Twist] = []
    for link in mechanism.links:
        above = base if link.parent is None else A[link.parent]
        own = link.twist(mechanism.qdd) + mechanism.twists[link.index].cross(link.twist(mechanism.qd))
        A.append(link.X.to_child(above) + own)
    return A


def centre_of_mass(link: Link) -> Vec3:
    """Returns the centre of mass in the body's frame.

    raises ModelError: the description does not give it
    """
    if link.com is None:
        raise ModelError("link-without-centre", name=repr(link.name))
    return link.com


def centres_of_mass(mechanism: Mechanism) -> list[Vec3]:
    """Returns p_c of every link in the base frame."""
    T = poses(mechanism)
    return [T[link.index].apply(centre_of_mass(link)) for link in mechanism.links]


def jacobian(
    mechanism: Mechanism,
    i: int,
    point: Vec3 | None = None,
    T: Sequence[Pose] | None = None,
    carrier: int | None = None,
) -> list[Twist | None]:
    """Returns the geometric Jacobian of a point of link i (its origin by default), world axes.

    Column j is the twist that q̇_j gives the point: angular ω = z_j and linear v = z_j × (p − o_j), or
    v = z_j for a prismatic joint; it is None where joint j does not move the link. T: the links' poses, if known
    carrier: a link that carries link i, for the motion relative to it; then T has the poses of links that it carries
    """
    T = T or poses(mechanism)
    p = T[i].apply(point or Vec3.zero())
    columns: list[Twist | None] = [None] * mechanism.n
    carried_by = () if carrier is None else mechanism.paths[carrier]
    for j, link in mechanism.moving_path(i):
        if link.index in carried_by:
            continue
        R, o = T[link.index].R, T[link.index].p
        S = link.column(j)
        w = R.apply(S.w)
        own, other = Twist(w, R.apply(S.v) + w.cross(p - o)), columns[j]
        columns[j] = own if other is None else other + own
    return columns


def jacobian_rows(columns: Sequence[Twist | None]) -> list[list[Any]]:
    """Returns a Jacobian's rows, linear first, from its columns; None is the column of a joint without influence."""
    twists = [column or Twist.zero() for column in columns]
    return [list(row) for row in zip(*((*twist.v, *twist.w) for twist in twists), strict=True)]


def body_jacobian(mechanism: Mechanism, i: int) -> list[Twist | None]:
    """Returns the Jacobian of link i's frame along the body's own axes; each S is carried outward along the path."""
    columns: list[Twist | None] = [None] * mechanism.n
    for k in mechanism.paths[i]:
        columns = _outward(columns, mechanism.links[k])
    return columns


def body_jacobians(mechanism: Mechanism) -> list[list[Twist | None]]:
    """Returns the body Jacobian of every link, each from its parent's."""
    J: list[list[Twist | None]] = []
    for link in mechanism.links:
        J.append(_outward([None] * mechanism.n if link.parent is None else J[link.parent], link))
    return J


def _outward(columns: list[Twist | None], link: Link) -> list[Twist | None]:
    """Returns a link's body Jacobian from its parent's."""
    columns = [c if c is None else link.X.to_child(c) for c in columns]
    for place in link.places:
        S, other = link.column(place), columns[place]
        columns[place] = S if other is None else other + S
    return columns
