"""The functions of an arm as Programs: the physics run over the nodes of a graph."""

from qddot.tracing.arms import Arm
from qddot.tracing.functions import FUNCTIONS, trace

__all__ = ["FUNCTIONS", "Arm", "trace"]
