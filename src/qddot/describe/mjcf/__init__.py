"""Reads MJCF, the format of MuJoCo."""

from qddot.describe.mjcf import loops
from qddot.describe.mjcf.trees import read

__all__ = ["loops", "read"]
