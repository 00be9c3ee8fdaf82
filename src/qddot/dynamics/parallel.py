"""Runs of parallel joints, and the absolute angles of their links."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from qddot.dynamics.mechanism import Link, Mechanism
from qddot.expressions.turning import Combination, sum_name
from qddot.model.model import Model
from qddot.spatial import Vec3


def parallel_joints(arm: Mechanism) -> dict[int, tuple[int, int]]:
    """Returns (j, sense) for the coordinates of joints that turn about an axis parallel to that of joint j before.

    sense: 1 where both axes point the same way, else −1. Fixed joints between the two are passed over; a coordinate
    that several joints share is in no run.
    """
    shared = {link.dof for link in arm.links if link.ratio is not None}
    found = {}
    for link in arm.links:
        axis, above = _axis_in_link_before(arm, link)
        if above is None or link.dof is None or {link.dof, above.dof} & shared or not (link.turns and above.turns):
            continue
        for sense in (1, -1):
            if above.dof is not None and not any(a - b * sense for a, b in zip(axis, above.S.w, strict=True)):
                found[link.dof] = (above.dof, sense)
    return found


def _axis_in_link_before(arm: Mechanism, link: Link) -> tuple[Vec3, Link | None]:
    """Returns a joint's axis along the axes of the moving link that carries it, and that link."""
    axis, at = link.placement.R.apply(link.axis), link.parent
    while at is not None and arm.links[at].dof is None:
        axis, at = arm.links[at].X.R.apply(axis), arm.links[at].parent
    return axis, None if at is None else arm.links[at]


def absolute_angles(model: Model, arm: Mechanism) -> Iterator[dict[str, Combination]]:
    """Yields for each run of parallel joints the absolute angles of its links by name, from the base outward.

    The angle of joint k is θ_k = θ_j + σ_k q_k, with j the joint before and σ_k its sense against the run's first.
    """
    before, names = parallel_joints(arm), model.coordinates
    for first in {j for j, _ in before.values()} - set(before):
        angles: dict[int, Combination] = {first: ((names[first], Fraction(1)),)}
        senses = {first: 1}
        for k in (link.dof for link in arm.links if link.dof in before):
            j, sense = before[k]
            if j in angles:
                senses[k] = senses[j] * sense
                angles[k] = (*angles[j], (names[k], Fraction(senses[k])))
        yield {sum_name(combination, names): combination for combination in angles.values()}
