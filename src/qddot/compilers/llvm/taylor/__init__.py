"""Compiles the integration of a series: arms in lanes, each with its own steps."""

from __future__ import annotations

from functools import partial

from qddot.compilers.llvm import engine
from qddot.compilers.llvm.advancing import Advancing
from qddot.compilers.llvm.taylor import driver
from qddot.compilers.llvm.taylor.workspace import Workspace
from qddot.program.series import Series

SHORT = 200  # nodes of a program that LLVM shall work hard on
QUICK = 1
NARROW, FEW = 4, 64  # products in a vector, where one arm has few of them: wide ones wait longer for their parts


def integrating(series: Series, several: bool) -> Advancing:
    """Returns what integrates one arm, or several in the lanes of vectors."""
    lanes = engine.processor().lanes
    width = lanes if several or len(series.convolutions) > FEW else min(lanes, NARROW)
    space = Workspace(series, lanes if several else 1, width)
    effort = engine.MOST if len(series.program.nodes) <= SHORT else QUICK
    facts = (series.hash, "taylor")
    return Advancing(space.lanes, space.offsets["size"], facts, partial(driver.module, space), effort)
