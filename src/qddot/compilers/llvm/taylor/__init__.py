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


def integrating(series: Series, several: bool) -> Advancing:
    """Returns what integrates one arm, or several in the lanes of vectors."""
    width = engine.processor().lanes
    space = Workspace(series, width if several else 1, width)
    effort = engine.MOST if len(series.program.nodes) <= SHORT else QUICK
    facts = (series.hash, "taylor")
    return Advancing(space.lanes, space.offsets["size"], facts, partial(driver.module, space), effort)
