"""Computes ∂τ/∂q, ∂τ/∂q̇ and M by composite bodies: a change of one joint moves every link that it carries.

A change of joint j's position or rate changes ω, ω̇ and the acceleration a of its link's origin, and with them the
wrench of everything outboard. This change depends only on composites: mass, first moment h, inertia I, and, since the
links move relative to each other, ḣ, the angular momentum L and İ relative to the link. The change of the wrench is
carried from link to link toward the base. In the other direction, the response of τ_i to a change of (ω, ω̇, a)
is a covector that is carried from i to the base. Sources: Carpentier & Mansard, "Analytical derivatives of rigid
body dynamics algorithms", RSS 2018; Singh, Russell & Wensing, "Efficient analytical derivatives of rigid-body
dynamics using spatial vector algebra", IEEE RA-L 7, 2022; here with body axes and Cartesian tensors.

For joints with quasi-velocities, ∂τ/∂q is the derivative along the vector fields of the velocities.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from qddot.algebra.spatial import (
    Force,
    Inertia,
    Matrix3,
    Number,
    SymmetricMatrix3,
    Transform,
    Twist,
    Vec3,
    parallel_axis,
    skew,
)
from qddot.base.records import record
from qddot.physics.algorithms import newton_euler
from qddot.physics.algorithms.newton_euler import LinkMotion
from qddot.physics.mechanism import Link, Mechanism


@record(slots=True)
class Flow:
    """A flow is ḣ, L and İ of the bodies that a link carries, relative to the link."""

    h: Vec3
    L: Vec3
    I: SymmetricMatrix3

    def __add__(self, other: Flow) -> Flow:
        return Flow(self.h + other.h, self.L + other.L, self.I + other.I)

    def scaled(self, rate: Number) -> Flow:
        return Flow(self.h * rate, self.L * rate, self.I.map(lambda entry: entry * rate))

    def to_parent(self, X: Transform) -> Flow:
        h = X.R.apply(self.h)
        return Flow(h, X.R.apply(self.L) + X.p.cross(h), self.I.rotated(X.R) + parallel_axis(h, X.p))


@record(slots=True)
class Change:
    """This holds the changes of ω, ω̇, U = [ω̇] + [ω][ω] and a of a link."""

    w: Vec3
    dw: Vec3
    U: Matrix3
    a: Vec3


@record(slots=True)
class Answer:
    """An answer is the response of a torque to changes of ω, ω̇ and a of a link."""

    w: Vec3
    dw: Vec3
    a: Vec3

    def to(self, change: Change) -> Number:
        return self.w.dot(change.w) + self.dw.dot(change.dw) + self.a.dot(change.a)


def inverse_dynamics_derivatives(mechanism: Mechanism) -> tuple[list[list[Any]], list[list[Any]], list[list[Any]]]:
    """Returns (∂τ/∂q, ∂τ/∂q̇, M) of the bodies; frames must be at their joints (`at_joints` or `regrouped`)."""
    passes = newton_euler.inverse_dynamics(mechanism)
    motion, wrench, total = passes.motion, passes.reaction, mechanism.composite_inertias
    flow = flows(mechanism, total)
    by_q, by_qd, M = (_zeros(mechanism.n) for _ in range(3))

    @cache
    def changes(j: int, k: int) -> tuple[Change, Change]:
        return _changes(mechanism, j, mechanism.links[k], motion)

    for i, link in mechanism.moving:
        k = link.index
        place, rate = changes(i, k)
        moved = response(total[k], flow[k], place) + turned_wrench(link, i, wrench[k])
        sped = response(total[k], flow[k], rate)
        answer = first_answer(link.column(i), motion[k], total[k], flow[k])
        for j in link.places:
            M[i][j] = M[i][j] + _along(link.column(j), answer)
            place, rate = changes(j, k)
            by_q[i][j], by_qd[i][j] = by_q[i][j] + answer.to(place), by_qd[i][j] + answer.to(rate)
        while link.parent is not None:
            moved, sped = link.X.to_parent(moved), link.X.to_parent(sped)
            answer, link = carried(mechanism, link, answer, motion[link.parent]), mechanism.links[link.parent]
            for j in link.places:
                S, (place, rate) = link.column(j), changes(j, link.index)
                by_q[j][i], by_qd[j][i] = by_q[j][i] + S.dot(moved), by_qd[j][i] + S.dot(sped)
                by_q[i][j] = by_q[i][j] + answer.to(place)
                by_qd[i][j] = by_qd[i][j] + answer.to(rate)
                M[i][j] = M[j][i] = M[i][j] + (_along(S, answer) if i != j else _along(S, answer) * 2)
    return by_q, by_qd, M


def _zeros(n: int) -> list[list[Any]]:
    return [[0] * n for _ in range(n)]


def flows(mechanism: Mechanism, total: Sequence[Inertia]) -> list[Flow]:
    """Returns the flow of every link, from the tips inward, as the joints' rates cause it."""
    still = Flow(Vec3.zero(), Vec3.zero(), SymmetricMatrix3.diagonal(0, 0, 0))
    flow_of = [still] * len(mechanism.links)
    for link in reversed(mechanism.links):
        if link.parent is None:
            continue
        flow, body = flow_of[link.index], total[link.index]
        if link.dof is not None:
            flow = flow + _of_joint(mechanism, link, body)
        flow_of[link.parent] = flow_of[link.parent] + flow.to_parent(link.X)
    return flow_of


