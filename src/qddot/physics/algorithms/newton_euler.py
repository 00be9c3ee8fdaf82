"""Computes inverse dynamics by Newton's and Euler's equations: outward for motion, inward for force.

`recursion_in_twists` is the recursion as the books print it; `inverse_dynamics`, which is compiled, gives the same
torques with fewer operations.
Sources: Lynch & Park, *Modern Robotics*, 2017, §8.3; Featherstone 2008, §5.3; Luh, Walker, Paul, "On-line
computational scheme for mechanical manipulators", 1980; Craig, *Introduction to Robotics*, 2005, §6.5; the tensors
U and J are those of Balafoutis, Patel & Misra, "Efficient modeling and computation of manipulator dynamics using
orthogonal Cartesian tensors", IEEE J-RA 4, 1988.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from qddot.algebra.spatial import Force, Inertia, Matrix3, Number, Vec3, skew
from qddot.base.records import record
from qddot.physics.algorithms.kinematics import body_jacobians, twist_rates
from qddot.physics.mechanism import Link, Mechanism


@record(slots=True)
class LinkMotion:
    """This is a link's ω, ω̇, the acceleration a of its origin, and U = [ω̇] + [ω][ω], along the body's axes."""

    w: Vec3
    dw: Vec3
    a: Vec3
    U: Matrix3


@record()
class Recursion:
    """The recursion holds the results of both passes for every link, along the body's axes and at the body's origin.

    inertial: the wrench that accelerates the body (moment N about the origin, force F)
    external: the external wrench on each link; empty if there is none
    """

    mechanism: Mechanism
    motion: list[LinkMotion]
    inertial: list[Force]
    external: Sequence[Force]

    @cached_property
    def reaction(self) -> list[Force]:
        """Returns the wrench that each link's parent exerts on it through the joint, by the inward pass."""
        if not self.external:
            return inward(self.mechanism, self.inertial)
        return inward(self.mechanism, [a + -b for a, b in zip(self.inertial, self.external, strict=True)])

    @cached_property
    def tau(self) -> list[Number]:
        """Returns the components of these wrenches along the joints' axes."""
        return joint_torques(self.mechanism, zip(self.mechanism.links, self.reaction, strict=True))


def recursion_in_twists(mechanism: Mechanism) -> list[Number]:
    """Returns τ of the bodies by twists V and wrenches F, each at its body's origin and along its body's axes.

    V_i = X V_p + S q̇,  V̇_i = X V̇_p + S q̈ + ad_V (S q̇),  F_i = 𝒢 V̇_i − ad_Vᵀ 𝒢 V_i + Σ X F_child,  τ_j = S · F
    """
    V, dV = mechanism.twists, twist_rates(mechanism)
    F = [link.inertia.wrench(V[link.index], dV[link.index]) for link in mechanism.links]
    return joint_torques(mechanism, zip(mechanism.links, inward(mechanism, F), strict=True))


def inverse_dynamics(mechanism: Mechanism, external: Sequence[Force] = ()) -> Recursion:
    """Returns both passes and τ for the state and accelerations of `mechanism`, without friction, springs and armature.

    external: the external wrench on each link, along its axes and at its origin; empty if there is none
    """
    motion = outward(mechanism)
    inertial = [inertial_wrench(link.inertia, state) for link, state in zip(mechanism.links, motion, strict=True)]
    return Recursion(mechanism, motion, inertial, external)


def torques(mechanism: Mechanism) -> list[Number]:
    """Returns only τ of `inverse_dynamics`, so that long wrenches are not kept in memory.

    If several joints share a coordinate, there can be bodies that never turn; a moment on one does no work, and is
    dropped.
    """
    inertial = inverse_dynamics(mechanism).inertial
    shared = len(mechanism.moving) > mechanism.n
    unturned = [not any(any(c.w) for c in columns if c) for columns in body_jacobians(mechanism)] if shared else ()
    return joint_torques(mechanism, from_tip(mechanism, inertial, unturned))


