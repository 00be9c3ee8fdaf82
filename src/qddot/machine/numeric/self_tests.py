"""Finds states for the self-test of exported code, with the right values from the robot instead of the program."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from qddot.algebra.program.interpreter import evaluated
from qddot.algebra.program.program import Program
from qddot.machine.compilers import exported
from qddot.machine.compilers.exported import TOLERANCE, VECTORS, TrialState
from qddot.machine.tracing import reference
from qddot.physics.systems import System
from qddot.robot.symbol_values import names_of

TRIES = 8 * VECTORS  # states of which the first suitable ones are taken
DOUBLE, SINGLE = 53, 24  # bits of the significands
SPARE = 4  # the rounding in a state is this many times below the tolerance, since compilers round otherwise
WORSE = 1000  # an error that is more times that of the recursion in doubles is none of rounding


def states(
    system: System, program: Program, free: Sequence[str], options: Mapping[str, Any], real: str
) -> list[TrialState]:
    """Returns some states with the values of a function there, by the recursion over the links in ball arithmetic.

    States in which rounding alone could exceed the tolerance of the self-test are left out.
    free: the symbols that are inputs; options: those of the function, and whether it takes wrenches
    """
    names = set(names_of(free, "symbols"))
    lost = 2.0 ** (DOUBLE - SINGLE) if real == "float" else 1.0
    suitable: list[TrialState] = []
    for inputs in islice(exported.states(program), TRIES):
        elements = [(port.name, own) for port, own in zip(program.inputs, inputs, strict=True)]
        arrays = dict(elements[: len(elements) - len(names)])
        for _, first in system.tree.quaternions if "q" in arrays else ():
            arrays["q"][first : first + 4] = _unit(arrays["q"][first : first + 4])
        symbols = {name: value for name, (value,) in elements[len(arrays) :]}
        at = (system.with_given(names), program.name, arrays, symbols)
        try:
            right = list(filter(None, reference.values(*at, **options)))
            computed = evaluated(program, inputs)
            error = _difference(computed, right)
            if program.interface.is_guarded and right[-1][0] <= 0:
                continue
            if error * lost * SPARE > TOLERANCE[real]:
                in_doubles = _difference(filter(None, reference.values(*at, bits=DOUBLE, **options)), right)
                if error <= in_doubles * WORSE:
                    continue
        except (ArithmeticError, ValueError):
            continue
        suitable.append(TrialState(inputs, right))
        if len(suitable) == VECTORS:
            break
    return suitable


def _unit(parts: Sequence[float]) -> list[float]:
    norm = math.hypot(*parts)
    return [part / norm for part in parts]


def _difference(computed: Iterable[Sequence[float]], right: Sequence[Sequence[float]]) -> float:
    """Returns the largest difference relative to 1 + |right|; NaN is larger than any."""
    pairs = [pair for parts in zip(computed, right, strict=True) for pair in zip(*parts, strict=True)]
    return max((abs(a - b) / (1 + abs(b)) if a == a else math.inf for a, b in pairs), default=0.0)
