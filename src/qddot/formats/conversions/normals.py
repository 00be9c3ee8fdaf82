"""Computes common normals of neighbouring joint axes, from which both kinds of Denavit–Hartenberg table are made.

Source: Siciliano, Sciavicco, Villani, Oriolo, *Robotics*, 2009, §2.8.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.spatial import Pose, Vec3
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.formats.conversions.geometry import Constants

NEARLY_PARALLEL = 1e-4  # rad


@record()
class Axis:
    """The axis of a joint at q = 0 has a unit vector z and a point p.

    free: whether the joint slides, so that its axis has a direction but no position
    sign: 1 if the coordinate turns or slides along z, −1 if against it
    """

    z: Vec3
    p: Vec3
    free: bool
    sign: int


@record()
class Normal:
    """A common normal of two axes has a unit vector x, and feet A on the first axis and B on the second."""

    x: Vec3
    A: Vec3
    B: Vec3


def common_normal(k: Constants, z: Vec3, E: Vec3, hints: Sequence[Vec3], then: Axis, ahead: Vec3) -> Normal:
    """Returns the normal from the axis along z through E to the next axis; between parallel axes it starts at E.

    A free axis is placed through E. hints: unit vectors; the first, perpendicular to z, is x if x is arbitrary, and
    decides the sign of x between intersecting axes. ahead: a vector towards the tool, which decides it if x is
    perpendicular to that hint.
    raises ModelError: axes that are nearly parallel
    """
    across = k.tidy(z.cross(then.z))
    if k.vanishes(across):
        offset = Vec3.zero() if then.free else then.p - E
        step = k.tidy(offset - z * offset.dot(z))
        return Normal(hints[0], E, E) if k.vanishes(step) else Normal(unit(k, step, hints), E, k.tidy(E + step))
    if k.value(across.dot(across)) < NEARLY_PARALLEL**2:
        raise ModelError("axes-nearly-parallel", least=f"{NEARLY_PARALLEL:g}")
    x = unit(k, across, hints)
    if then.free:
        return _oriented(k, Normal(x, E, E), (hints[0], ahead))
    c, square = z.dot(then.z), across.dot(across)
    w = then.p - E
    A = E + z * k.quotient(w.dot(z) - w.dot(then.z) * c, square)
    B = then.p + then.z * k.quotient(w.dot(z) * c - w.dot(then.z), square)
    return _oriented(k, Normal(x, k.tidy(A), k.tidy(B)), (hints[0], ahead))


def kept_normal(k: Constants, frame: Pose, first: Axis, E: Vec3, then: Axis) -> Normal | None:
    """Returns the normal along the x axis of a link's own frame if that frame follows a DH convention, else None.

    The origin of a standard frame is on the second axis, that of a modified one on the first, which passes through E.
    """
    axes = frame.R.T
    x, z, O = axes.x, axes.z, frame.p
    if not k.is_zero(x.dot(first.z)) or not k.is_zero(x.dot(then.z)):
        return None
    if k.vanishes(z.cross(then.z)) and (then.free or k.vanishes((O - then.p).cross(then.z))):
        A = k.tidy(E + first.z * (O - E).dot(first.z))
        if k.vanishes((O - A).cross(x)):
            return Normal(x, A, O)
    if k.vanishes(z.cross(first.z)) and k.vanishes((O - E).cross(first.z)):
        B = k.tidy(O + x * (then.p - O).dot(x))
        if k.vanishes((then.p - B).cross(then.z)):
            return Normal(x, O, B)
        if then.free:
            return Normal(x, O, O)
    return None


def unit(k: Constants, v: Vec3, hints: Sequence[Vec3]) -> Vec3:
    """Returns v / |v|; if v is parallel to a hint, the result is that hint or its negative."""
    for hint in hints:
        if k.vanishes(v.cross(hint)):
            return hint if k.value(v.dot(hint)) > 0 else -hint
    length = k.root(v.dot(v))
    back = -1 if k.value(length) < 0 else 1
    return k.tidy(v.map(lambda entry: k.quotient(entry * back, length)))  # type: ignore[no-any-return]


def _oriented(k: Constants, normal: Normal, ways: Sequence[Vec3]) -> Normal:
    """Returns the normal with its x axis directed from the first axis to the second.

    If the axes meet, x is directed along the first vector of `ways` that is not perpendicular to it.
    """
    for way in (normal.B - normal.A, *ways):
        forward = way.dot(normal.x)
        if not k.is_zero(forward):
            return Normal(-normal.x, normal.A, normal.B) if k.value(forward) < 0 else normal
    return normal