def angular_field(w: Vec3, dw: Vec3) -> Matrix3:
    """Returns U = [ω̇] + [ω][ω]: a point at r from the origin has the acceleration a + U r."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    square = Matrix3(Vec3(-(yy + zz), xy, xz), Vec3(xy, -(xx + zz), yz), Vec3(xz, yz, -(xx + yy)))
    return skew(dw) + square


def outward(mechanism: Mechanism) -> list[LinkMotion]:
    """Returns the motion of every link, from the base outward."""
    base, motion = at_base(mechanism), list[LinkMotion]()
    for link in mechanism.links:
        motion.append(_next(mechanism, link, base if link.parent is None else motion[link.parent]))
    return motion


def at_base(mechanism: Mechanism) -> LinkMotion:
    """Returns the motion of the base, whose upward acceleration stands for gravity."""
    still = Vec3.zero()
    return LinkMotion(still, still, -mechanism.gravity, angular_field(still, still))


def before_joint(mechanism: Mechanism, link: Link, motion: Sequence[LinkMotion]) -> LinkMotion:
    """Returns the motion that the parent gives to a link's joint, along the link's axes."""
    above = at_base(mechanism) if link.parent is None else motion[link.parent]
    back = link.X.R.T
    w, dw = back.apply(above.w), back.apply(above.dw)
    return LinkMotion(w, dw, back.apply(above.a + above.U @ link.X.p), angular_field(w, dw))


def _next(mechanism: Mechanism, link: Link, above: LinkMotion) -> LinkMotion:
    """Returns a link's motion from its parent's: to the joint, into the body's axes, along the joint, to the origin."""
    X, back = link.X, link.X.R.T
    w, dw = back.apply(above.w), back.apply(above.dw)
    a = back.apply(above.a + above.U @ X.p)
    columns, U = link.columns_at_joint, None
    if any(any(S.v) for S in columns):
        own, change = link.twist_at_joint(mechanism.qd), link.twist_at_joint(mechanism.qdd)
        a = a + change.v + w.cross(own.v) * 2 + own.w.cross(own.v)
    if (place := link.kind.axis_kept(columns)) is not None:
        (j,), z = link.places, columns[0].w
        bent = back.apply(above.U @ link.placement.R.apply(link.axis))
        w = w + z * mechanism.qd[j]
        dw, U = turning_field(w, z * (dw.dot(z) + mechanism.qdd[j]), bent * tuple(z)[place], place)
    elif any(any(S.w) for S in columns):
        own, change = link.twist_at_joint(mechanism.qd), link.twist_at_joint(mechanism.qdd)
        dw = dw + w.cross(own.w) + change.w
        w = w + own.w
    U = U or angular_field(w, dw)
    return LinkMotion(w, dw, a + U @ X.r, U)


def turning_field(w: Vec3, along: Vec3, bent: Vec3, k: int) -> tuple[Vec3, Matrix3]:
    """Returns ω̇ and U of a body that turns about axis k of its frame; the joint's motion does not change column k of U.

    along: the component of ω̇ along the axis; bent: the axis's second derivative U e_k, known from the parent's motion.
    This saves the joint's cross product and one square of `angular_field`.
    """
    i, j = (k + 1) % 3, (k + 2) % 3
    w_, b, turn = tuple(w), tuple(bent), tuple(along)[k]
    ij, ik, jk = w_[i] * w_[j], w_[i] * w_[k], w_[j] * w_[k]
    ii, kk = w_[i] * w_[i], w_[k] * w_[k]
    dw: list[Any] = [0, 0, 0]
    dw[i], dw[j], dw[k] = jk - b[j], b[i] - ik, turn
    U: list[list[Any]] = [[0, 0, 0] for _ in range(3)]
    U[i][i], U[i][j], U[i][k] = b[k] + (ii - kk), ij - turn, b[i]
    U[j][i], U[j][j], U[j][k] = ij + turn, -(ii + kk), b[j]
    U[k][i], U[k][j], U[k][k] = ik - dw[j], jk + dw[i], b[k]
    return Vec3(*dw), Matrix3(*(Vec3(*row) for row in U))


