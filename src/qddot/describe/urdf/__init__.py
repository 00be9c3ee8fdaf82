"""URDF, the Unified Robot Description Format of ROS, read and written."""

from qddot.describe.urdf.urdf_reader import loads, read
from qddot.describe.urdf.urdf_writer import dumps

__all__ = ["dumps", "loads", "read"]
