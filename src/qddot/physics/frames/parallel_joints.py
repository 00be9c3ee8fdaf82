"""Finds runs of parallel joints and the absolute angles of their links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from qddot.algebra.expressions.names import fresh
from qddot.algebra.expressions.turning import Combination, sum_name
from qddot.algebra.spatial import Pose, Vec3
from qddot.physics.mechanism import Link, Mechanism
from qddot.robot.bodies import Body
from qddot.robot.model import Model

Before: TypeAlias = Mapping[int, tuple[int, int]]  # by coordinate k of a run: (j, sense of k's axis relative to j's)


def parallel_joints(mechanism: Mechanism, beside_rotors: bool = False) -> dict[int, tuple[int, int]]:
    """Returns (j, sense) for each coordinate whose joint turns about an axis parallel to that of the joint before, j.

    sense: 1 if both axes point the same way, else −1. Fixed joints between the two are skipped; a coordinate
    that several joints share is in no run.

    beside_rotors: whether a coordinate that also spins rotors, whose frames do not turn, may be in a run
    """
    followers = (link for link in mechanism.links if link.ratio is not None)
    shared = {link.dof for link in followers if not (beside_rotors and link.kind.is_rotor)}
    before = {}
    for link in mechanism.links:
        axis, above = _axis_in_link_before(mechanism, link)
        if (
            above is None
            or link.dof is None
            or {link.dof, above.dof} & shared
            or not (link.kind.is_revolute and above.kind.is_revolute)
        ):
            continue
        for sense in (1, -1):
            if above.dof is not None and not any(a - b * sense for a, b in zip(axis, above.S.w, strict=True)):
                before[link.dof] = (above.dof, sense)
    return before


def _axis_in_link_before(mechanism: Mechanism, link: Link) -> tuple[Vec3, Link | None]:
    """Returns a joint's axis along the axes of the moving link that carries it, and that link."""
    axis, at = link.placement.R.apply(link.axis), link.parent
    while at is not None and mechanism.links[at].dof is None:
        axis, at = mechanism.links[at].X.R.apply(axis), mechanism.links[at].parent
    return axis, None if at is None else mechanism.links[at]


def absolute_angles(model: Model, mechanism: Mechanism) -> Iterator[dict[str, Combination]]:
    """Yields for each run of parallel joints the absolute angles of its links by name, from the base outward.

    The angle of joint k is θ_k = θ_j + σ_k q_k, with j the joint before and σ_k its sense relative to the run's first.
    """
    before, names = parallel_joints(mechanism), model.coordinates
    for first in {j for j, _ in before.values()} - set(before):
        angles: dict[int, Combination] = {first: ((names[first], Fraction(1)),)}
        senses = {first: 1}
        for k in (link.dof for link in mechanism.links if link.dof in before):
            j, sense = before[k]
            if j in angles:
                senses[k] = senses[j] * sense
                angles[k] = (*angles[j], (names[k], Fraction(senses[k])))
        yield {sum_name(combination, names): combination for combination in angles.values()}


def senses_of(mechanism: Mechanism, before: Before) -> list[int]:
    """Returns σ_k for every coordinate: the sense of its axis relative to the first of its run; 1 outside the runs."""
    senses = [1] * mechanism.n
    for k in outward(mechanism, before):
        j, sense = before[k]
        senses[k] = senses[j] * sense
    return senses


def outward(mechanism: Mechanism, before: Before) -> list[int]:
    """Returns the coordinates that follow another one in their run, from the base outward."""
    return [link.dof for link in mechanism.links if link.dof is not None and link.dof in before]


def in_absolute_angles(model: Model, mechanism: Mechanism, before: Before) -> Model:
    """Returns the same bodies with the absolute angles of runs as coordinates, without effects in the joints.

    Each coordinate k of a run stands for θ_k. Since q_k = σ_k (θ_k − θ_j), a massless body that follows joint j first
    turns back by θ_j, then joint k turns by θ_k.
    """
    names, senses, names_in_use = model.coordinates, senses_of(mechanism, before), {body.name for body in model.bodies}
    bodies = []
    for body in model.bodies:
        joint = replace(body.joint, effects=(), limits=None)
        k = names.index(str(joint.coordinate)) if joint.leads else -1
        if k in before:
            carrier, axis, (j, _) = fresh(f"{body.name} turned back", names_in_use), joint.axis * senses[k], before[k]
            back = replace(joint, axis=-axis, offset=Pose.identity(), coordinate=names[j], ratio=Fraction(1))
            bodies.append(Body(carrier, back))
            joint = replace(joint, parent=carrier, axis=axis, placement=Pose.identity())
        bodies.append(replace(body, joint=joint))
    return replace(model, bodies=tuple(bodies))
