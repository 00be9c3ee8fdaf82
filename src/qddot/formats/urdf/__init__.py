"""URDF, the Unified Robot Description Format of ROS, read and written."""

from qddot.formats.urdf.reader import loads, read
from qddot.formats.urdf.writer import dumps

__all__ = ["dumps", "loads", "read"]
