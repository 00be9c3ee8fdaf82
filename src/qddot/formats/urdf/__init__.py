"""Reads and writes URDF, the Unified Robot Description Format of ROS, and reads URDF+."""

from qddot.formats.urdf import loops
from qddot.formats.urdf.urdf_reader import loads, read
from qddot.formats.urdf.urdf_writer import dumps

__all__ = ["dumps", "loads", "loops", "read"]
