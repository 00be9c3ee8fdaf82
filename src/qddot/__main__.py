"""Runs the command `qddot` by `python -m qddot`."""

import sys

from qddot.cli import run

sys.exit(run())
