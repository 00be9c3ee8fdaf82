"""Adds to a numeric system what an arm without loops has alone: positions that are reached at constant velocities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qddot.base.system.parts import installed
from qddot.machine.numeric.calls import named_as_written
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.robot.model import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


@named_as_written
class NumericArm(NumericSystem):
    """This is the numeric system of an arm, whose links form a tree."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.model = model

    def neutral(self) -> NDArray[np.float64]:
        """Returns the zero position: coordinates and translations 0, quaternions (1, 0, 0, 0)."""
        with installed():
            from qddot.machine.numeric import manifold

        return manifold.neutral(self.model)

    def integrate(self, q: ArrayLike, qd: ArrayLike, t: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Returns the position that is reached from q after a time t [s] at constant q̇, in the shape of q.

        The result is q + q̇ t, except for joints with a quaternion. Their body moves with a twist ν that is constant
        along its own axes, so that a free body makes a screw motion. Quaternions have the norm 1 to rounding.
        raises EvaluationError: shapes are wrong, or a quaternion does not have norm 1
        """
        with installed():
            from qddot.machine.numeric import manifold

        return manifold.integrate(self.model, q, qd, t)

    def difference(self, q1: ArrayLike, q2: ArrayLike) -> NDArray[np.float64]:
        """Returns the q̇ that leads from q1 to q2 in one second, (…, n): q2 = integrate(q1, difference(q1, q2)).

        Between two attitudes it is the shortest rotation.
        raises EvaluationError: as `integrate`
        """
        with installed():
            from qddot.machine.numeric import manifold

        return manifold.difference(self.model, q1, q2)
