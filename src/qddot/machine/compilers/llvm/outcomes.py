"""Writes the checks after a step in each lane: is the state finite, and has a guard risen above zero?"""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.program.status import GUARDED
from qddot.machine.compilers.llvm.writer import ZERO, Writer


def finite(w: Writer, numbers: Sequence[str]) -> str:
    """Returns the lanes in which all numbers are finite; in the others, some x − x is not zero."""
    total = ZERO
    for x in numbers:
        total = w.vector("fadd", total, w.vector("fsub", x, x))
    return w.compared("oeq", total)


def guarded(w: Writer, guards: Sequence[str], status: str) -> tuple[str, str]:
    """Returns the status of the first guard above zero, or `status` if there is none, and the lanes that have one."""
    some = ZERO
    for which, guard in reversed(list(enumerate(guards))):
        above = w.compared("ogt", guard)
        status = w.choice(above, w.number(GUARDED + which), status)
        some = w.either(some, above)
    return status, some
