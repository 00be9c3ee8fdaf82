"""URDF, the Unified Robot Description Format of ROS, read and written."""

from qddot.formats.urdf.reader import loads, read

__all__ = ["loads", "read"]
