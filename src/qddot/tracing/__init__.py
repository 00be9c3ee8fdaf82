"""The functions of an arm as Programs: the physics run over the nodes of a graph."""

from qddot.tracing.functions import FUNCTIONS

__all__ = ["FUNCTIONS"]
