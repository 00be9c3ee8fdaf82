"""Adds to a numeric system what an arm without loops has alone: its model, and its zero position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qddot.base.system.parts import installed
from qddot.machine.numeric.calls import named_as_written
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.robot.model import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
