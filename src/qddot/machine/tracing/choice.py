"""Chooses the frames and the algorithm with which a program is shortest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from qddot.algebra.program.factors import factored
from qddot.algebra.program.program import Program
from qddot.machine.tracing.algorithms import Algorithm
from qddot.physics.dynamics import AT_JOINTS, OWN, SLID

LONG = 15_000  # operations; a longer program is not tried in every way
SIMILAR = 1.2  # a program longer by this factor may become the shortest after common factors are taken out


class Way(NamedTuple):
    """This is a way to compute a function of an arm.

    frames: OWN, AT_JOINTS or SLID; algorithm: if the function has several
    """

    frames: str = OWN
    algorithm: Algorithm | None = None


PLAIN = Way()  # the links' own frames


def ways(free: Sequence[str], algorithms: Sequence[Algorithm] = ()) -> list[Way]:
    """Returns the ways that may save operations; regrouping inertias saves some only if no symbol is free.

    Along the base's axes it saves nothing, since the entries that it removes from the links' tensors reappear when they
    rotate.
    """
    if algorithms and algorithms[0].along_base:
        return [Way(OWN, algorithms[0])]
    frames = (OWN,) if free else (AT_JOINTS, SLID, OWN)
    return [Way(each, algorithm) for each in frames for algorithm in algorithms or (None,)]


def shortest(
    written: Callable[[Way], Program],
    free: Sequence[str],
    torques: Callable[[Way], Program],
    algorithms: Sequence[Algorithm] = (),
) -> Program:
    """Returns the program with the fewest operations after common factors are taken out, among all ways.

    torques: writes the inverse dynamics. For a long program, which contains their recursion once, only the frames
    with which they are shortest are tried.
    """
    every = ways(free, algorithms)
    programs = [written(every[0])]
    if algorithms and algorithms[0].along_base:  # sums of products, few of which have a common factor
        return programs[0]
    rest = every[1:]
    if rest and programs[0].total_operations > LONG:
        count = cache(lambda program: factored(program).total_operations)  # since some ways write the same program
        frames = min(ways(free), key=lambda way: count(torques(way))).frames
        rest = [way for way in rest if way.frames == frames]
        programs = programs if every[0].frames == frames else []
    for way in rest:
        program = written(way)
        if program not in programs:
            programs.append(program)
    fewest = min(program.total_operations for program in programs)
    near_it = [factored(program) for program in programs if program.total_operations <= SIMILAR * fewest]
    return min(near_it, key=lambda program: program.total_operations)