def _of_joint(mechanism: Mechanism, link: Link, body: Inertia) -> Flow:
    """Returns the flow that a joint's own rates cause."""
    if len(link.places) > 1:
        return _of_twist(link.twist(mechanism.qd), body)
    (place,) = link.places
    return _of_twist(link.S, body).scaled(mechanism.qd[place])


def _of_twist(S: Twist, body: Inertia) -> Flow:
    """Returns the flow for a twist, without the operations of a part that is structurally zero."""
    if not any(S.v):
        return _of_turn(S.w, body)
    return _of_turn(S.w, body) + _of_slide(S.v, body) if any(S.w) else _of_slide(S.v, body)


def _of_turn(w: Vec3, body: Inertia) -> Flow:
    return Flow(w.cross(body.h), body.I.apply(w), turning_tensor(w, body.I))


def _of_slide(v: Vec3, body: Inertia) -> Flow:
    return Flow(v * body.m, body.h.cross(v), parallel_axis(body.h, v))


def turning_tensor(z: Vec3, I: SymmetricMatrix3) -> SymmetricMatrix3:
    """Returns [z] I − I [z], the rate of I when its body turns about z."""
    x, y, w = (z.cross(Vec3(*column)) for column in I.rows())  # the columns of [z] I
    return SymmetricMatrix3(x.x * 2, x.y + y.x, x.z + w.x, y.y * 2, y.z + w.y, w.z * 2)


def _changes(mechanism: Mechanism, j: int, link: Link, motion: Sequence[LinkMotion]) -> tuple[Change, Change]:
    """Returns the changes of a link's motion for a unit of position j of its joint, and for a unit of rate j."""
    state, S = motion[link.index], link.column(j)
    if link.kind.is_revolute:
        return place_of_turn(S.w, state), rate_of_turn(S.w, state)
    if link.kind.is_prismatic:
        return place_of_slide(S.v, state), rate_of_slide(S.v, state)
    above, own = newton_euler.before_joint(mechanism, link, motion), link.twist(mechanism.qd)
    return change_of_place(S, own, above, state), change_of_rate(S, own, above, state)


def change_of_place(S: Twist, own: Twist, above: LinkMotion, state: LinkMotion) -> Change:
    """Returns the change along the vector field of a velocity whose twist is S, with all velocities held.

    own: the twist of the joint's velocities; above: the motion of `before_joint`
    """
    w = above.w.cross(S.w)
    dw = above.dw.cross(S.w) + w.cross(own.w)
    a = above.a.cross(S.w) + w.cross(own.v) * 2 + above.U @ S.v
    return Change(w, dw, skew(dw) + squared(w, state.w), a)