def inertial_wrench(body: Inertia, state: LinkMotion) -> Force:
    """Returns F = ∫ r̈ dm = m a + U h and N = ∫ r × r̈ dm = h × a + the moment of U J, about the origin.

    With J = ∫ r rᵀ dm, each second moment that is zero saves a product. If the inertia has one entry only, I ω̇ + ω × I
    ω is shorter.
    """
    I = body.I
    single_entry = I.has_one_entry()
    N = I.apply(state.dw) + state.w.cross(I.apply(state.w)) if single_entry else moment(body, state.U)
    return Force(N + body.h.cross(state.a), state.a * body.m + state.U @ body.h)


def moment(body: Inertia, U: Matrix3) -> Vec3:
    """Returns ∫ r × U r dm, the axial vector of U J − (U J)ᵀ."""
    I, (xx, yy, zz) = body.I, body.second_moments()
    return Vec3(
        U.z.y * yy - U.y.z * zz - U.z.x * I.xy + U.y.x * I.xz - (U.z.z - U.y.y) * I.yz,
        U.x.z * zz - U.z.x * xx - U.x.y * I.yz + U.z.y * I.xy - (U.x.x - U.z.z) * I.xz,
        U.y.x * xx - U.x.y * yy - U.y.z * I.xz + U.x.z * I.yz - (U.y.y - U.x.x) * I.xy,
    )


def inward(mechanism: Mechanism, wrenches: Sequence[Force]) -> list[Force]:
    """Returns the wrench through each joint: the body's own plus those of its children."""
    reaction = {link.index: wrench for link, wrench in from_tip(mechanism, wrenches)}
    return [reaction[link.index] for link in mechanism.links]


def from_tip(
    mechanism: Mechanism, wrenches: Sequence[Force], unturned: Sequence[bool] = ()
) -> Iterator[tuple[Link, Force]]:
    """Yields each link with the wrench through its joint, from the tips to the base.

    unturned: for each link, whether the moment on it is dropped
    """
    reaction = dict(enumerate(wrenches))
    for link in reversed(mechanism.links):
        wrench = reaction.pop(link.index)
        if unturned and unturned[link.index]:
            wrench = Force(Vec3.zero(), wrench.f)
        if link.parent is not None:
            reaction[link.parent] = reaction[link.parent] + link.X.to_parent(wrench)
        yield link, wrench


def own_axis(link: Link) -> Vec3:
    """Returns the direction, along the body's axes, of a joint that has one velocity; zero for other joints."""
    if len(link.places) != 1:
        return Vec3.zero()
    along = link.offset.R.T.apply(link.axis)
    return along if link.ratio is None else along * link.ratio


def to_axis(link: Link) -> Vec3:
    """Returns the vector from a body's origin to a point on the axis of its turning joint, along the body's axes."""
    return -link.offset.R.T.apply(link.offset.p) if link.kind.is_angle else Vec3.zero()


def moment_about_axis(link: Link, reaction: Force) -> Vec3:
    """Returns n − ρ × f, the moment through a turning joint about a point ρ on its axis; zero for other joints."""
    if not link.kind.is_angle:
        return Vec3.zero()
    return reaction.n - to_axis(link).cross(reaction.f)


def joint_torques(mechanism: Mechanism, reaction: Iterable[tuple[Link, Force]]) -> list[Number]:
    """Returns τ_j = Σ S · reaction over the joints that q_j moves, from the links with their reactions."""
    tau: list[Number] = [0] * mechanism.n
    for link, wrench in reaction:
        for place in link.places:
            tau[place] = tau[place] + link.column(place).dot(wrench)
    return tau
