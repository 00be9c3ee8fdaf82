"""The functions of an arm as Programs: the physics run over the nodes of a graph."""

from qddot.tracing.arms import Arm
from qddot.tracing.functions import (
    FUNCTIONS,
    PUSHED,
    algorithms,
    forward_dynamics,
    forward_dynamics_articulated,
    shortest,
    trace,
    variants,
)

__all__ = [
    "FUNCTIONS",
    "PUSHED",
    "Arm",
    "algorithms",
    "forward_dynamics",
    "forward_dynamics_articulated",
    "shortest",
    "trace",
    "variants",
]
