"""Compiles the integration by Taylor series: arms in lanes, each with its own steps."""

from __future__ import annotations

from functools import partial

from qddot.algebra.program.series import Series
from qddot.machine.compilers.llvm import engine
from qddot.machine.compilers.llvm.advancing import OwnSteps
from qddot.machine.compilers.llvm.taylor import driver
from qddot.machine.compilers.llvm.taylor.workspace import ArmsInLanes, ProductsInLanes, Workspace

SHORT = 200  # nodes of a program that gets full effort: 60 s of two_link take 0.4 ms, not 0.5
QUICK = 1
WIDTH = 4  # products of one arm in a vector, a fifth faster than 2; wider vectors wait longer for their elements


def integrating(series: Series, several: bool) -> OwnSteps:
    """Returns the integrator of one arm, or of several in the lanes of vectors."""
    lanes = engine.processor().lanes
    space: Workspace = ArmsInLanes(series, lanes) if several else ProductsInLanes(series, min(lanes, WIDTH))
    effort = engine.LOOPS if len(series.nodes) <= SHORT else QUICK
    facts = (series.hash, "taylor")
    return OwnSteps(space.lanes, space.offsets["size"], facts, partial(driver.module, space), effort)
