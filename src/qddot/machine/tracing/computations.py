"""Computes the entries of functions that take several steps, from what is traced and their options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.algebra.spatial import Pose, Twist, inner
from qddot.base.errors import EvaluationError
from qddot.base.words.message import say
from qddot.machine.tracing.options import TASK, Bodies, rows_of
from qddot.robot.effects.acting import unit_column

if TYPE_CHECKING:
    from qddot.machine.tracing.chains import TracedChain
    from qddot.machine.tracing.traced import TracedArm
    from qddot.physics.dynamics import Loads, Matrix
    from qddot.physics.of_links import LinkDynamics

    Traced: TypeAlias = TracedArm | TracedChain


def forward_kinematics(traced: Traced, body: int | str | None = None) -> list[list[Any]]:
    link, frame = traced.tree.place(body)
    return (traced.tree.poses[link] @ frame).matrix()


def skeleton(traced: Traced) -> tuple[list[Any], list[Any]]:
    """Returns the points and axes for a drawing, in the base frame.

    For each body they are its joint's point before and after the joint's motion, the joint's axis, and its frame's
    origin; the tool's point follows.
    """
    tree, rows = traced.tree, []
    for link, pose in zip(tree.links.links, tree.poses, strict=True):
        above = Pose.identity() if link.parent is None else tree.poses[link.parent]
        joint = above @ link.placement
        moved = pose.apply(link.offset.inverse().p)
        rows.append([list(joint.p), list(moved), list(joint.R.apply(link.axis)), list(pose.p)])
    return rows, list(tree.tool_pose.p)


def jacobian(traced: Traced, body: int | str | None = None, frame: str = "world") -> list[list[Any]]:
    link, place = traced.tree.place(body)
    if frame == "world":
        moving = traced.jacobian(link, place.p)
    else:
        moving = [c and place.inverse().adjoint(c) for c in traced.body_jacobian(link)]
    columns = [column or Twist.zero() for column in moving]
    return [list(row) for row in zip(*((*c.v, *c.w) for c in columns), strict=True)]


def operational_space(
    traced: Traced, body: int | str | None = None, task: str = " ".join(TASK)
) -> tuple[list[Any], ...]:
    """Returns Λ, μ, p for some rows of J, the mobility, and about the largest one that joints could give each row."""
    from qddot.machine.tracing.operational_space import largest_mobilities, matrices

    picked = rows_of(task)
    if len(picked) > len(traced.rates):
        raise EvaluationError("body-cannot-move", count=len(picked))
    J = [jacobian(traced, body)[k] for k in picked]
    drift = [jacobian_drift(traced, body)[k] for k in picked]
    results = matrices(traced, J, drift, lambda pivot, _: reciprocal(pivot, len(J)))
    along, about = largest_mobilities(traced, *traced.tree.place(body))
    return *results, [along if k < TASK.index("rx") else about for k in picked]


def reciprocal(pivot: Any, rank: int) -> Any:
    """Returns 1 / pivot. raises EvaluationError: it is zero in all positions of the arm"""
    if pivot == 0 or getattr(pivot, "constant", None) == 0:
        raise EvaluationError("body-cannot-move", count=rank)
    return 1 / pivot


def regressor(traced: Traced, armature: bool = False, friction: bool = False) -> list[list[Any]]:
    """Returns Y for the links, and for parameters of the joints if requested."""
    return with_joints(traced, links(traced).regressor(), traced.tree.links.qdd, armature, friction)


def slotine_regressor(traced: Traced, armature: bool = False, friction: bool = False) -> list[list[Any]]:
    """Returns the Y of `slotine_torque`."""
    qd_r, qdd_r = traced.reference
    Y, dynamics = links(traced).following(qd_r, qdd_r).regressor(), traced.tree.dynamics
    return with_joints(traced, Y, qdd_r, armature, friction, lambda: dynamics.slotine_loads(qd_r, qdd_r))


def links(traced: Traced) -> LinkDynamics:
    return traced.tree.with_links(say("a-regressor"))


def with_joints(
    traced: Traced, Y: Matrix, qdd: Sequence[Any], armature: bool, friction: bool, loads: Loads | None = None
) -> list[list[Any]]:
    """Returns Y with the columns of the joints' parameters, along the rates; loads: as in `Dynamics.effects`"""
    tree, rows = traced.tree, [list(row) for row in Y]
    signs = [tree.numbers.sign(name) for name in tree.model.coordinates]
    acting = [each for part in ("armature", "friction") for each in tree.dynamics.effects(part, loads)]
    for kind, i, _ in tree.joint_parameters(armature, friction):
        for row, own in zip(rows, unit_column(acting, kind, i, tree.links.qd, qdd, signs[i]), strict=True):
            row.append(own)
    return traced.onto(rows)


def jacobian_drift(traced: Traced, body: int | str | None = None, frame: str = "world") -> list[Any]:
    """Returns J̇ q̇, the rate of J q̇ along the motion without accelerations of the rates."""
    return drift(traced, jacobian(traced.tree, body, frame))


def drift(traced: Traced, rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Returns J̇ q̇, where the rows of J are those for the velocities of all joints."""
    return traced.along_the_motion([inner(row, traced.inputs["qd"]) for row in rows])


def contact_jacobian(traced: Traced, bodies: Bodies = None) -> list[list[Any]]:
    """Returns the linear rows of the Jacobians of several bodies' frames, one body after the other."""
    return [row for body in bodies or (None,) for row in jacobian(traced, body)[:3]]


def com_jacobian(tree: TracedArm) -> list[list[Any]]:
    share = 1 / tree.mass_and_centre[0]
    return [[entry * share for entry in row] for row in transposed([each.f for each in tree.centroidal_momenta()])]


def centroidal_momentum_matrix(tree: TracedArm) -> list[list[Any]]:
    return transposed([(*each.f, *each.n) for each in tree.centroidal_momenta()])


def along_rates(traced: Traced, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Returns rows with a column for each rate, from rows with one for the velocity of each joint."""
    return transposed(traced.onto(transposed(rows)))


def transposed(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
