"""Chooses among ways to write one program: where the frames are, and by which algorithm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from qddot.dynamics.dynamics import COMPOSITE
from qddot.program.factors import factored
from qddot.program.program import Program

SIMILAR = 1.2  # a program this much longer may become the shortest once common factors are out


class Way(NamedTuple):
    """This is one way to write a program of an arm.

    sliding: where the frames are, as in `dynamics_of`; algorithm: that for accelerations, one of the dynamics'
    """

    sliding: bool | None
    algorithm: str = COMPOSITE


PLAIN = Way(None)  # with the links' frames as they are


def ways(free: Sequence[str], algorithms: Sequence[str] = ()) -> list[Way]:
    """Returns the ways that may save operations; regrouping inertias pays only where no symbol is free."""
    frames = (None,) if free else (False, True, None)
    return [Way(sliding, algorithm) for sliding in frames for algorithm in algorithms or (COMPOSITE,)]


def shortest(written: Callable[[Way], Program], free: Sequence[str], algorithms: Sequence[str] = ()) -> Program:
    """Returns the program with the fewest operations after common factors are taken out, among all ways to write it."""
    programs = [written(way) for way in ways(free, algorithms)]
    fewest = min(program.total_operations for program in programs)
    near_it = [factored(program) for program in programs if program.total_operations <= SIMILAR * fewest]
    return min(near_it, key=lambda program: program.total_operations)
