"""Finds links that rotate about a single direction, so that only one diagonal entry of their inertia matters.

The structure decides: every joint from the base to the link turns about a parallel axis or slides. Parallel axes stay
    parallel, so that it suffices to examine the pose q = 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.spatial import SymmetricMatrix3, Vec3
from qddot.robot.bodies import BASE, Body

DIAGONAL = ("xx", "yy", "zz")


def turning_axes(bodies: Iterable[Body]) -> dict[str, Vec3 | None]:
    """Returns the direction about which each body turns, in its own axes at q = 0; zero if it does not turn.

    The direction is None if the body turns about several directions, or if its parent is not in `bodies`. Parents come
    first.
    """
    axes: dict[str, Vec3 | None] = {BASE: Vec3.zero()}
    for body in bodies:
        joint, carried = body.joint, axes.get(body.joint.parent)
        if carried is not None:
            carried = joint.placement.R.T.apply(carried).map(_plain)
            if joint.freedoms is not None:
                axes[body.name] = None
                continue
            if any(joint.kind.angular):
                parallel = not any(carried.cross(joint.axis).map(_plain))
                carried = joint.axis if parallel else None
        axes[body.name] = carried and joint.offset.R.T.apply(carried).map(_plain)
    return axes


def _plain(entry: Any) -> Any:
    return folded(reduced(Expression.constant(0) + entry))


def may_be_lone(body: Body) -> bool:
    """Returns whether exactly one entry, a diagonal one, is nonzero about the centre of mass or the origin."""
    return any(given_entries(tensor) in ([name] for name in DIAGONAL) for tensor in tensors(body))


def lone_entry(body: Body, axis: Vec3 | None) -> str:
    """Returns "xx", "yy" or "zz" if only that entry is given and no other one affects the motion, else "".

    axis: the direction about which the body turns, zero if it does not turn, and None if it turns about several
    """
    if axis is None:
        return ""
    still = all(part == 0 for part in axis)
    felt = [name for name, part in zip(DIAGONAL, axis, strict=True) if still or part in (1, -1)]
    given = [given_entries(tensor) for tensor in tensors(body)]
    return next((name for name in felt if [name] in given), "")


def tensors(body: Body) -> list[SymmetricMatrix3]:
    """Returns the inertia tensor about the origin, and, if the centre of mass is known, the tensor about it."""
    return [body.inertia.I, *([] if body.com is None else [body.inertia.central_tensor(body.com)])]


def given_entries(tensor: SymmetricMatrix3) -> list[str]:
    """Returns the names of the nonzero entries."""
    return [name for name in ("xx", "xy", "xz", "yy", "yz", "zz") if getattr(tensor, name) != 0]
