"""Runs the command `qddot` by `python -m qddot`."""

import sys

from qddot.apps.cli import run

sys.exit(run())
