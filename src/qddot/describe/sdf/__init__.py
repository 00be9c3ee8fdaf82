"""Reads SDF, the Simulation Description Format of Gazebo."""

from qddot.describe.sdf import loops
from qddot.describe.sdf.sdf_reader import loads, read

__all__ = ["loads", "loops", "read"]
