"""Reads MJCF, the format of MuJoCo."""

from qddot.formats.mjcf import loops
from qddot.formats.mjcf.trees import read

__all__ = ["loops", "read"]
