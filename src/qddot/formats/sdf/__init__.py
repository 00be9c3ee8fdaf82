"""Reads SDF, the Simulation Description Format of Gazebo."""

from qddot.formats.sdf import loops
from qddot.formats.sdf.sdf_reader import loads, read

__all__ = ["loads", "loops", "read"]
