"""SDF, the Simulation Description Format of Gazebo, read."""

from qddot.formats.sdf.reader import loads, read

__all__ = ["loads", "read"]
