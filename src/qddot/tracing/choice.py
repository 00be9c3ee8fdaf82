"""The choice among ways to write one program: how the frames are set, and by which algorithm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from qddot.dynamics.dynamics import COMPOSITE
from qddot.program.factors import factored
from qddot.program.program import Program

SIMILAR = 1.2  # common factors may turn a program into the shortest that was so much longer


class Way(NamedTuple):
    """One way to write a program of an arm.

    sliding: how the frames are set, as in `dynamics_of`; algorithm: for the accelerations, one of the dynamics'
    """

    sliding: bool | None
    algorithm: str = COMPOSITE


PLAIN = Way(None)  # with the links' frames as they are


def ways(free: Sequence[str], algorithms: Sequence[str] = ()) -> list[Way]:
    """Those that may save operations; regrouping inertias pays where numbers are folded, so that no symbol is free."""
    frames = (None,) if free else (False, True, None)
    return [Way(sliding, algorithm) for sliding in frames for algorithm in algorithms or (COMPOSITE,)]


def shortest(written: Callable[[Way], Program], free: Sequence[str], algorithms: Sequence[str] = ()) -> Program:
    """Of a program written in all ways, the one with the fewest operations once common factors are out."""
    programs = [written(way) for way in ways(free, algorithms)]
    fewest = min(program.total_operations for program in programs)
    near_it = [factored(program) for program in programs if program.total_operations <= SIMILAR * fewest]
    return min(near_it, key=lambda program: program.total_operations)
