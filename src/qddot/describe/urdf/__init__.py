"""Reads and writes URDF, the Unified Robot Description Format of ROS."""

from qddot.describe.urdf.urdf_reader import loads, read
from qddot.describe.urdf.urdf_writer import dumps

__all__ = ["dumps", "loads", "read"]
