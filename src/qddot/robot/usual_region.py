"""The range of a coordinate and the largest rate, over which results hold where a user gives none."""

from __future__ import annotations

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.base.errors import EvaluationError
from qddot.robot.model import Model

TURN = expression("-180deg"), expression("180deg")
FASTEST = 1.0  # rad/s or m/s


def usual_range(model: Model, name: str) -> tuple[Expression, Expression]:
    """Returns the limits of a coordinate's joint, or one turn where it has none and only turns what it moves.

    raises EvaluationError: a joint that slides, also as a part of a screw or as a follower, has no limits
    """
    joint = next((body.joint for body in model.moving() if body.joint.coordinate == name), None)
    if joint is not None and joint.limits is not None:
        low, high = joint.limits
        return low, high
    if joint is None or not all(body.joint.kind.is_revolute for body in model.bodies if body.joint.coordinate == name):
        raise EvaluationError("joint-slides-no-limits", where=model.name, name=repr(name), coordinate=name)
    return TURN


def usual_rate(model: Model, name: str) -> float:
    """Returns the largest rate of a coordinate's joint, 1 rad/s or m/s where its description gives none."""
    rates = (body.joint.velocity for body in model.moving() if body.joint.coordinate == name)
    return next((rate for rate in rates if rate is not None), FASTEST)