def change_of_rate(S: Twist, own: Twist, above: LinkMotion, state: LinkMotion) -> Change:
    """Returns the change for a unit of a velocity whose twist is S."""
    dw = above.w.cross(S.w)
    a = above.w.cross(S.v) * 2 + own.w.cross(S.v) + S.w.cross(own.v)
    return Change(S.w, dw, skew(dw) + squared(S.w, state.w), a)


def place_of_turn(z: Vec3, state: LinkMotion) -> Change:
    """Returns the change of `change_of_place` for a turn: the link sees its parent's motion turn back."""
    turn = skew(z)
    return Change(state.w.cross(z), state.dw.cross(z), state.U.times(turn) + -turn.times(state.U), state.a.cross(z))


def place_of_slide(v: Vec3, state: LinkMotion) -> Change:
    """Returns the change of `change_of_place` for a translation."""
    nothing = Vec3.zero()
    return Change(nothing, nothing, Matrix3(nothing, nothing, nothing), state.U @ v)


def rate_of_turn(z: Vec3, state: LinkMotion) -> Change:
    """Returns the change of `change_of_rate` for a turn."""
    across = state.w.cross(z)
    return Change(z, across, skew(across) + squared(z, state.w), Vec3.zero())


def rate_of_slide(v: Vec3, state: LinkMotion) -> Change:
    """Returns the change of `change_of_rate` for a translation."""
    nothing = Vec3.zero()
    return Change(nothing, nothing, Matrix3(nothing, nothing, nothing), state.w.cross(v) * 2)


def squared(a: Vec3, b: Vec3) -> Matrix3:
    """Returns [a][b] + [b][a] = a bᵀ + b aᵀ − 2 (a · b) 1."""
    return Matrix3(*(-Vec3(*row) for row in parallel_axis(a, b).rows()))


def response(body: Inertia, flow: Flow, change: Change) -> Force:
    """Returns the change of the wrench of all that a link carries, from the change of the link's motion."""
    spin = flow.I.apply(change.w) + change.w.cross(flow.L)
    n = newton_euler.moment(body, change.U) + body.h.cross(change.a) + spin
    return Force(n, change.a * body.m + change.U @ body.h + change.w.cross(flow.h) * 2)


def turned_wrench(link: Link, place: int, wrench: Force) -> Force:
    """Returns the change of a wrench in the parent when its frame turns or slides with the joint, for a unit of q."""
    return link.column(place).cross_force(wrench)


def first_answer(S: Twist, state: LinkMotion, body: Inertia, flow: Flow) -> Answer:
    """Returns the response of S · wrench to its own link's motion; (dw, a) is the composite momentum of S."""
    momentum, z, w = body.momentum(S), S.w, Vec3.zero()
    if any(z):
        w = flow.I.apply(z) + (flow.L + body.I.apply(state.w)).cross(z) + body.I.apply(z.cross(state.w))
    if any(S.v):
        w = w + (centripetal(state.w, body.h, S.v) + flow.h.cross(S.v) * 2)
    return Answer(w, momentum.n, momentum.f)


def carried(mechanism: Mechanism, link: Link, answer: Answer, above: LinkMotion) -> Answer:
    """Returns the same torque's response to the parent's motion."""
    R, p, w = link.X.R, link.X.p, answer.w
    if len(link.places) > 1:
        own = link.twist(mechanism.qd)
        w = w + own.w.cross(answer.dw) + own.v.cross(answer.a) * 2
    elif link.places:
        (place,) = link.places
        w = w + (link.S.w.cross(answer.dw) + link.S.v.cross(answer.a) * 2) * mechanism.qd[place]
    a = R.apply(answer.a)
    return Answer(R.apply(w) + centripetal(above.w, p, a), R.apply(answer.dw) + p.cross(a), a)


def centripetal(w: Vec3, p: Vec3, a: Vec3) -> Vec3:
    """Returns the factor of δω in a · δ(ω × (ω × p)): p (a · ω) + a (p · ω) − 2 ω (a · p)."""
    return p * a.dot(w) + a * p.dot(w) - w * (a.dot(p) * 2)


def _along(S: Twist, answer: Answer) -> Number:
    """Returns the response to a unit of acceleration along S."""
    return S.w.dot(answer.dw) + S.v.dot(answer.a)
